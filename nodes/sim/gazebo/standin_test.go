package gazebo

import (
	"bufio"
	"math"
	"net"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// standIn speaks for a Gazebo with one world, as observed: it has a master, publishes
// poses and images, and moves the bodies that it has.
type standIn struct {
	t      *testing.T
	master net.Listener
	data   net.Listener // of its publishers
	uri    string
	bodies map[string]bool
	blank  int // so many images are taken before there is a scene

	mu       sync.Mutex
	conns    []net.Conn
	wanted   map[string][]net.Conn // who has subscribed, by topic
	time     time.Duration
	modified chan Body
}

const blocksworld = "blocksworld"

func newStandIn(t *testing.T, bodies ...string) *standIn {
	t.Helper()
	s := &standIn{t: t, bodies: map[string]bool{}, wanted: map[string][]net.Conn{},
		modified: make(chan Body, 100)}
	for _, b := range bodies {
		s.bodies[b] = true
	}
	s.master, s.data = listen(t), listen(t)
	s.uri = "http://" + s.master.Addr().String()
	go s.serve(s.master, s.client)
	go s.serve(s.data, s.subscriber)
	go s.move()
	t.Cleanup(s.end)
	return s
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// end is what a kill does.
func (s *standIn) end() {
	s.master.Close()
	s.data.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		c.Close()
	}
}

func (s *standIn) serve(l net.Listener, each func(net.Conn)) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.conns = append(s.conns, c)
		s.mu.Unlock()
		go each(c)
	}
}

// client is one of the master's.
func (s *standIn) client(c net.Conn) {
	text := func(words ...string) (b []byte) {
		for _, w := range words {
			b = appendText(b, 1, w)
		}
		return b
	}
	say := func(kind string, data []byte) { writeMessage(c, packet{kind, data}.marshal()) }
	say("version_init", text("gazebo 11.1.0"))
	say("topic_namepaces_init", nil) // still loading
	say("publishers_init", nil)
	say("topic_namespace_add", text(blocksworld))
	port := s.data.Addr().(*net.TCPAddr).Port
	for r := bufio.NewReader(c); ; {
		data, err := readMessage(r)
		if err != nil {
			return
		}
		p, err := parsePacket(data)
		if err != nil {
			s.t.Error(err)
			return
		}
		switch p.kind {
		case "subscribe":
			e, _ := parseSubscribe(p.data)
			say("publisher_subscribe", endpoint{e.topic, e.kind, "127.0.0.1", port}.publish())
		case "advertise":
			e, _ := parsePublish(p.data)
			go s.take(e)
		}
	}
}

// subscriber wants what the stand-in publishes.
func (s *standIn) subscriber(c net.Conn) {
	data, err := readMessage(bufio.NewReader(c))
	if err != nil {
		return
	}
	p, _ := parsePacket(data)
	e, _ := parseSubscribe(p.data)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted[e.topic] = append(s.wanted[e.topic], c)
}

// take subscribes to what a client publishes.
func (s *standIn) take(e endpoint) {
	c, err := net.Dial("tcp", e.address())
	if err != nil {
		return
	}
	s.mu.Lock()
	s.conns = append(s.conns, c)
	s.mu.Unlock()
	writeMessage(c, packet{"sub", e.subscribe()}.marshal())
	for r := bufio.NewReader(c); ; {
		data, err := readMessage(r)
		if err != nil {
			return
		}
		b, err := parseModel(data)
		if err != nil {
			s.t.Error(err)
		}
		s.modified <- b
	}
}

// parseModel reads what marshalModel writes.
func parseModel(data []byte) (b Body, err error) {
	name := ""
	err = scan(data, wanted{1: &name, 4: func(pose []byte) (err error) {
		b, err = parseBody(pose)
		return err
	}})
	b.Name = name
	return b, err
}

// move goes on with the world, an image every 4 ms.
func (s *standIn) move() {
	for range time.Tick(4 * time.Millisecond) {
		s.mu.Lock()
		s.time += 33 * time.Millisecond
		at := appendVarint(appendVarint(nil, 1, uint64(s.time/time.Second)), 2,
			uint64(s.time%time.Second))
		poses := appendBytes(nil, 1, at)
		moved := false
		for len(s.modified) > 0 {
			b := <-s.modified
			if s.bodies[b.Name] {
				poses, moved = appendBytes(poses, 2, poseOf(b)), true
			}
		}
		if moved {
			s.publish("pose/local/info", poses)
		}
		img := make([]byte, 6)
		if s.blank--; s.blank < 0 {
			img[0] = 255
		}
		s.publish("camera/link/camera/image", appendBytes(appendBytes(nil, 1, at), 2,
			appendImage(nil, Image{Width: 2, Height: 1, RGB: img})))
		s.mu.Unlock()
	}
}

func (s *standIn) publish(topic string, data []byte) {
	for _, c := range s.wanted["/gazebo/"+blocksworld+"/"+topic] {
		writeMessage(c, data)
	}
}

// appendBody writes what parseBody reads.
func appendBody(b []byte, body Body) []byte {
	return appendPose(appendText(b, 1, body.Name), body)
}

// appendImage writes an image in rgb8, without its time.
func appendImage(b []byte, p Image) []byte {
	for i, v := range []int{p.Width, p.Height, rgb8, 3 * p.Width} {
		b = appendVarint(b, protowire.Number(1+i), uint64(v))
	}
	return appendBytes(b, 5, p.RGB)
}

// poseOf is how a world says it: with an id, and with the other quaternion of the same rotation.
func poseOf(b Body) []byte {
	for i := range b.Orientation {
		b.Orientation[i] = -b.Orientation[i]
	}
	return appendVarint(appendBody(nil, b), 2, 7)
}

func at(name string, x float64) Body {
	half := math.Sqrt(0.5)
	return Body{Name: name, Position: [3]float64{x, 0.2, 0.3}, Orientation: [4]float64{
		0, 0, half, half}}
}
