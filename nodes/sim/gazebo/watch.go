package gazebo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"
)

// Watch knows what a world has said of itself: where its bodies are and how late its last
// picture is, in its own time. Links tell it what comes.
type Watch struct {
	mu      sync.Mutex
	at      map[string]placed
	picture time.Duration // the last one's
	changed chan struct{} // closed and made anew with everything that comes
}

// placed is where the world says a body is, and when it was there.
type placed struct {
	Body
	time time.Duration
}

// NewWatch knows nothing yet; a world's time begins with 0, and so may its first picture.
func NewWatch() *Watch {
	return &Watch{at: map[string]placed{}, picture: -1, changed: make(chan struct{})}
}

// Poses takes where bodies were at a time.
func (w *Watch) Poses(at time.Duration, bodies []Body) {
	w.note(func() {
		for _, b := range bodies {
			w.at[b.Name] = placed{b, at}
		}
	})
}

// Picture takes that one of a time has come.
func (w *Watch) Picture(at time.Duration) { w.note(func() { w.picture = at }) }

func (w *Watch) note(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
	close(w.changed)
	w.changed = make(chan struct{})
}

// Worlds read what is sent when they are ready for it; on a busy machine they drop messages,
// so that they are sent again.
const (
	patience = 10 * time.Second
	repeat   = time.Second
)

// Await has put put bodies in their places, over again where that was not heard. It returns
// when the world has said of each that it is there, and a picture of that moment or a later
// one has come. It fails with ErrNoBody, with ErrGone, with why link ended, or when ctx does.
func (w *Watch) Await(ctx, link context.Context, bodies []Body, put func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	w.mu.Lock()
	since := w.picture
	w.mu.Unlock()
	if err := put(ctx); err != nil {
		return cmp.Or(context.Cause(link), err)
	}
	sent := time.NewTicker(repeat)
	defer sent.Stop()
	for {
		w.mu.Lock()
		missing, seen := w.missing(bodies, since)
		_, heard := w.at[missing]
		shown, changed := w.picture, w.changed
		w.mu.Unlock()
		if missing == "" && shown >= seen {
			return nil
		}
		select {
		case <-changed:
		case <-sent.C:
			if err := put(ctx); err != nil {
				return cmp.Or(context.Cause(link), err)
			}
		case <-link.Done():
			return context.Cause(link)
		case <-ctx.Done():
			switch {
			case !errors.Is(ctx.Err(), context.DeadlineExceeded):
				return context.Cause(ctx)
			case missing == "":
				return fmt.Errorf("%w: no picture of the state in time", ErrGone)
			case heard:
				return fmt.Errorf("%w: %s was not put in its place in time", ErrGone, missing)
			}
			return fmt.Errorf("%w: %s", ErrNoBody, missing)
		}
	}
}

// missing names a body that the world has not had in its place since a time, and has the
// time when the last was. The lock is held.
func (w *Watch) missing(bodies []Body, since time.Duration) (name string, seen time.Duration) {
	for _, b := range bodies {
		p, ok := w.at[b.Name]
		if !ok || p.time < since || !near(p.Body, b) {
			return b.Name, 0
		}
		seen = max(seen, p.time)
	}
	return "", seen
}

// near says whether a body is where another was to be, as far as the wire's numbers tell.
func near(a, b Body) bool {
	const metres = 1e-6
	for i := range a.Position {
		if math.Abs(a.Position[i]-b.Position[i]) > metres {
			return false
		}
	}
	dot := 0.0 // q and -q are one rotation
	for i := range a.Orientation {
		dot += a.Orientation[i] * b.Orientation[i]
	}
	return math.Abs(dot) > 1-1e-6
}
