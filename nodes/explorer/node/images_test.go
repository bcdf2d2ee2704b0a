package node

import (
	"strings"
	"testing"
	"time"

	"stripswm/models/strips"
	"stripswm/msgs"
)

// TestImagesOfAnyClock has images that are under way for long, are stamped by a clock that is off,
// or not at all.
func TestImagesOfAnyClock(t *testing.T) {
	for name, c := range map[string]struct {
		dial func(time.Time) msgs.Time
		held int
		says string
	}{
		"under way": {msgs.TimeFrom, 50, ""},
		"an hour ahead": {func(t time.Time) msgs.Time { return msgs.TimeFrom(t.Add(time.Hour)) }, 0,
			"s ahead: synchronize"},
		"no stamps": {func(time.Time) msgs.Time { return msgs.Time{} }, 0, "images have no stamp"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newTable(t)
			b.set(func() { b.dial, b.held = c.dial, c.held })
			e := b.explorer("actions:=3")
			for _, action := range []strips.ActionID{1, 1, 3} {
				b.ready(e)
				b.try(e, action)
				p := e.pair()
				if p == nil {
					t.Fatalf("action %d: no images", action)
				}
				if d := p[0].Distance(p[1]); (d > 0) != (action == 1) {
					t.Errorf("action %d: the images differ by %g", action, d)
				}
			}
			if _, warning := e.camera.Clock(); !strings.Contains(warning, c.says) {
				t.Errorf("warns %q, want %q", warning, c.says)
			}
		})
	}
}

// TestImagesOfAttempts: where no image comes after an attempt, there is no pair.
func TestImagesOfAttempts(t *testing.T) {
	b := newTable(t)
	e := b.explorer("actions:=3")
	b.ready(e)
	e.patience.camera = 0
	b.try(e, 1)
	if p := e.pair(); p != nil && p[1] == nil {
		t.Error("a pair of one image")
	}
}
