// Package principal finds the directions in which rows of values vary most, such as what light and
// shadows do to differences of images.
//
//	directions := principal.Directions(rows, 8) // [8, values], of rows [n, values]
package principal
