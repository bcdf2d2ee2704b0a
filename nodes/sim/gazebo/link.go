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

// Body is a model of the world and where it stands: metres, and a unit quaternion x, y, z, w.
type Body struct {
	Name        string
	Position    [3]float64
	Orientation [4]float64
}

// Image is what the world's camera saw: rgb8, three bytes a pixel.
type Image struct {
	Width, Height int
	RGB           []byte
	Time          time.Duration // of the world
}

// Blank says whether the image is of one colour, as Gazebo's are until it has drawn the scene.
func (p Image) Blank() bool {
	for i := 3; i < len(p.RGB); i++ {
		if p.RGB[i] != p.RGB[i-3] {
			return false
		}
	}
	return true
}

// Errors of links.
var (
	// ErrGone is wrapped by what fails since Gazebo has ended or does not answer.
	ErrGone = errors.New("gazebo is gone")
	// ErrNoBody is wrapped where the world has no body of a name.
	ErrNoBody = errors.New("gazebo's world has no such body")
)

// Link is a connection to a world that runs.
type Link interface {
	// Show puts bodies in their places and returns when an image that shows them there has
	// come. It fails with ErrNoBody, with ErrGone, or when ctx ends.
	Show(ctx context.Context, bodies []Body) error
	// Done is closed when the connection has ended, and Err says why.
	Done() <-chan struct{}
	Err() error
	Close() error
}

// Connect links to the world that the master at uri runs, once it runs. Its camera must be a sensor
// "camera" of the link "link" of a model "camera". Images are handed on to show in order, from one
// goroutine, but for blank ones.
func Connect(ctx context.Context, uri, world string, show func(Image)) (Link, error) {
	n, err := dial(ctx, uri)
	if err != nil {
		return nil, err
	}
	// The world's time begins with 0, and so may its first image.
	w := &connection{node: n, world: world, show: show, at: map[string]placed{}, img: -1,
		changed: make(chan struct{})}
	if err := w.open(ctx); err != nil {
		n.Close()
		return nil, err
	}
	return w, nil
}

// connection is a Link: what a world says of itself over the transport, in the world's own time.
type connection struct {
	node  *node
	world string
	show  func(Image)

	mu      sync.Mutex
	at      map[string]placed
	img     time.Duration // the last one's
	changed chan struct{} // closed and made again with everything that comes
}

// placed is where the world says a body is, and when it was there.
type placed struct {
	Body
	time time.Duration
}

func (w *connection) topic(name string) string { return "/gazebo/" + w.world + "/" + name }

// open waits for the world to run, and subscribes.
func (w *connection) open(ctx context.Context) error {
	if err := w.node.await(ctx, w.world); err != nil {
		return err
	}
	if err := w.node.subscribe(w.topic("pose/local/info"), "gazebo.msgs.PosesStamped",
		w.poses); err != nil {
		return err
	}
	if err := w.node.subscribe(w.topic("camera/link/camera/image"), "gazebo.msgs.ImageStamped",
		w.image); err != nil {
		return err
	}
	return w.node.advertise(w.topic("model/modify"), "gazebo.msgs.Model")
}

func (w *connection) poses(data []byte) error {
	at, bodies, err := parsePoses(data)
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

func (w *connection) image(data []byte) error {
	p, err := parseImage(data)
	if err != nil || p.Blank() {
		return err
	}
	w.show(p)
	w.note(func() { w.img = p.Time })
	return nil
}

func (w *connection) note(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
	close(w.changed)
	w.changed = make(chan struct{})
}

// On a busy machine Gazebo drops messages, so that poses are sent again.
const (
	patience = 10 * time.Second // until Show gives up
	repeat   = time.Second
)

// put asks for bodies to be put in their places.
func (w *connection) put(ctx context.Context, bodies []Body) error {
	var messages [][]byte
	for _, b := range bodies {
		messages = append(messages, marshalModel(b))
	}
	return w.node.publish(ctx, w.topic("model/modify"), messages...)
}

// Show puts bodies in their places. It returns when the world has said of each that it is there,
// and an image of that moment or a later one has come.
func (w *connection) Show(ctx context.Context, bodies []Body) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	link := w.node.ctx
	put := func() error {
		if err := w.put(ctx, bodies); err != nil {
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

// missing names a body that the world has not reported in its place since that time; if there is
// none, seen is when the last one was there. The lock is held.
func (w *connection) missing(bodies []Body, since time.Duration) (name string, seen time.Duration) {
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
func (w *connection) Done() <-chan struct{} { return w.node.ctx.Done() }

// Err says why the connection has ended; nil while it has not, or where Close ended it.
func (w *connection) Err() error {
	if err := context.Cause(w.node.ctx); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// Close ends the connection.
func (w *connection) Close() error {
	w.node.Close()
	return nil
}

// again is how long Keep waits before it tries to link again.
const again = time.Second

// Kept is a link that is made again whenever it has ended.
type Kept struct {
	mu   sync.Mutex
	link Link  // nil while there is none
	err  error // why
}

// Keep links with dial until ctx ends. changed is told, from one goroutine, of every link
// (nil) and of why there is none; the same reason is told once.
func Keep(ctx context.Context, dial func(context.Context) (Link, error),
	changed func(error),
) *Kept {
	k := &Kept{err: fmt.Errorf("%w: not linked yet", ErrGone)}
	go k.run(ctx, dial, changed)
	return k
}

func (k *Kept) run(ctx context.Context, dial func(context.Context) (Link, error),
	changed func(error),
) {
	told := ""
	tell := func(err error) {
		if err == nil || err.Error() != told {
			changed(err)
		}
		if told = ""; err != nil {
			told = err.Error()
		}
	}
	for ctx.Err() == nil {
		attempt, cancel := context.WithTimeout(ctx, 10*again)
		link, err := dial(attempt)
		cancel()
		k.set(link, err)
		tell(err)
		if err == nil {
			select {
			case <-link.Done():
				err = cmp.Or(link.Err(), ErrGone)
			case <-ctx.Done():
			}
			link.Close()
			if ctx.Err() != nil {
				return
			}
			k.set(nil, err)
			tell(err)
		}
		select {
		case <-time.After(again):
		case <-ctx.Done():
		}
	}
}

func (k *Kept) set(link Link, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.link, k.err = link, err
}

// Show is Link.Show, which fails while there is no link.
func (k *Kept) Show(ctx context.Context, bodies []Body) error {
	k.mu.Lock()
	link, err := k.link, k.err
	k.mu.Unlock()
	if err != nil {
		return err
	}
	return link.Show(ctx, bodies)
}

// Err says why there is no link; nil while there is one.
func (k *Kept) Err() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.err
}
