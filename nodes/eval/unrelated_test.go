package eval

import (
	"math/rand/v2"
	"slices"
	"testing"

	"stripswm/models/pixels"
)

func TestEveryImageIsWhole(t *testing.T) {
	draw := func() (all []pixels.RGB) {
		rng := rand.New(rand.NewPCG(4, 0))
		for _, k := range Unrelated() {
			for _, side := range []int{48, 128} {
				p := k.Draw(rng, side)
				if p.Width != side || p.Height != side || len(p.Pix) != 3*side*side {
					t.Errorf("%s: %dx%d, %d bytes", k.Name, p.Width, p.Height, len(p.Pix))
				}
				all = append(all, p)
			}
		}
		base := all[5]
		base.Width, base.Height, base.Pix = 96, 64, all[5].Pix[:3*96*64]
		before := slices.Clone(base.Pix)
		for _, a := range Corrupted() {
			p := a.Corrupt(rng, base)
			if p.Width != 96 || p.Height != 64 || len(p.Pix) != len(base.Pix) {
				t.Errorf("%s: %dx%d, %d bytes", a.Name, p.Width, p.Height, len(p.Pix))
			}
			if slices.Equal(p.Pix, before) || !slices.Equal(base.Pix, before) {
				t.Errorf("%s leaves the image as it is, or spoils the one that it is given", a.Name)
			}
			all = append(all, p)
		}
		return all
	}
	first, again := draw(), draw()
	if len(Unrelated()) < 15 || len(Corrupted()) < 15 {
		t.Errorf("%d kinds and %d alterations", len(Unrelated()), len(Corrupted()))
	}
	for i := range first {
		if !slices.Equal(first[i].Pix, again[i].Pix) {
			t.Errorf("image %d is another the second time", i)
		}
	}
}
