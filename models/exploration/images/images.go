package images

import (
	"slices"

	"stripswm/models/exploration"
	"stripswm/models/facts"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// Explorer is an explorer that learns from what the images of its attempts show. A change of the
// scene that looks like two actions counts as their successes, if that explains refusals.
type Explorer struct {
	*exploration.Explorer
	watch  *facts.Watch
	orders map[int][2]strips.ActionID // of actions before an attempt, in place of a change
	agreed map[int]int                // how often in a row an order was found again
	reset  bool                       // somebody said that the scene was changed
}

// New returns an explorer that looks at images, and that was told nothing yet.
func New(e *exploration.Explorer) *Explorer {
	return &Explorer{Explorer: e, watch: facts.NewWatch(e.Actions()),
		orders: map[int][2]strips.ActionID{}, agreed: map[int]int{}}
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
		if order, ok := w.Order(w.Segments()-1, seen.By); ok {
			w.Changed(order)
			w.orders[len(w.watch.All())-1] = order
		} else if err := w.Interrupt(); err != nil {
			return err
		}
	}
	if seen.Outcome == 0 {
		w.Skip(t.Action, seconds)
	} else if err := w.Explorer.Observe(t.Action, seen.Outcome, seconds); err != nil {
		return err
	}
	if again {
		return w.correct()
	}
	return nil
}

// correct has the explorer learn from what is known now to have happened. A change counts as two
// actions in the order with which the model explains most refusals, if these are no fewer than
// without them. Of orders that explain as many, it is the one of which the explorer is sure. An
// order that was found three times stays while images show the same actions, since to find it costs
// two times learning.
func (w *Explorer) correct() error {
	before := w.orders
	w.orders = map[int][2]strips.ActionID{}
	for n, o := range before {
		by := w.watch.All()[n].By
		if by != o && by != [2]strips.ActionID{o[1], o[0]} {
			w.agreed[n] = 0
		} else if w.agreed[n] > 1 {
			w.orders[n] = o
		}
	}
	learn := func() error {
		r, _ := w.Happened()
		return w.Correct(r.Segments)
	}
	if err := learn(); err != nil {
		return err
	}
	for n, s := range w.watch.All() {
		if _, stays := w.orders[n]; stays || !s.Changed || s.By[0] == 0 {
			continue
		}
		_, begins := w.Happened()
		likely, sure := w.Order(slices.Index(begins, n)-1, s.By)
		best, most, ties := [2]strips.ActionID{}, w.Explained(), 0
		for _, order := range [][2]strips.ActionID{likely, {likely[1], likely[0]}} {
			w.orders[n] = order
			if err := learn(); err != nil {
				return err
			}
			switch x := w.Explained(); {
			case x > most || x == most && best[0] == 0:
				best, most, ties = order, x, 0
			case x == most:
				ties++
			}
		}
		if w.orders[n] = best; best[0] == 0 || ties > 0 && !sure {
			delete(w.orders, n)
		}
		if w.agreed[n]++; best != before[n] {
			w.agreed[n] = 0
		}
		if err := learn(); err != nil {
			return err
		}
	}
	return nil
}

// Happened has the attempts by what is known to have happened at them, and the attempt that each
// segment begins with.
func (w *Explorer) Happened() (r facts.Recording, begins []int) {
	return w.watch.Happened(w.orders)
}
