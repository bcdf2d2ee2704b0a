package images

import (
	"stripswm/models/exploration"
	"stripswm/models/facts"
	"stripswm/models/pixels"
	"stripswm/models/traces"
)

// Explorer is an explorer that learns from what the images of its attempts show. A change of the
// scene that looks like two actions counts as one by both.
type Explorer struct {
	*exploration.Explorer
	watch *facts.Watch
	reset bool // somebody said that the scene was changed
}

// New returns an explorer that looks at images, and that was told nothing yet.
func New(e *exploration.Explorer) *Explorer {
	return &Explorer{Explorer: e, watch: facts.NewWatch(e.Actions())}
}

// side is that of the images that thumbnails are made of, pixels, as networks take them.
const side = 64

// Thumbnail is that of an image of a camera.
func Thumbnail(p pixels.RGB, c pixels.Camera) (pixels.Thumbnail, error) {
	square, err := pixels.Frame{Side: side, Fit: pixels.Letterbox, Camera: c}.Of(p)
	if err != nil {
		return nil, err
	}
	return pixels.NewThumbnail(square.Pix, side), nil
}

// Reset says that somebody changed the scene, and that it may be any now.
func (w *Explorer) Reset() error {
	w.reset = true
	return w.Interrupt()
}

// Retract says that the last attempt failed after all, whatever its images show.
func (w *Explorer) Retract() error {
	w.watch.Retract()
	w.reset = true
	return w.Explorer.Retract()
}

// Observe adds an attempt, how long it took, and the images before and after it, nil where there
// are none.
func (w *Explorer) Observe(t traces.Attempt, seconds float64, images *[2]pixels.Thumbnail) error {
	reset := w.reset
	w.reset = false
	seen, again := w.watch.Add(t, reset, images)
	if seen.Changed && !reset {
		if seen.By[0] > 0 {
			w.Changed(seen.By)
		} else if err := w.Interrupt(); err != nil {
			return err
		}
	}
	if seen.Outcome == 0 {
		w.Skip(t.Action, seconds)
	} else if err := w.Explorer.Observe(t.Action, seen.Outcome, seconds); err != nil {
		return err
	}
	if seen.During[0] > 0 {
		w.Changed(seen.During)
	}
	if again {
		return w.Correct(w.Happened().Segments)
	}
	return nil
}

// Happened has the attempts by what is known to have happened at them.
func (w *Explorer) Happened() facts.Recording { return w.watch.Happened() }
