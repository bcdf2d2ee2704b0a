package node

import (
	"testing"

	"stripswm/models/strips"
)

// TestImagesOfAttempts takes an image before each attempt and one after it. Where none comes, there
// is no pair.
func TestImagesOfAttempts(t *testing.T) {
	b := newTable(t)
	e := b.explorer("actions:=3")
	for _, c := range []struct {
		action strips.ActionID
		moves  bool
	}{{1, true}, {3, false}} {
		b.ready(e)
		b.try(e, c.action)
		p := e.pair()
		if p == nil {
			t.Fatalf("action %d: no images", c.action)
		}
		if d := p[0].Distance(p[1]); (d > 0) != c.moves {
			t.Errorf("action %d: the images differ by %g", c.action, d)
		}
	}
	b.ready(e)
	e.patience.camera = 0
	b.try(e, 1)
	if p := e.pair(); p != nil && p[1] == nil {
		t.Error("a pair of one image")
	}
}
