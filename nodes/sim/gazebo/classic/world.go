package classic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"slices"
	"sync"
	"time"

	"stripswm/nodes/sim/gazebo"
)

// World is a link to a world of Gazebo classic.
type World struct {
	node *node
	name string

	mu      sync.Mutex
	at      map[string]placed
	picture time.Duration // the last one's
	changed chan struct{} // closed and made anew with every message
}

// placed is where the world says a body was put, and when.
type placed struct {
	gazebo.Body
	time time.Duration
}

var _ gazebo.Link = (*World)(nil)

// Connect links to the world that the master at uri runs. The camera is a sensor
// called camera of a model called camera; its pictures are handed on in order, from one
// goroutine, but for blank ones.
func Connect(ctx context.Context, uri, world string, pictures func(gazebo.Picture)) (*World, error) {
	n, err := dial(ctx, uri)
	if err != nil {
		return nil, err
	}
	w := &World{node: n, name: world, at: map[string]placed{}, changed: make(chan struct{})}
	if err := w.open(ctx, pictures); err != nil {
		n.close()
		return nil, err
	}
	return w, nil
}

func (w *World) topic(name string) string { return "/gazebo/" + w.name + "/" + name }

func (w *World) open(ctx context.Context, pictures func(gazebo.Picture)) error {
	if err := w.node.world(ctx, w.name); err != nil {
		return err
	}
	err := w.node.subscribe(w.topic("pose/local/info"), "gazebo.msgs.PosesStamped", func(message []byte) error {
		at, bodies, err := parsePoses(message)
		if err == nil {
			w.note(func() {
				for _, b := range bodies {
					w.at[b.Name] = placed{b, at}
				}
			})
		}
		return err
	})
	if err != nil {
		return err
	}
	err = w.node.subscribe(w.topic("camera/link/camera/image"), "gazebo.msgs.ImageStamped", func(message []byte) error {
		p, err := parsePicture(message)
		if err != nil {
			return err
		}
		if p.Blank() {
			return nil
		}
		pictures(p)
		w.note(func() { w.picture = p.Time })
		return nil
	})
	if err != nil {
		return err
	}
	return w.node.advertise(w.topic("model/modify"), "gazebo.msgs.Model")
}

func (w *World) note(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
	close(w.changed)
	w.changed = make(chan struct{})
}

// The world reads what is sent five times a second and says each time what it did; on a
// busy machine it drops messages, so that they are sent again.
const (
	patience = 10 * time.Second
	repeat   = time.Second
)

// Show puts bodies in their places. The world says of each where it is now, and a picture
// of that moment or a later one shows it.
func (w *World) Show(ctx context.Context, bodies []gazebo.Body) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	w.mu.Lock()
	since := w.picture
	w.mu.Unlock()
	var messages [][]byte
	for _, b := range bodies {
		messages = append(messages, marshalModel(b))
	}
	send := func() error { return w.node.publish(ctx, w.topic("model/modify"), messages...) }
	if err := send(); err != nil {
		return err
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
			if err := send(); err != nil {
				return err
			}
		case <-w.node.ctx.Done():
			return context.Cause(w.node.ctx)
		case <-ctx.Done():
			switch {
			case !errors.Is(ctx.Err(), context.DeadlineExceeded):
				return context.Cause(ctx)
			case missing == "":
				return fmt.Errorf("%w: no picture of the state in time", gazebo.ErrGone)
			case heard:
				return fmt.Errorf("%w: %s was not put in its place in time", gazebo.ErrGone, missing)
			}
			return fmt.Errorf("%w: %s", gazebo.ErrNoBody, missing)
		}
	}
}

// missing names a body that the world has not put in its place since a time, and has the
// time when the last was. The lock is held.
func (w *World) missing(bodies []gazebo.Body, since time.Duration) (name string, seen time.Duration) {
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
func near(a, b gazebo.Body) bool {
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

// Bodies are those that were heard of, sorted.
func (w *World) Bodies() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var names []string
	for name := range w.at {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Done is closed when the connection has ended.
func (w *World) Done() <-chan struct{} { return w.node.ctx.Done() }

// Err says why the connection has ended; nil while it has not, or where Close ended it.
func (w *World) Err() error {
	if err := context.Cause(w.node.ctx); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// Close ends the connection.
func (w *World) Close() error {
	w.node.close()
	return nil
}
