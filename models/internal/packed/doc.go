// Package packed writes numbers into the files of bundles as little-endian float32:
//
//	data := packed.Floats(values) // 4 bytes each
//	values = packed.Values(data)  // rounded to float32; bytes beyond the last four are left out
package packed
