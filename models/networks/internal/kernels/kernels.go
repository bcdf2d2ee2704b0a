package kernels

// #cgo CFLAGS: -O3
// #cgo LDFLAGS: -lm
// #include <stddef.h>
// #include "kernels.h"
//
// static const struct kernels *use;
//
// static void choose(int i) { use = set(i); }
// static int has(int i) { return set(i) != NULL; }
// static long panel(void) { return use->panel; }
// static long width(void) { return use->width; }
//
// static void pack(float *dst, const float *b, long k, long n, long rs, long cs) {
//	use->pack(dst, b, k, n, rs, cs);
// }
// static void multiply(long m, long n, long k, const float *a, long rs, long cs, const float *b,
//		float *c, long ldc, const float *bias, int add) {
//	use->multiply(m, n, k, a, rs, cs, b, c, ldc, bias, add);
// }
// static void gelu(float *y, const float *x, long n) { use->gelu(y, x, n); }
// static void gelu_back(float *dy, float *y, const float *x, long n) {
//	use->gelu_back(dy, y, x, n);
// }
// static void norm(float *y, float *scale, const float *x, long rows, long n, float e) {
//	use->norm(y, scale, x, rows, n, e);
// }
// static void norm_back(float *dy, const float *y, const float *scale, long rows, long n) {
//	use->norm_back(dy, y, scale, rows, n);
// }
// static void add_to_rows(float *x, const float *row, long rows, long n) {
//	use->add_to_rows(x, row, rows, n);
// }
// static void add_rows(float *sum, const float *x, long rows, long n) {
//	use->add_rows(sum, x, rows, n);
// }
// static void depthwise(float *out, const float *x, const float *taps, const float *bias,
//		float *scratch, long side, long n, long kernel) {
//	use->depthwise(out, x, taps, bias, scratch, side, n, kernel);
// }
// static void depthwise_taps(float *taps, const float *x, const float *dy, float *scratch,
//		long side, long n, long kernel) {
//	use->depthwise_taps(taps, x, dy, scratch, side, n, kernel);
// }
// static void cut(float *rows, const uint8_t *image, long size, long patch, float mean,
//		float scale) {
//	use->cut(rows, image, size, patch, mean, scale);
// }
// static void adam(float *w, float *first, float *second, float *teacher, const float *gradient,
//		const float *mask, long n, struct adam o) {
//	use->adam(w, first, second, teacher, gradient, mask, n, o);
// }
import "C"

import (
	"fmt"
	"unsafe"
)

// sets are the instruction sets, the best first.
var sets = []string{"AVX-512", "AVX2", "any"}

func init() {
	for i := range sets {
		if choose(i) {
			return
		}
	}
}

// choose takes a set; false where this processor does not have it.
func choose(i int) bool {
	if C.has(C.int(i)) == 0 {
		return false
	}
	C.choose(C.int(i))
	return true
}

// Matrix is numbers with the distances from row to row and from column to column.
type Matrix struct {
	data       []float32
	rows, cols int
	rs, cs     int
}

// Rows is a matrix of rows of n numbers.
func Rows(data []float32, n int) Matrix {
	want(len(data)%n == 0, "%d numbers in rows of %d", len(data), n)
	return Matrix{data, len(data) / n, n, n, 1}
}

// T is the matrix transposed; nothing is copied.
func (m Matrix) T() Matrix { return Matrix{m.data, m.cols, m.rows, m.cs, m.rs} }

// Packed is a matrix on the right of a product.
type Packed struct {
	rows, cols int
	data       []float32
}

// Pack copies a matrix.
func (p *Packed) Pack(m Matrix) {
	panel := int(C.panel())
	n := m.rows * ((m.cols + panel - 1) / panel) * panel
	if cap(p.data) < n {
		p.data = make([]float32, n)
	}
	p.rows, p.cols, p.data = m.rows, m.cols, p.data[:n]
	C.pack(at(p.data), at(m.data), C.long(m.rows), C.long(m.cols), C.long(m.rs), C.long(m.cs))
}

// Multiply is c = a b + bias; bias [columns of b] may be nil.
func Multiply(c []float32, a Matrix, b *Packed, bias []float32) {
	want(bias == nil || len(bias) == b.cols, "bias of %d for %d columns", len(bias), b.cols)
	multiply(c, a, b, bias, 0)
}

// MultiplyAdd is c = c + a b.
func MultiplyAdd(c []float32, a Matrix, b *Packed) { multiply(c, a, b, nil, 1) }

func multiply(c []float32, a Matrix, b *Packed, bias []float32, add int) {
	want(a.cols == b.rows && len(c) == a.rows*b.cols, "product [%d %d] [%d %d] of %d numbers", a.rows,
		a.cols, b.rows, b.cols, len(c))
	C.multiply(C.long(a.rows), C.long(b.cols), C.long(b.rows), at(a.data), C.long(a.rs), C.long(a.cs),
		at(b.data), at(c), C.long(b.cols), at(bias), C.int(add))
}

// GELU is y = x Phi(x), Phi the normal distribution, to 2e-7 of x.
func GELU(y, x []float32) {
	want(len(y) == len(x), "gelu of %d numbers in %d", len(x), len(y))
	C.gelu(at(y), at(x), C.long(len(x)))
}

