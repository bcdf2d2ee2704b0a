package camera

import (
	"context"
	"errors"
	"fmt"
	"path"
	"sync"
	"time"

	"stripswm/bags/pairing"
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
	// Both are by the node's clock. Taken is when, at the earliest, the image was taken; zero where
	// the stamp does not follow those before (package clocks).
	Received, Taken time.Time
	message         msgs.Message
}

// ImageOf is an image that came as a message of its own.
func ImageOf(h msgs.Header, received time.Time, m msgs.Message) *Image {
	return &Image{Type: m.ROSType(), Header: h, Received: received, message: m}
}

// Stamp is that of the header, or when the image was received if that has none.
func (i Image) Stamp() time.Time {
	stamp, _ := clocks.Stamp(i.Header.Stamp, i.Received)
	return stamp
}

// RGB decodes the image, of a camera that uses so many bits (pixels.Camera).
func (i Image) RGB(bits int) (pixels.RGB, error) { return cvbridge.RGB(i.message, bits) }

// Used is how many of 16 bits the samples use; 0 where they have 8, or the image is compressed.
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

// watchEvery is how often the camera checks which transports have a publisher.
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

// see hands on an image, unless it came by the transport that is not in use.
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

// published says whether somebody publishes images by a transport.
func (c *Camera) published(transport Transport) bool {
	s := c.subs[transport]
	return s != nil && s.Publishers() > 0
}

// choose listens to both transports again when nobody publishes by the chosen one any more.
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

// follow subscribes to the chosen transport, or to both while none is, and leaves the other.
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

// leave ends a subscription. What it dropped still counts.
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

// A Capture counts the images of a camera that can be read, and those that cannot.
type Capture struct {
	Read, Unreadable int
	Err              error // of the last unreadable one
}

func (s *Capture) add(err error) {
	if err == nil {
		s.Read++
		return
	}
	s.Unreadable++
	s.Err = err
}

// Since counts the images since its last call, and since the camera was opened.
func (c *Camera) Since() (now, ever Capture) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, c.now = c.now, Capture{}
	return now, c.ever
}

// Dropped counts the images that there was no room for.
func (c *Camera) Dropped() uint64 { return c.sum(&c.dropped, (*ros.Subscription).Dropped) }

// Malformed counts the messages that did not decode.
func (c *Camera) Malformed() uint64 { return c.sum(&c.refused, (*ros.Subscription).Malformed) }

// sum adds what open subscriptions count to what closed ones did.
func (c *Camera) sum(closed *uint64, open func(*ros.Subscription) uint64) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	count := *closed
	for _, s := range c.subs {
		count += open(s)
	}
	return count
}

// Topic is the one that images come on, or would.
func (c *Camera) Topic() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.names[c.chosen]
}

// Absent says that nobody publishes the images, and what to do; "" if somebody does.
func (c *Camera) Absent() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for transport := range c.subs {
		if c.published(transport) {
			return ""
		}
	}
	if c.transport == Auto {
		return fmt.Sprintf(
			"nobody publishes %s or %s; start the camera, or remap camera/image_raw to its topic",
			c.names[Raw], c.names[Compressed])
	}
	return fmt.Sprintf(
		"nobody publishes %s; start the camera, remap camera/image_raw to its topic, or set "+
			"image_transport to auto", c.names[c.transport])
}

// Transport is the way that images come.
type Transport string

const (
	Auto       Transport = "auto"       // whichever is published: raw if both are
	Raw        Transport = "raw"        // sensor_msgs/Image on the topic
	Compressed Transport = "compressed" // sensor_msgs/CompressedImage on <topic>/compressed
)

// Help is for a parameter that takes a Transport.
const Help = "how images come: raw (sensor_msgs/Image), compressed (CompressedImage, on " +
	"<topic>/compressed), or auto (whichever is published)"

// Settings are what a node is told of its camera, once.
type Settings struct {
	Transport Transport
	Region    []float64
	Bits      int
	Camera    pixels.Camera // of region and bits
}

// Declare declares the parameters image_transport, region and bits. unset says what stands in for a
// region or for bits that are not set.
func Declare(d *ros.Settings, unset string) (s Settings) {
	s.Transport = Transport(ros.ChoiceSetting(d, "image_transport", string(Auto), Help, string(Auto),
		string(Raw), string(Compressed)))
	s.Region = ros.Setting(d, "region", []float64{}, "part of the images that matters: x, y, "+
		"width and height, as shares of theirs; empty "+unset)
	s.Bits = int(ros.Setting(d, "bits", int64(0),
		"bits that a sample of 16 uses, such as 12; 0 "+unset, 0, 16))
	if d.Err == nil {
		s.Camera, d.Err = pixels.CameraOf(s.Region, s.Bits)
	}
	return s
}

// ParseTransport reads the name of one.
func ParseTransport(s string) (Transport, error) {
	switch t := Transport(s); t {
	case Auto, Raw, Compressed:
		return t, nil
	}
	return "", fmt.Errorf("image_transport %q: choose %s, %s or %s", s, Auto, Raw, Compressed)
}

// View is what the camera's region shows, in small: by it rest is told from motion.
func View(m msgs.Message, c pixels.Camera) (pairing.View, error) {
	p, err := cvbridge.Part(m, c)
	if err != nil {
		return pairing.View{}, err
	}
	return pairing.ViewOf(p.Pix, p.Width, p.Height), nil
}

// RGB is the image of a message, as [Image.RGB] is.
func RGB(m msgs.Message, bits int) (pixels.RGB, error) { return cvbridge.RGB(m, bits) }

// View is that of the image.
func (i Image) View(c pixels.Camera) (pairing.View, error) { return View(i.message, c) }
