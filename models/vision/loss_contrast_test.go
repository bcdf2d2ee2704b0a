package vision

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/inference"
)

// TestContrastFindsTheMoment works the loss out by hand: each picture of a link is looked
// for among all pictures but the one that looks.
func TestContrastFindsTheMoment(t *testing.T) {
	const batch, dims, temperature = 6, 2, 0.5
	rng := rand.New(rand.NewPCG(1, 1))
	now, next := make([]float32, batch*dims), make([]float32, batch*dims)
	for i := range now {
		now[i], next[i] = 2*rng.Float32(), 2*rng.Float32()
	}
	p, err := compile(func(in []*g.Node) []*g.Node {
		return []*g.Node{g.Reshape(contrast(in[0], in[1], in[2]), 1)}
	}, []shapes.Shape{
		shapes.Make(dtypes.Float32, batch, dims), shapes.Make(dtypes.Float32, batch, dims), shapes.Make(dtypes.Float32, batch/2),
	}, 1, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	pictures := append(append([]float32(nil), now...), next...)
	near := func(a, b int) float64 {
		sum := 0.0
		for k := range dims {
			d := float64(pictures[a*dims+k] - pictures[b*dims+k])
			sum += d * d
		}
		return math.Exp(-sum / temperature)
	}
	for _, linked := range [][]float32{{1, 1, 1}, {1, 0, 1}, {0, 0, 0}} {
		sum, links := 0.0, 0.0
		for i, l := range linked {
			left, found := batch+i, batch/2+i
			for _, pair := range [][2]int{{left, found}, {found, left}} {
				all := 0.0
				for other := range 2 * batch {
					if other != pair[0] {
						all += near(pair[0], other)
					}
				}
				sum -= float64(l) * math.Log(near(pair[0], pair[1])/all) / 2
			}
			links += float64(l)
		}
		want, got := sum/max(links, 1), filled(t, make([]float32, 1), 1)
		in := []ort.Value{filled(t, now, batch, dims), filled(t, next, batch, dims), filled(t, linked, batch/2)}
		if err := p.run(in, []ort.Value{got}); err != nil {
			t.Fatal(err)
		}
		if math.Abs(float64(got.GetData()[0])-want) > 1e-4 {
			t.Errorf("links %v: %g, want %g", linked, got.GetData()[0], want)
		}
	}
}
