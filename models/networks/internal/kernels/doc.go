// Package kernels has what training on a processor spends its time in: products of
// matrices, depthwise convolution, layer norm and GELU, each with its derivative, and
// AdamW. They are written in C with the compiler's vectors, for AVX-512, for AVX2, and for
// any other processor; the best set that the machine has is taken when the program starts.
//
// The main type is [Packed], a matrix as [Multiply] reads it fastest:
//
//	var w kernels.Packed
//	w.Pack(kernels.Rows(weights, 256))
//	kernels.Multiply(y, kernels.Rows(x, 64), &w, bias) // y = x w + bias
//
// Matrices are row by row, maps [side*side, channels]. The functions check the lengths of
// what they are given and panic on a mistake, as indexing does; they keep nothing and may
// be called by many goroutines at once. Equal arguments give equal bits on one set.
package kernels
