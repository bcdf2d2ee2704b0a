// Package spread picks some of many items.
//
//	shown := spread.Evenly(images, 16) // 16 of them at even distances; all where there are fewer
package spread
