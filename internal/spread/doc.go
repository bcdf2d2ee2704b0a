// Package spread picks some of many items.
//
//	shown := spread.Evenly(images, 16) // 16 of them at even distances; all where there are fewer
//	some := spread.Indices(n, 16)      // 16 of the numbers 0 to n-1
package spread
