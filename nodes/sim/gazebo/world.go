package gazebo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"sync"
	"time"
)

// Transport is what a World is reached by.
type Transport interface {
	// Context ends with the connection, and its cause says why: net.ErrClosed where Close did.
	Context() context.Context
	// Subscribe has the world told of poses and images, once there are such.
	Subscribe(ctx context.Context, w *World) error
	// Put asks for bodies to be put in their places.
	Put(ctx context.Context, bodies []Body) error
	Close()
}

// World is a Link over a transport, which tells it what the world says of itself: where its
// bodies are, and its camera's images, in the world's own time.
type World struct {
	transport Transport
	show      func(Image)

	mu      sync.Mutex
	at      map[string]placed
	img     time.Duration // the last one's
	changed chan struct{} // closed and made again with everything that comes
}

var _ Link = (*World)(nil)

// placed is where the world says a body is, and when it was there.
type placed struct {
	Body
	time time.Duration
}

// Open links to the world that a transport leads to, which it closes if that fails. Images
// are handed on to show in order, from one goroutine, but for blank ones.
func Open(ctx context.Context, t Transport, show func(Image)) (Link, error) {
	// The world's time begins with 0, and so may its first image.
	w := &World{transport: t, show: show, at: map[string]placed{}, img: -1,
		changed: make(chan struct{})}
	if err := t.Subscribe(ctx, w); err != nil {
		t.Close()
		return nil, err
	}
	return w, nil
}

// Poses takes messages that say where bodies were at a time.
func (w *World) Poses(parse func(data []byte) (at time.Duration, bodies []Body,
	err error),
) func(data []byte) error {
	return func(data []byte) error {
		at, bodies, err := parse(data)
		if err != nil {
			return err
		}
		w.note(func() {
			for _, b := range bodies {
				w.at[b.Name] = placed{b, at}
			}
		})
		return nil
	}
}

// Images takes messages that are images.
func (w *World) Images(parse func(data []byte) (Image, error)) func(data []byte) error {
	return func(data []byte) error {
		p, err := parse(data)
		if err != nil || p.Blank() {
			return err
		}
		w.show(p)
		w.note(func() { w.img = p.Time })
		return nil
	}
}

func (w *World) note(change func()) {
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

// Show has bodies put in their places, over again where that was not heard. It returns
// when the world has said of each that it is there, and an image of that moment or a later
// one has come.
func (w *World) Show(ctx context.Context, bodies []Body) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	link := w.transport.Context()
	put := func() error {
		if err := w.transport.Put(ctx, bodies); err != nil {
			return cmp.Or(context.Cause(link), err)
		}
		return nil
	}
	w.mu.Lock()
	since := w.img
	w.mu.Unlock()
	if err := put(); err != nil {
		return err
	}
	sent := time.NewTicker(repeat)
	defer sent.Stop()
	for {
		w.mu.Lock()
		missing, seen := w.missing(bodies, since)
		_, heard := w.at[missing]
		shown, changed := w.img, w.changed
		w.mu.Unlock()
		if missing == "" && shown >= seen {
			return nil
		}
		select {
		case <-changed:
		case <-sent.C:
			if err := put(); err != nil {
				return err
			}
		case <-link.Done():
			return context.Cause(link)
		case <-ctx.Done():
			switch {
			case !errors.Is(ctx.Err(), context.DeadlineExceeded):
				return context.Cause(ctx)
			case missing == "":
				return fmt.Errorf("%w: no image of the state in time", ErrGone)
			case heard:
				return fmt.Errorf("%w: %s was not put in its place in time", ErrGone, missing)
			}
			return fmt.Errorf("%w: %s", ErrNoBody, missing)
		}
	}
}

// missing names a body that the world has not had in its place since a time, and has the
// time when the last was. The lock is held.
func (w *World) missing(bodies []Body, since time.Duration) (name string, seen time.Duration) {
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

// Done is closed when the connection has ended.
func (w *World) Done() <-chan struct{} { return w.transport.Context().Done() }

// Err says why the connection has ended; nil while it has not, or where Close ended it.
func (w *World) Err() error {
	if err := context.Cause(w.transport.Context()); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// Close ends the connection.
func (w *World) Close() error {
	w.transport.Close()
	return nil
}
