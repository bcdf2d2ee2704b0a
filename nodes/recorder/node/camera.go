package node

import (
	"fmt"
	"sync"
	"time"

	"stripswm/bags/pairing"
	"stripswm/msgs"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/ros"
)

// A camera hands its images on, decoded only where the recorder looks at them, and keeps count of those that nothing
// can be seen on.
type camera struct {
	topic string
	kind  string // of its messages
	clock *ros.Clock
	take  func(*pairing.Frame)
	sub   *ros.Subscription

	mu   sync.Mutex
	now  sight // since the last look
	ever sight
}

// A sight is what a camera's images were like.
type sight struct {
	read, unreadable int
	err              error // of the last unreadable one
}

// subscribe begins to listen.
func (c *camera) subscribe(n *ros.Node, depth int) (err error) {
	q := ros.SensorData
	q.Depth = depth
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.compressed() {
		c.sub, err = ros.Subscribe(n, c.topic, q, func(m *msgs.CompressedImage, i ros.Info) { c.see(m.Header, i, m) })
	} else {
		c.sub, err = ros.Subscribe(n, c.topic, q, func(m *msgs.Image, i ros.Info) { c.see(m.Header, i, m) })
	}
	return err
}

func (c *camera) see(h msgs.Header, i ros.Info, m msgs.Message) {
	err := cvbridge.Check(m)
	if err != nil {
		err = fmt.Errorf("%s: %w; have the camera publish what is read, or set image_transport to %s", c.topic, err, c.other())
	}
	c.mu.Lock()
	c.now.add(err)
	c.ever.add(err)
	c.mu.Unlock()
	if err == nil {
		c.take(c.frame(h, i, m))
	}
}

func (s *sight) add(err error) {
	if err == nil {
		s.read++
		return
	}
	s.unreadable++
	s.err = err
}

func (c *camera) frame(h msgs.Header, i ros.Info, m msgs.Message) *pairing.Frame {
	look := func() (pairing.View, error) {
		p, err := cvbridge.RGB(m)
		if err != nil {
			return pairing.View{}, err
		}
		return pairing.ViewOf(p.Pix, p.Width, p.Height), nil
	}
	f := &pairing.Frame{Stamp: h.Stamp.GoTime(), FrameID: h.FrameID, Received: i.Received, Payload: i.Payload, Look: look}
	if c.clock.Simulated() {
		f.Received = c.clock.Now() // what its stamp and the statuses are of
	}
	if msgs.TimeFrom(f.Stamp) != h.Stamp { // nanoseconds beyond a second: nothing could refer to it
		f.Stamp = time.Unix(0, 0)
	}
	return f
}

func (c *camera) compressed() bool { return c.kind == (*msgs.CompressedImage)(nil).ROSType() }

// other is the image_transport that is not in use.
func (c *camera) other() string {
	if c.compressed() {
		return "raw"
	}
	return "compressed"
}

// absent says that nobody publishes the images, and what to do; "" if somebody does.
func (c *camera) absent() string {
	if c.sub == nil || c.sub.Publishers() > 0 {
		return ""
	}
	return fmt.Sprintf("nobody publishes %s on %s; start the camera, remap camera/image_raw to its topic, or set image_transport to %s", c.kind, c.topic, c.other())
}

// since is what came since it was last called, and since ever.
func (c *camera) since() (now, ever sight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, c.now = c.now, sight{}
	return now, c.ever
}

// dropped counts the images that the subscription had no room for.
func (c *camera) dropped() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sub == nil {
		return 0
	}
	return c.sub.Dropped()
}
