package record_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"stripswm/bags"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

// TestRig attempts a skill that applies, one that does not, and one after a reset; the recording
// tells of each as soon as it is over.
func TestRig(t *testing.T) {
	w, dir := blocks(t), filepath.Join(t.TempDir(), "bag")
	rig, err := record.OpenRig(w, dir, small(0, 1))
	if err != nil {
		t.Fatal(err)
	}
	var applies, refused strips.ActionID
	for a := strips.ActionID(1); int(a) <= w.NumActions(); a++ {
		if _, ok := w.Apply(w.Initial(), a); ok {
			applies = a
		} else {
			refused = a
		}
	}
	next, _ := w.Apply(w.Initial(), applies)
	for i, c := range []struct {
		action strips.ActionID
		ok     bool
		reset  bool
	}{{refused, false, false}, {applies, true, false}, {applies, true, true}} {
		if c.reset {
			rig.Reset(w.Initial())
		}
		before, after, ok, err := rig.Try(c.action)
		if err != nil || ok != c.ok || len(before.Data) == 0 || len(after.Data) == 0 {
			t.Fatalf("attempt %d: %t, %v", i, ok, err)
		}
		r, err := bags.OpenLive(dir)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for got, err := range r.Transitions(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == i+1 && (got.Action != uint32(c.action) || got.Reset != c.reset ||
				(got.Outcome == bags.Succeeded) != c.ok) {
				t.Errorf("attempt %d is recorded as %+v", i, got)
			}
		}
		if err := r.Close(); err != nil || n != i+1 {
			t.Errorf("%d attempts are recorded of %d, %v", n, i+1, err)
		}
	}
	if visited := rig.Visited(); !slices.Equal(visited, []sim.State{w.Initial(), next}) {
		t.Errorf("visited %v", visited)
	}
	if _, _, _, err := rig.Try(0); err == nil {
		t.Error("action 0 was attempted")
	}
	if err := rig.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestRigKeepsTheScene looks twice at a scene, at what a refused skill left, and at the same state
// set up again: only the last is another image by more than the sensor's noise.
func TestRigKeepsTheScene(t *testing.T) {
	w := blocks(t)
	rig, err := record.OpenRig(w, filepath.Join(t.TempDir(), "bag"), small(0, 1))
	if err != nil {
		t.Fatal(err)
	}
	defer rig.Close()
	var refused strips.ActionID = 1
	for _, ok := w.Apply(w.Initial(), refused); ok; _, ok = w.Apply(w.Initial(), refused) {
		refused++
	}
	images := func() (shown [2]image.Image) {
		t.Helper()
		before, after, ok, err := rig.Try(refused)
		if err != nil || ok {
			t.Fatalf("%t, %v", ok, err)
		}
		for i, img := range []record.Image{before, after} {
			if shown[i], err = jpeg.Decode(bytes.NewReader(img.Data)); err != nil {
				t.Fatal(err)
			}
		}
		return shown
	}
	first, second := images(), images()
	rig.Reset(w.Initial())
	again := images()
	noise := max(difference(first[0], first[1]), difference(first[0], second[0]))
	if other := difference(first[0], again[0]); noise == 0 || other < 3*noise {
		t.Errorf("images of a scene differ by %.1f levels, those of two by %.1f", noise, other)
	}
}

// difference is the mean one of two images' brightness, in 8-bit levels.
func difference(a, b image.Image) float64 {
	sum, size := 0.0, a.Bounds()
	for y := size.Min.Y; y < size.Max.Y; y++ {
		for x := size.Min.X; x < size.Max.X; x++ {
			one, other := color.GrayModel.Convert(a.At(x, y)).(color.Gray), color.GrayModel.Convert(b.At(x,
				y)).(color.Gray)
			sum += math.Abs(float64(one.Y) - float64(other.Y))
		}
	}
	return sum / float64(size.Dx()*size.Dy())
}
