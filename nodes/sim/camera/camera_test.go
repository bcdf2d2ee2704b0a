package camera

import (
	"bytes"
	"image"
	"math"
	"sync"
	"testing"

	"stripswm/nodes/sim"
	"stripswm/nodes/sim/scene"
)

func world(t testing.TB, name string) *sim.World {
	t.Helper()
	w, err := sim.New(name)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func render(t testing.TB, c Camera, w *sim.World, s sim.State, seed uint64) *image.RGBA {
	t.Helper()
	m, err := c.Render(w, s, seed)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// shrink averages blocks of k by k pixels; three values a pixel.
func shrink(m *image.RGBA, k int) []float64 {
	w, h := m.Rect.Dx()/k, m.Rect.Dy()/k
	out := make([]float64, 3*w*h)
	for y := range h * k {
		for x := range w * k {
			for c := range 3 {
				out[3*(y/k*w+x/k)+c] += float64(m.Pix[y*m.Stride+4*x+c]) / float64(k*k)
			}
		}
	}
	return out
}

func meanAbs(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += math.Abs(a[i] - b[i])
	}
	return sum / float64(len(a))
}

// The same seed gives the same bytes, also from many goroutines that share frames.
func TestRenderRepeats(t *testing.T) {
	for _, name := range sim.Names() {
		w := world(t, name)
		var group sync.WaitGroup
		for k := range 8 {
			c := New(64+8*(k%3), 64)
			want := render(t, c, w, sim.State(k), 7)
			group.Go(func() {
				for range 3 {
					if got, err := c.Render(w, sim.State(k), 7); err != nil || !bytes.Equal(got.Pix, want.Pix) {
						t.Errorf("%s, state %d: two images of one seed differ (%v)", name, k, err)
					}
				}
			})
		}
		group.Wait()
	}
}

// Without nuisance a state has one image. With it, images differ by more than their noise, and
// more so the stronger it is.
func TestNuisance(t *testing.T) {
	for _, name := range sim.Names() {
		w := world(t, name)
		spread := func(strength float64) float64 {
			c := New(96, 96)
			c.Strength = strength
			first := shrink(render(t, c, w, w.Initial(), 0), 4)
			sum := 0.0
			for seed := range uint64(12) {
				sum += meanAbs(first, shrink(render(t, c, w, w.Initial(), seed+1), 4)) / 12
			}
			return sum
		}
		none, half, full, double := spread(0), spread(0.5), spread(1), spread(2)
		t.Logf("%s: mean difference at strength 0, 0.5, 1, 2: %.2f %.2f %.2f %.2f of 255", name, none,
			half, full, double)
		if none != 0 || half < 1.5 || full < 1.3*half || double < 1.1*full {
			t.Errorf("%s: nuisance does not grow with its strength", name)
		}
	}
}

// Things move too, not the light alone: in ten images of a state the first body, or the sheet, is
// at ten places.
func TestPlacementVaries(t *testing.T) {
	for _, name := range sim.Names() {
		w := world(t, name)
		at := map[scene.Vec]bool{}
		for seed := range uint64(10) {
			sc, err := w.Scene(w.Initial(), scene.NewJitter(seed, 1))
			if err != nil {
				t.Fatal(err)
			}
			if sc.Sheet != nil {
				at[sc.Sheet.At] = true
			} else {
				at[sc.Bodies[0].At] = true
			}
		}
		if len(at) != 10 {
			t.Errorf("%s: at %d places in 10 images", name, len(at))
		}
	}
}

// Borders are as smooth as those of an image taken four times as large and shrunk.
func TestBordersAreAntialiased(t *testing.T) {
	for _, name := range sim.Names() {
		w := world(t, name)
		sc, err := w.Scene(w.Initial(), scene.NewJitter(1, 0))
		if err != nil {
			t.Fatal(err)
		}
		if sc.Sheet != nil {
			continue // no rays: TestMarksCover
		}
		c, large := Camera{Width: 160, Height: 160}, Camera{Width: 640, Height: 640}
		got := shrink(render(t, c, w, w.Initial(), 1), 1)
		want := shrink(render(t, large, w, w.Initial(), 1), 4)
		f := new(frame)
		if err := f.begin(sc, 160, 160); err != nil {
			t.Fatal(err)
		}
		dst := image.NewRGBA(image.Rect(0, 0, 160, 160))
		for k := range f.pixels {
			f.pixels[k], f.keys[k] = f.trace(float64(k%160)+0.5, float64(k/160)+0.5, 0, unknownShare)
		}
		if err := f.develop(dst, 1); err != nil {
			t.Fatal(err)
		}
		rough := shrink(dst, 1)
		var border, without float64
		n := 0
		for i := range got {
			if math.Abs(got[i]-rough[i]) > 4 {
				border += math.Abs(got[i] - want[i])
				without += math.Abs(rough[i] - want[i])
				n++
			}
		}
		t.Logf("%s: %d border values; error with and without antialiasing: %.1f %.1f of 255", name, n,
			border/float64(n), without/float64(n))
		if n < 500 || border > 0.6*without {
			t.Errorf("%s: borders are not smoothed", name)
		}
		if d := meanAbs(got, want); d > 2.5 {
			t.Errorf("%s: mean difference %.2f from the large image", name, d)
		}
	}
}

func TestBadInput(t *testing.T) {
	w := world(t, "blocksworld")
	for _, c := range []Camera{{}, {Width: 64}, {Width: 8, Height: 64}, {Width: 64, Height: 1 << 20},
		{Width: -64, Height: -64}} {
		if _, err := c.Render(w, 0, 1); err == nil {
			t.Errorf("%+v takes an image", c)
		}
	}
	for _, s := range []sim.State{-1, 16, 1 << 40} {
		if _, err := New(64, 64).Render(w, s, 1); err == nil {
			t.Errorf("an image of state %d", s)
		}
	}
	sc, err := w.Scene(0, scene.NewJitter(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := New(64, 64).Draw(image.NewRGBA(image.Rect(0, 0, 64, 65)), sc, 1); err == nil {
		t.Error("drew into an image of another size")
	}
	dst := image.NewRGBA(image.Rect(0, 0, 64, 64))
	sc.View.Eye.Z = -1
	if err := New(64, 64).Draw(dst, sc, 1); err == nil {
		t.Error("drew from below the table")
	}
	sc.View.Eye.Z = 1
	sc.Bodies = append(sc.Bodies, scene.Body{})
	if err := New(64, 64).Draw(dst, sc, 1); err == nil {
		t.Error("drew a body without shape")
	}
	sc.Bodies = make([]scene.Body, scene.MaxBodies+1)
	if err := New(64, 64).Draw(dst, sc, 1); err == nil {
		t.Error("drew too many bodies")
	}
}
