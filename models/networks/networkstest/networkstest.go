package networkstest

import (
	"math"
	"testing"

	ort "github.com/yalue/onnxruntime_go"
)

// Layout is a networks.Layout, which this package does not import, so that tests of networks can
// import it.
type Layout interface {
	Names() []string
	Offset(name string) int
	Of(flat []float32, name string) []float32
}

// CheckGradient compares the derivatives by all weights x of a layout with central differences of
// eval, which reads x. step is the change of a weight, least an error that is allowed always.
func CheckGradient(t *testing.T, l Layout, x, analytic []float32, eval func() float64, step float32,
	least float64,
) {
	t.Helper()
	for _, name := range l.Names() {
		worst, scale := 0.0, 1e-3
		begin := l.Offset(name)
		for at := begin; at < begin+len(l.Of(x, name)); at++ {
			was := x[at]
			x[at] = was + step
			up := eval()
			x[at] = was - step
			down := eval()
			x[at] = was
			numeric := (up - down) / (2 * float64(step))
			worst = max(worst, math.Abs(numeric-float64(analytic[at])))
			scale = max(scale, math.Abs(numeric))
		}
		if worst > 0.02*scale+least {
			t.Errorf("%s: the error of the gradient is %.2g of %.2g", name, worst, scale)
		}
	}
}

// Filled is a tensor of given numbers, which is freed when the test ends.
func Filled[T ort.TensorData](t testing.TB, data []T, dims ...int) *ort.Tensor[T] {
	t.Helper()
	shape := make(ort.Shape, len(dims))
	for i, d := range dims {
		shape[i] = int64(d)
	}
	tensor, err := ort.NewEmptyTensor[T](shape)
	if err != nil {
		t.Fatal(err)
	}
	copy(tensor.GetData(), data)
	t.Cleanup(func() { tensor.Destroy() })
	return tensor
}

// Near compares numbers, relative to the largest.
func Near(t testing.TB, what string, got, want []float32, tolerance float64) {
	t.Helper()
	worst, scale := 0.0, 1e-3
	for i := range want {
		worst = max(worst, math.Abs(float64(got[i])-float64(want[i])))
		scale = max(scale, math.Abs(float64(want[i])))
	}
	if !(worst <= tolerance*scale) {
		t.Errorf("%s: the error is %.2g of %.2g", what, worst, scale)
	}
}
