// Package median finds medians without sorting, for those that are taken of each image.
//
// Its function is [Upper]:
//
//	gain := median.Upper(ratios)
package median