// GELUBack turns the derivative by y into that by x in place, and gives y = GELU(x) again.
func GELUBack(d, y, x []float32) {
	want(len(y) == len(x) && len(d) == len(x), "gelu of %d numbers in %d and %d", len(x), len(y),
		len(d))
	C.gelu_back(at(d), at(y), at(x), C.long(len(x)))
}

// Norm is layer normalisation of rows of x, len(scale) of them; scale takes what each is
// multiplied with.
func Norm(y, scale, x []float32, epsilon float32) {
	n := len(x) / len(scale)
	want(len(y) == len(x) && n*len(scale) == len(x), "norm of %d numbers in %d rows, %d", len(x),
		len(scale), len(y))
	C.norm(at(y), at(scale), at(x), C.long(len(scale)), C.long(n), C.float(epsilon))
}

// NormBack turns the derivative by Norm's y into that by x in place.
func NormBack(d, y, scale []float32) {
	n := len(y) / len(scale)
	want(len(d) == len(y) && n*len(scale) == len(y), "norm of %d numbers in %d rows, %d", len(y),
		len(scale), len(d))
	C.norm_back(at(d), at(y), at(scale), C.long(len(scale)), C.long(n))
}

// AddToRows adds a row to each of the rows of x.
func AddToRows(x, row []float32) {
	want(len(x)%len(row) == 0, "%d numbers in rows of %d", len(x), len(row))
	C.add_to_rows(at(x), at(row), C.long(len(x)/len(row)), C.long(len(row)))
}

// AddRows adds the rows of x to sum.
func AddRows(sum, x []float32) {
	want(len(x)%len(sum) == 0, "%d numbers in rows of %d", len(x), len(sum))
	C.add_rows(at(sum), at(x), C.long(len(x)/len(sum)), C.long(len(sum)))
}

// Map is a square map, and the square kernel that goes over it.
type Map struct {
	Side, Channels int
	Kernel         int // odd
	scratch        []float32
}

// NewMap makes one for one goroutine.
func NewMap(side, channels, kernel int) *Map {
	wide := side + kernel - 1
	const spare = 8 // places that the last of a row reads beyond it
	return &Map{side, channels, kernel, make([]float32, (wide*wide+spare)*int(C.width()))}
}

func (m *Map) check(x, out, taps []float32) {
	want(len(x) == m.Side*m.Side*m.Channels && len(out) == len(x) &&
		len(taps) == m.Kernel*m.Kernel*m.Channels,
		"map %dx%d of %d channels: %d, %d and %d numbers", m.Side, m.Side, m.Channels, len(x), len(out),
		len(taps))
}

// Convolve is the convolution of each channel of x with its taps [kernel*kernel, channels],
// stride 1, with zeros beyond the border, plus bias [channels].
func (m *Map) Convolve(out, x, taps, bias []float32) {
	m.check(x, out, taps)
	want(len(bias) == m.Channels, "bias of %d for %d channels", len(bias), m.Channels)
	C.depthwise(at(out), at(x), at(taps), at(bias), at(m.scratch), C.long(m.Side), C.long(m.Channels),
		C.long(m.Kernel))
}

// ConvolveAdd adds a convolution to out.
func (m *Map) ConvolveAdd(out, x, taps []float32) {
	m.check(x, out, taps)
	C.depthwise(at(out), at(x), at(taps), nil, at(m.scratch), C.long(m.Side), C.long(m.Channels),
		C.long(m.Kernel))
}

// AddTaps adds to d the derivative by the taps, given dy, that by the output.
func (m *Map) AddTaps(d, x, dy []float32) {
	m.check(x, dy, d)
	C.depthwise_taps(at(d), at(x), at(dy), at(m.scratch), C.long(m.Side), C.long(m.Channels),
		C.long(m.Kernel))
}

// Cut makes rows of the whole patches of an image [size, size, 3]: each patch*patch*3
// numbers, (pixel - mean) * scale.
func Cut(rows []float32, img []uint8, size, patch int, mean, scale float32) {
	side := size / patch
	want(len(img) == size*size*3 && len(rows) == side*side*patch*patch*3,
		"patches of %d of %d bytes in %d numbers", patch, len(img), len(rows))
	C.cut(at(rows), (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(img))), C.long(size), C.long(patch),
		C.float(mean), C.float(scale))
}

// Adam are the numbers of a step of AdamW.
type Adam struct {
	Rate, Correction1, Correction2, Beta1, Beta2, Epsilon, Decay float32
	// what the teacher keeps of itself
	EMA float32
}

// Step updates weights and both moments; mask is 1 where weights decay. teacher, which may be nil,
// follows the weights.
func (o Adam) Step(weights, first, second, teacher, gradient, mask []float32) {
	n := len(weights)
	want(len(first) == n && len(second) == n && len(gradient) == n && len(mask) == n &&
		(teacher == nil || len(teacher) == n), "adam: unequal lengths")
	C.adam(at(weights), at(first), at(second), at(teacher), at(gradient), at(mask), C.long(n),
		C.struct_adam{
			rate: C.float(o.Rate), correction1: C.float(o.Correction1), correction2: C.float(o.Correction2),
			beta1: C.float(o.Beta1),
			beta2: C.float(o.Beta2), epsilon: C.float(o.Epsilon), decay: C.float(o.Decay),
			ema: C.float(o.EMA),
		})
}

func at(x []float32) *C.float { return (*C.float)(unsafe.Pointer(unsafe.SliceData(x))) }

func want(ok bool, format string, args ...any) {
	if !ok {
		panic(fmt.Sprintf("kernels: "+format, args...))
	}
}
