package camera

import (
	"context"
	"errors"
	"fmt"
	"path"
	"sync"
	"time"

	"stripswm/internal/clocks"
	"stripswm/models/pixels"
	"stripswm/msgs"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/ros"
)

// An Image is a camera's image as it came.
type Image struct {
	Topic  string // absolute name of the one it came on
	Type   string // of the message
	Header msgs.Header
	Info   ros.Info
	// Received is by the node's clock, and so is Taken: when, at the earliest, that was what it shows.
	// Taken is zero where the stamp does not follow on those before (package clocks).
	Received, Taken time.Time
	message         msgs.Message
}

// RGB decodes it, of a camera that uses so many bits (pixels.Camera).
func (i Image) RGB(bits int) (pixels.RGB, error) { return cvbridge.RGB(i.message, bits) }

// Used is how many of 16 bits its samples use; 0 where they have 8, or it is compressed.
func (i Image) Used() int { return cvbridge.Used(i.message) }

// A Camera hands on the images of one camera that can be read.
type Camera struct {
	node      *ros.Node
	names     map[Transport]string // absolute, of the topics
	transport Transport
	depth     int
	take      func(Image)
	ctx       context.Context // ends when it is closed
	cancel    context.CancelFunc

	mu      sync.Mutex
	subs    map[Transport]*ros.Subscription
	chosen  Transport // the one in use; Auto while there is none
	dropped uint64    // by subscriptions that are closed
	refused uint64    // likewise, messages that did not decode
	now     Capture   // since the last look
	ever    Capture
	clock   clocks.Source
	stamped bool // the last image was
}

// watchEvery is how often it is looked whether who publishes has changed.
const watchEvery = 200 * time.Millisecond

// Open begins to listen until it is closed, or the node is. take is called with one image after the
// other; depth images may wait for it.
func Open(n *ros.Node, topic string, t Transport, depth int, take func(Image)) (*Camera, error) {
	names, err := resolve(n, topic)
	if err != nil {
		return nil, err
	}
	c := &Camera{node: n, names: names, transport: t, depth: depth, take: take,
		subs: map[Transport]*ros.Subscription{}, chosen: t}
	c.ctx, c.cancel = context.WithCancel(n.Context())
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.follow(); err != nil {
		return nil, errors.Join(err, c.close())
	}
	if t == Auto {
		n.Every(c.ctx, watchEvery, func(time.Time) { c.choose() })
	}
	return c, nil
}

// resolve finds the topics. Compressed images come beside the raw ones, also where only those are
// remapped.
func resolve(n *ros.Node, topic string) (map[Transport]string, error) {
	const beside = "/compressed"
	raw, err := n.Resolve(topic)
	if err != nil {
		return nil, err
	}
	compressed, err := n.Resolve(topic + beside)
	if compressed == path.Join(n.Name().Namespace, topic)+beside {
		compressed = raw + beside
	}
	return map[Transport]string{Auto: raw, Raw: raw, Compressed: compressed}, err
}

func (c *Camera) subscribe(transport Transport) error {
	q := ros.SensorData
	q.Depth = c.depth
	var s *ros.Subscription
	var err error
	if transport == Compressed {
		s, err = ros.Subscribe(c.node, c.names[transport], q, func(m *msgs.CompressedImage, i ros.Info) {
			c.see(transport, m.Header, i, m)
		})
	} else {
		s, err = ros.Subscribe(c.node, c.names[transport], q, func(m *msgs.Image, i ros.Info) {
			c.see(transport, m.Header, i, m)
		})
	}
	if err == nil {
		c.subs[transport] = s
	}
	return err
}

// see takes an image, unless it came another way than the camera's others.
func (c *Camera) see(transport Transport, h msgs.Header, i ros.Info, m msgs.Message) {
	err := cvbridge.Check(m)
	if err != nil {
		err = fmt.Errorf("%s: %w; %s", c.names[transport], err, c.advice(transport))
	}
	if !c.note(transport, err) {
		return
	}
	image := Image{Topic: c.names[transport], Type: m.ROSType(), Header: h, Info: i,
		Received: c.node.Received(i), message: m}
	image.Taken = c.taken(h, image.Received)
	c.take(image)
}

func (c *Camera) taken(h msgs.Header, received time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	var stamp time.Time
	if stamp, c.stamped = clocks.Stamp(h.Stamp, received); !c.stamped {
		return clocks.Unstamped(received)
	}
	if v := c.clock.Hear(stamp, received); v != clocks.InOrder && v != clocks.Set {
		return time.Time{}
	}
	return c.clock.Earliest(stamp)
}

// Clock is how long after their stamps images are received, at least, and what somebody should know
// of that; "" if there is nothing.
func (c *Camera) Clock() (delay time.Duration, warning string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ever.Read > 0 && !c.stamped {
		return 0, clocks.NoStamps
	}
	return c.clock.Delay(), c.clock.Warning("the camera")
}

func (c *Camera) advice(transport Transport) string {
	if c.transport == Auto {
		return "have the camera publish what is read"
	}
	return fmt.Sprintf("have the camera publish what is read, or set image_transport to %s",
		other(transport))
}

func other(transport Transport) Transport {
	if transport == Compressed {
		return Raw
	}
	return Compressed
}

// note counts an image, and says whether it is one to take.
func (c *Camera) note(transport Transport, err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.transport == Auto && transport != c.chosen && !c.published(c.chosen) {
		c.chosen = transport
		if c.published(Raw) {
			c.chosen = Raw
		}
	}
	if transport != c.chosen {
		return false
	}
	c.now.add(err)
	c.ever.add(err)
	return err == nil
}

// published is whether somebody publishes images that way.
func (c *Camera) published(transport Transport) bool {
	s := c.subs[transport]
	return s != nil && s.Publishers() > 0
}

// choose follows who publishes: it listens both ways again when nobody is left where it did.
func (c *Camera) choose() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() != nil {
		return
	}
	if !c.published(c.chosen) {
		c.chosen = Auto
	}
	if err := c.follow(); err != nil && !errors.Is(err, ros.ErrClosed) {
		c.node.Log().Warn("camera", "error", err)
	}
}

// follow listens to the way that is chosen, or to both while none is, and lets go of the other.
func (c *Camera) follow() error {
	var errs []error
	for _, transport := range []Transport{Raw, Compressed} {
		wanted, s := c.chosen == Auto || c.chosen == transport, c.subs[transport]
		switch {
		case wanted && s == nil:
			errs = append(errs, c.subscribe(transport))
		case !wanted && s != nil:
			errs = append(errs, c.leave(transport))
		}
	}
	return errors.Join(errs...)
}

// leave ends a subscription, which is counted still.
func (c *Camera) leave(transport Transport) error {
	s := c.subs[transport]
	delete(c.subs, transport)
	c.dropped, c.refused = c.dropped+s.Dropped(), c.refused+s.Malformed()
	return s.Close()
}

// Close ends the subscriptions, for good.
func (c *Camera) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.close()
}

func (c *Camera) close() error {
	c.cancel()
	var errs []error
	for transport := range c.subs {
		errs = append(errs, c.leave(transport))
	}
	return errors.Join(errs...)
}
