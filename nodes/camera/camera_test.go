package camera_test

import (
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/camera"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

// A room has a camera that publishes raw images, compressed ones, or both, and somebody who
// listens.
type room struct {
	t          *testing.T
	bus        *rostest.Bus
	driver     *ros.Node
	raw        *ros.Publisher[*msgs.Image]
	compressed *ros.Publisher[*msgs.CompressedImage]
	camera     *camera.Camera
	seen       chan camera.Image
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func newRoom(t *testing.T) *room {
	bus := rostest.NewBus()
	r := &room{t: t, bus: bus, seen: make(chan camera.Image, 1000)}
	r.driver = r.node("driver")
	return r
}

func (r *room) node(name string, args ...string) *ros.Node {
	n := must(ros.NewNode(r.bus.Join(), name, must(ros.ParseArgs(args)),
		ros.Options{Log: &rostest.Log{}}))
	r.t.Cleanup(func() { n.Close() })
	return n
}

func (r *room) offerRaw(topic string) {
	r.raw = must(ros.Advertise[*msgs.Image](r.driver, topic, ros.SensorData))
}
func (r *room) offerCompressed(topic string) {
	r.compressed = must(ros.Advertise[*msgs.CompressedImage](r.driver, topic, ros.SensorData))
}

func (r *room) listen(transport camera.Transport, args ...string) {
	r.camera = must(camera.Open(r.node("listener", args...), "camera/image_raw", transport, 5,
		func(i camera.Image) { r.seen <- i }))
}

// shows publishes whatever is offered until an image arrives on the topic.
func (r *room) shows(topic string) {
	r.t.Helper()
	m := image.NewGray(image.Rect(0, 0, 8, 8))
	patience := time.After(10 * time.Second)
	for {
		h := msgs.Header{Stamp: msgs.TimeFrom(time.Now())}
		if r.raw != nil {
			must(0, r.raw.Publish(msgs.NewImage(h, m)))
		}
		if r.compressed != nil {
			must(0, r.compressed.Publish(must(msgs.NewJPEG(h, m, 90))))
		}
		select {
		case i := <-r.seen:
			if p, err := i.RGB(0); err != nil || p.Width != 8 {
				r.t.Fatalf("%v, %v", p.Width, err)
			}
			if i.Topic == topic {
				return
			}
		case <-time.After(10 * time.Millisecond):
		case <-patience:
			r.t.Fatalf("nothing on %s", topic)
		}
	}
}

// only says that nothing arrives on another topic for a while.
func (r *room) only(topic string) {
	r.t.Helper()
	for range 20 {
		r.shows(topic)
		for len(r.seen) > 0 {
			if i := <-r.seen; i.Topic != topic {
				r.t.Fatalf("an image on %s beside those on %s", i.Topic, topic)
			}
		}
	}
}

const raw, compressed = "/camera/image_raw", "/camera/image_raw/compressed"

func TestAutoTakesWhatThereIs(t *testing.T) {
	r := newRoom(t)
	r.offerCompressed(compressed)
	r.listen(camera.Auto)
	r.only(compressed)
	if r.camera.Topic() != compressed || r.camera.Absent() != "" {
		t.Errorf("on %s, %s", r.camera.Topic(), r.camera.Absent())
	}
}

// rawOfBoth is a room with both transports, and a camera that took raw.
func rawOfBoth(t *testing.T) *room {
	r := newRoom(t)
	r.offerCompressed(compressed)
	r.offerRaw(raw)
	r.listen(camera.Auto)
	r.only(raw)
	return r
}

func TestAutoTakesRawOfBoth(t *testing.T) {
	r := rawOfBoth(t)
	for r.compressed.Subscribers() > 0 { // what nobody wants is not to be compressed
		time.Sleep(10 * time.Millisecond)
	}
}

// TestAutoFollows has a camera that is started again, each time with the other transport.
func TestAutoFollows(t *testing.T) {
	r := newRoom(t)
	r.listen(camera.Auto)
	if !strings.Contains(r.camera.Absent(), raw+" or "+compressed) {
		t.Errorf("absent: %q", r.camera.Absent())
	}
	for range 2 {
		r.offerRaw(raw)
		r.only(raw)
		must(0, r.raw.Close())
		r.raw = nil
		r.offerCompressed(compressed)
		r.only(compressed)
		must(0, r.compressed.Close())
		r.compressed = nil
	}
	if _, ever := r.camera.Since(); ever.Read < 80 || ever.Unreadable > 0 {
		t.Errorf("%+v", ever)
	}
}

// TestClosedCameraStaysClosed: it must not go on following who publishes, as the planner opens
// another after cleanup.
func TestClosedCameraStaysClosed(t *testing.T) {
	r := rawOfBoth(t)
	must(0, r.camera.Close())
	must(0, r.camera.Close())
	for range 50 {
		if n := r.raw.Subscribers() + r.compressed.Subscribers(); n > 0 {
			t.Fatalf("%d subscriptions of a camera that was closed", n)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestTopicsAreRemapped(t *testing.T) {
	for args, want := range map[string]string{
		"-r camera/image_raw:=/left":                                       "/left/compressed",
		"-r camera/image_raw/compressed:=/jpeg":                            "/jpeg",
		"-r camera/image_raw:=/left -r camera/image_raw/compressed:=/jpeg": "/jpeg",
		"-r __ns:=/rig": "/rig/camera/image_raw/compressed",
	} {
		t.Run(args, func(t *testing.T) {
			r := newRoom(t)
			r.offerCompressed(want)
			r.listen(camera.Auto, append([]string{"--ros-args"}, strings.Fields(args)...)...)
			r.shows(want)
		})
	}
}

func TestOneTransportOnly(t *testing.T) {
	r := newRoom(t)
	r.offerRaw(raw)
	r.listen(camera.Compressed)
	if want := "nobody publishes " + compressed; !strings.HasPrefix(r.camera.Absent(), want) ||
		r.camera.Topic() != compressed {
		t.Errorf("%q, want %q", r.camera.Absent(), want)
	}
	r.offerCompressed(compressed)
	r.only(compressed)
}

func TestUnreadableImagesAreCounted(t *testing.T) {
	r := newRoom(t)
	r.offerRaw(raw)
	r.listen(camera.Auto)
	must(0, r.raw.Publish(&msgs.Image{Width: 1, Height: 1, Step: 4, Encoding: "32FC1",
		Data: make([]byte, 4)}))
	r.shows(raw)
	now, ever := r.camera.Since()
	if now.Unreadable != 1 || now.Read == 0 || ever != now ||
		!strings.Contains(fmt.Sprint(now.Err), raw+": unusable image: encoding \"32FC1\"") {
		t.Errorf("%+v", now)
	}
	if now, ever := r.camera.Since(); now != (camera.Capture{}) || ever.Unreadable != 1 {
		t.Errorf("again %+v, %+v", now, ever)
	}
	if _, err := camera.ParseTransport("theora"); err == nil {
		t.Error("theora was taken")
	}
}

func Example() {
	bus := rostest.NewBus()
	n := must(ros.NewNode(bus.Join(), "listener", ros.Args{}, ros.Options{}))
	defer n.Close()
	seen := make(chan string)
	c := must(camera.Open(n, "camera/image_raw", camera.Auto, 5, func(i camera.Image) {
		p, err := i.RGB(0)
		seen <- fmt.Sprint(i.Topic, " ", p.Width, "x", p.Height, " ", err)
	}))
	defer c.Close()
	driver := must(ros.Advertise[*msgs.Image](n, "camera/image_raw", ros.SensorData))
	must(0, driver.Publish(msgs.NewImage(msgs.Header{}, image.NewGray(image.Rect(0, 0, 8, 6)))))
	fmt.Println(<-seen)
	// Output: /camera/image_raw 8x6 <nil>
}
