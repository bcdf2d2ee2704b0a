package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// eachSet runs a test with every set of kernels that this processor has.
func eachSet(t *testing.T, test func(t *testing.T)) {
	for i, name := range sets {
		if !choose(i) {
			t.Logf("%s: not on this processor", name)
			continue
		}
		t.Run(name, test)
	}
	for i := range sets {
		if choose(i) {
			return
		}
	}
}

func random(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

func near(t *testing.T, what string, got []float32, want []float64, tolerance float64) {
	t.Helper()
	for i := range want {
		if off := math.Abs(float64(got[i]) - want[i]); !(off <= tolerance*(1+math.Abs(want[i]))) {
			t.Fatalf("%s: number %d is %g, want %g", what, i, got[i], want[i])
		}
	}
}

func TestProducts(t *testing.T) {
	eachSet(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 1))
		for _, size := range [][3]int{{1, 1, 1}, {8, 32, 5}, {9, 33, 7}, {3, 7, 64}, {64, 256, 64},
			{70, 16, 100}, {17, 31, 1}} {
			m, n, k := size[0], size[1], size[2]
			a, b, bias, before := random(rng, m*k), random(rng, k*n), random(rng, n), random(rng, m*n)
			product := func(start func(i, j int) float64) []float64 {
				c := make([]float64, m*n)
				for i := range m {
					for j := range n {
						c[i*n+j] = start(i, j)
						for p := range k {
							c[i*n+j] += float64(a[i*k+p]) * float64(b[p*n+j])
						}
					}
				}
				return c
			}
			turned := func(x []float32, rows, cols int) []float32 {
				y := make([]float32, len(x))
				for i := range rows {
					for j := range cols {
						y[j*rows+i] = x[i*cols+j]
					}
				}
				return y
			}
			var plain, other Packed
			plain.Pack(Rows(b, n))
			other.Pack(Rows(turned(b, k, n), k).T())
			c, name := make([]float32, m*n), fmt.Sprint(size)
			Multiply(c, Rows(a, k), &plain, bias)
			near(t, name+" with bias", c, product(func(_, j int) float64 { return float64(bias[j]) }), 1e-5)
			copy(c, before)
			MultiplyAdd(c, Rows(turned(a, m, k), m).T(), &other)
			near(t, name+" transposed, added", c,
				product(func(i, j int) float64 { return float64(before[i*n+j]) }), 1e-5)
		}
	})
}

func TestGELU(t *testing.T) {
	eachSet(t, func(t *testing.T) {
		var x []float32
		for v := float32(-15); v < 15; v += 0.01 {
			x = append(x, v)
		}
		x = append(x, -1e4, 1e4, 0)
		y, again, d := make([]float32, len(x)), make([]float32, len(x)), make([]float32, len(x))
		want, slope := make([]float64, len(x)), make([]float64, len(x))
		for i, v := range x {
			v := float64(v)
			below := 0.5 * math.Erfc(-v/math.Sqrt2)
			d[i], want[i], slope[i] = 2, v*below, 2*(below+v*math.Exp(-v*v/2)/math.Sqrt(2*math.Pi))
		}
		GELU(y, x)
		GELUBack(d, again, x)
		near(t, "gelu", y, want, 1e-6)
		near(t, "gelu again", again, want, 1e-6)
		near(t, "slope", d, slope, 2e-6)
	})
}

func TestNorm(t *testing.T) {
	eachSet(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(2, 2))
		for _, n := range []int{3, 16, 64, 70} {
			const rows, epsilon = 5, 1e-6
			x, dy := random(rng, rows*n), random(rng, rows*n)
			y, scale := make([]float32, rows*n), make([]float32, rows)
			norm := func(x []float64) []float64 {
				mean, square := 0.0, 0.0
				for _, v := range x {
					mean += v / float64(n)
				}
				for _, v := range x {
					square += (v - mean) * (v - mean) / float64(n)
				}
				y := make([]float64, n)
				for i, v := range x {
					y[i] = (v - mean) / math.Sqrt(square+epsilon)
				}
				return y
			}
			var want, slope []float64
			for r := range rows {
				row := make([]float64, n)
				for i := range row {
					row[i] = float64(x[r*n+i])
				}
				want = append(want, norm(row)...)
				for i := range row {
					const step = 1e-5
					sum := 0.0
					for _, side := range []float64{1, -1} {
						row[i] += side * step
						for j, v := range norm(row) {
							sum += side * v * float64(dy[r*n+j]) / (2 * step)
						}
						row[i] -= side * step
					}
					slope = append(slope, sum)
				}
			}
			Norm(y, scale, x, epsilon)
			near(t, fmt.Sprint("norm of ", n), y, want, 1e-5)
			NormBack(dy, y, scale)
			near(t, fmt.Sprint("norm's slope of ", n), dy, slope, 1e-4)
		}
	})
}

func TestDepthwise(t *testing.T) {
	eachSet(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 3))
		for _, size := range [][3]int{{8, 64, 7}, {4, 3, 3}, {13, 20, 5}, {16, 16, 7}, {3, 5, 7}} {
			side, n, kernel := size[0], size[1], size[2]
			half, name := kernel/2, fmt.Sprint(size)
			x, dy, taps := random(rng, side*side*n), random(rng, side*side*n), random(rng, kernel*kernel*n)
			bias, dTaps := random(rng, n), random(rng, kernel*kernel*n)
			want, slope := make([]float64, len(x)), make([]float64, len(taps))
			for i := range slope {
				slope[i] = float64(dTaps[i])
			}
			for place := range side * side {
				for c := range n {
					sum := float64(bias[c])
					for tap := range kernel * kernel {
						y, col := place/side+tap/kernel-half, place%side+tap%kernel-half
						if y < 0 || y >= side || col < 0 || col >= side {
							continue
						}
						from := float64(x[(y*side+col)*n+c])
						sum += from * float64(taps[tap*n+c])
						slope[tap*n+c] += from * float64(dy[place*n+c])
					}
					want[place*n+c] = sum
				}
			}
			m, out := NewMap(side, n, kernel), make([]float32, len(x))
			m.Convolve(out, x, taps, bias)
			near(t, name, out, want, 1e-5)
			clear(out)
			for place := range side * side {
				copy(out[place*n:], bias)
			}
			m.ConvolveAdd(out, x, taps)
			near(t, name+" added", out, want, 1e-5)
			m.AddTaps(dTaps, x, dy)
			near(t, name+" taps", dTaps, slope, 1e-5)
		}
	})
}

// BenchmarkMultiply is the product of a block's first dense layer.
func BenchmarkMultiply(b *testing.B) {
	const m, n, k = 512, 256, 64
	rng := rand.New(rand.NewPCG(4, 4))
	x, c := random(rng, m*k), make([]float32, m*n)
	var w Packed
	w.Pack(Rows(random(rng, k*n), n))
	for b.Loop() {
		Multiply(c, Rows(x, k), &w, nil)
	}
	b.ReportMetric(2*m*n*k*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
