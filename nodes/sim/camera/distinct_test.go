package camera

import (
	"testing"

	"stripswm/nodes/sim"
	"stripswm/nodes/sim/scene"
)

// Shrunk to 64x64 pixels, pictures still tell the states apart: the state whose mean picture is
// nearest is the true one. (Mean brightness is taken out first; light is the larger difference.)
func TestStatesAreDistinguishable(t *testing.T) {
	w := world(t, "blocksworld")
	c := New(128, 128)
	const train, held = 24, 6
	means := make([][]float64, w.NumStates())
	for s := range means {
		for k := range uint64(train) {
			v := level(shrink(render(t, c, w, sim.State(s), 1000*uint64(s)+k), 2))
			if means[s] == nil {
				means[s] = make([]float64, len(v))
			}
			for i := range v {
				means[s][i] += v[i] / train
			}
		}
	}
	wrong := 0
	for s := range means {
		for k := range uint64(held) {
			v := level(shrink(render(t, c, w, sim.State(s), 500000+1000*uint64(s)+k), 2))
			best := 0
			for q := range means {
				if meanAbs(v, means[q]) < meanAbs(v, means[best]) {
					best = q
				}
			}
			if best != s {
				wrong++
				t.Logf("%s taken for %s", w.Describe(sim.State(s)), w.Describe(sim.State(best)))
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d pictures are nearer to another state", wrong, held*len(means))
	}
}

// level shifts and scales each channel to mean 1.
func level(v []float64) []float64 {
	var mean [3]float64
	for i, x := range v {
		mean[i%3] += x / float64(len(v)/3)
	}
	for i := range v {
		v[i] /= mean[i%3]
	}
	return v
}

// Whatever the seed, every block and the finger tips are inside the picture, square or wide.
func TestEverythingIsInFrame(t *testing.T) {
	w := world(t, "blocksworld")
	for s := range sim.State(w.NumStates()) {
		for seed := range uint64(60) {
			sc, err := w.Scene(s, scene.NewJitter(seed, 1))
			if err != nil {
				t.Fatal(err)
			}
			blocks := 0
			for _, size := range [][2]int{{64, 64}, {228, 228}, {640, 480}, {64, 96}} {
				v := newView(sc.View, size[0], size[1])
				for _, b := range sc.Bodies {
					h := b.Shape.Half()
					if h.X != h.Y || h.Y != h.Z {
						continue
					}
					blocks++
					for _, p := range b.Shape.Hulls()[0] {
						x, y, ok := v.project(b.At.Add(b.Rot.Apply(p)))
						if !ok || x < 1 || y < 1 || x > float64(size[0]-1) || y > float64(size[1]-1) {
							t.Fatalf("state %d, seed %d: a block's corner at pixel (%.1f, %.1f) of %v", s, seed, x, y, size)
						}
					}
				}
			}
			if blocks != 3*4 {
				t.Fatalf("%d blocks", blocks)
			}
		}
	}
}
