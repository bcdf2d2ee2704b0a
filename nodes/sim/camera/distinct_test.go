package camera

import (
	"math"
	"slices"
	"testing"

	"stripswm/internal/spread"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/scene"
)

// Shrunk to 64x64 pixels, images still distinguish the states: the state whose mean image is
// nearest is the true one. (Mean brightness is taken out first; light is the larger difference.)
func TestStatesAreDistinguishable(t *testing.T) {
	w := world(t, "blocksworld")
	c := New(128, 128)
	const train, held = 16, 4
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
				t.Logf("%s classified as %s", w.Describe(sim.State(s)), w.Describe(sim.State(best)))
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d images are nearer to another state", wrong, held*len(means))
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

// Any two states of a recording differ plainly in several pixels of 64x64; of large ones, some.
func TestStatesHaveDifferentImages(t *testing.T) {
	for _, name := range sim.Tables() {
		w := world(t, name)
		g, err := sim.Explored(w, 1)
		if err != nil {
			t.Fatal(err)
		}
		c := Camera{Width: 64, Height: 64}
		states := spread.Evenly(g.States(), 200)
		shots := make([][]float64, len(states))
		least := math.MaxInt
		for i, s := range states {
			shots[i] = shrink(render(t, c, w, s, 0), 1)
			for k := range i {
				n := plain(shots[i], shots[k])
				least = min(least, n)
				if n < 8 {
					t.Errorf("%s: %d values differ between %q and %q", name, n, w.Describe(s),
						w.Describe(states[k]))
				}
			}
		}
		t.Logf("%s: at least %d values of %d differ", name, least, 3*64*64)
	}
}

// plain counts values that differ by more than a tenth of full scale.
func plain(a, b []float64) int {
	n := 0
	for i := range a {
		if math.Abs(a[i]-b[i]) > 25 {
			n++
		}
	}
	return n
}

// Whatever the seed, everything that a skill moves is inside the image, square or wide.
func TestEverythingIsInFrame(t *testing.T) {
	for _, name := range sim.Names() {
		w := world(t, name)
		for k := range 300 {
			s := sim.State(k * 7 % w.NumStates())
			sc, err := w.Scene(s, scene.NewJitter(uint64(k), 1))
			if err != nil {
				t.Fatal(err)
			}
			if sc.Sheet != nil {
				inFrame(t, w, sc.Sheet, s, uint64(k))
				continue
			}
			for _, size := range [][2]int{{64, 64}, {228, 228}, {640, 480}, {64, 96}} {
				v := newView(sc.View, size[0], size[1])
				for _, b := range sc.Bodies {
					if b.Object == 0 {
						continue
					}
					for _, p := range slices.Concat(b.Shape.Hulls()...) {
						x, y, ok := v.project(b.At.Add(b.Rot.Apply(p)))
						if !ok || x < 0 || y < 0 || x > float64(size[0]) || y > float64(size[1]) {
							t.Fatalf("%s, state %d, seed %d: a body is seen at pixel (%.1f, %.1f) of %v", name, s, k, x,
								y, size)
						}
					}
				}
			}
		}
	}
}

// inFrame looks at the marks that one of two states has alone, on a square image: wide ones show
// more.
func inFrame(t *testing.T, w *sim.World, sheet *scene.Sheet, s sim.State, seed uint64) {
	t.Helper()
	other, err := w.Scene((s+1)%sim.State(w.NumStates()), scene.NewJitter(seed, 1))
	if err != nil {
		t.Fatal(err)
	}
	moved := slices.Concat(without(sheet.Marks, other.Sheet.Marks), without(other.Sheet.Marks,
		sheet.Marks))
	if len(moved) == 0 {
		t.Fatalf("%s, seed %d: states %d and the next do not differ in a mark", w.Name(), seed, s)
	}
	for _, m := range moved {
		for corner := range 4 {
			p := m.Figure.Half()
			p.X *= float64(corner%2*2 - 1)
			p.Y *= float64(corner/2*2 - 1)
			p = m.At.Add(scene.Yaw(m.Turn).Apply(p))
			p = sheet.At.Add(scene.Yaw(sheet.Turn).Apply(p).Scale(sheet.Zoom))
			if max(math.Abs(p.X), math.Abs(p.Y)) > 1 {
				t.Fatalf("%s, state %d, seed %d: a mark reaches (%.2f, %.2f)", w.Name(), s, seed, p.X, p.Y)
			}
		}
	}
}

// without returns the marks that the others do not have.
func without(marks, others []scene.Mark) []scene.Mark {
	return slices.DeleteFunc(slices.Clone(marks), func(m scene.Mark) bool {
		return slices.Contains(others, m)
	})
}
