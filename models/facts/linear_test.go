package facts

import (
	"math/rand/v2"
	"testing"

	"stripswm/models/dataset"
	"stripswm/models/inference/inferencetest"
	"stripswm/models/vision"
)

// The classifier of a table of lamps, of which each is a predicate, reads them, and so does its
// export.
func TestLinear(t *testing.T) {
	const size, lamps, images = 64, 4, 240
	rng := rand.New(rand.NewPCG(1, 1))
	d := dataset.New(size, 1, images)
	var learn []int
	var targets [][]float32
	for i := range images {
		pix := make([]uint8, 3*size*size)
		light := 90 + rng.IntN(60)
		for k := range pix {
			pix[k] = uint8(light + rng.IntN(20))
		}
		target := make([]float32, lamps)
		for l := range target {
			if target[l] = float32(rng.IntN(2)); target[l] == 1 {
				for y := 8; y < 16; y++ {
					for x := 16*l + 4; x < 16*l+12; x++ {
						pix[3*(y*size+x)] = 250
					}
				}
			}
		}
		if _, err := d.AddImage(pix); err != nil {
			t.Fatal(err)
		}
		targets = append(targets, target)
		if i%4 > 0 {
			learn = append(learn, i)
		}
	}
	c, err := trainLinear(t.Context(), d, learn, targets)
	if err != nil {
		t.Fatal(err)
	}
	logits, err := c.Logits(t.Context(), d.Packed(0, images), vision.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, target := range targets {
		for l, v := range target {
			if got := logits[i*lamps+l] > 0; got != (v == 1) {
				t.Errorf("image %d, lamp %d: read %t", i, l, got)
			}
		}
	}
	exported, err := c.ExportLogits()
	if err != nil {
		t.Fatal(err)
	}
	network := inferencetest.Open(t, exported)
	got, err := network.Run(d.Packed(3, 5))
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if want := logits[3*lamps+i]; v-want > 1e-3 || want-v > 1e-3 {
			t.Errorf("output %d of the export is %g, want %g", i, v, want)
		}
	}
}
