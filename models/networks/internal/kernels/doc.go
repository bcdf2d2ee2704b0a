// Package kernels has the operations that training on a CPU spends its time in: products of
// matrices, depthwise convolution, layer norm and GELU, each with its derivative, and AdamW. They
// are written in C with the compiler's vector types, for AVX-512, for AVX2, and for any other CPU.
// The program selects the best set for its machine when it starts.
//
// The main type is [Packed], a matrix in the order in which [Multiply] reads it fastest:
//
//	weights --Pack--> Packed --Multiply--> y
//
//	var w kernels.Packed
//	w.Pack(kernels.Rows(weights, 256))
//	kernels.Multiply(y, kernels.Rows(x, 64), &w, bias) // y = x w + bias
//
// Matrices are stored row by row, feature maps as [side*side, channels]. The functions check the
// lengths of their arguments and panic if these are wrong, as indexing does. They have no state,
// and many goroutines may call them at once. Equal arguments give equal bits on one set.
package kernels
