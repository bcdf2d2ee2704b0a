package interop

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/test/internal/process"
)

// image is a colour image whose bytes differ.
func img(width, height uint32) *msgs.Image {
	m := &msgs.Image{Header: msgs.Header{Stamp: msgs.Time{Sec: 7, Nanosec: 8}, FrameID: "camera"},
		Height: height, Width: width, Encoding: msgs.RGB8, Step: 3 * width}
	m.Data = make([]byte, 3*width*height)
	for i := range m.Data {
		m.Data[i] = byte(i * i >> 3)
	}
	return m
}

// told is the line by which a peer tells of an image that it decoded.
func told(m *msgs.Image) string {
	sum := 0
	for _, b := range m.Data {
		sum += int(b)
	}
	return fmt.Sprintf("image %dx%d %s %d %d", m.Width, m.Height, m.Encoding, len(m.Data), sum)
}

// converse sends strings and images to an echoing peer and takes them back. The peer decodes them
// on its own.
func converse(t *testing.T, n *ros.Node, p *peer, sent []*msgs.Image,
	comesBack func(*msgs.Image) bool,
) {
	t.Helper()
	chat := must(ros.Advertise[*msgs.String](n, "chat", ros.Default))
	camera := must(ros.Advertise[*msgs.Image](n, "image", ros.SensorData))
	words, images := make(chan string, 1000), make(chan *msgs.Image, 1000)
	back := must(ros.Subscribe(n, "chat_back", ros.Default, func(m *msgs.String, _ ros.Info) {
		words <- m.Data
	}))
	imagesBack := must(ros.Subscribe(n, "image_back", ros.SensorData, func(m *msgs.Image, _ ros.Info) {
		images <- m
	}))
	for _, err := range []error{
		chat.WaitForSubscribers(process.Soon(t), 1), camera.WaitForSubscribers(process.Soon(t), 1),
		back.WaitForPublishers(process.Soon(t), 1), imagesBack.WaitForPublishers(process.Soon(t), 1),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	// We have found the peer, but the peer may not have found our subscriptions yet: what it sends
	// before is lost.
	probe := img(2, 2)
	until(t, "the first string and image come back", func() bool {
		return len(words) > 0 &&
			len(images) > 0
	}, func() {
		must(0, chat.Publish(&msgs.String{Data: "?"}))
		must(0, camera.Publish(probe))
	})
	for _, s := range []string{"hello", "", "Grüße, 世界", "padding 1", "padding 22", "padding 333"} {
		must(0, chat.Publish(&msgs.String{Data: s}))
		p.Await("string " + s)
		got := process.Receive(t, "the string", words)
		for got == "?" {
			got = process.Receive(t, "the string", words)
		}
		if got != s {
			t.Errorf("%q came back as %q", s, got)
		}
	}
	for _, m := range sent {
		must(0, camera.Publish(m))
		p.Await(told(m))
		if !comesBack(m) {
			continue
		}
		got := process.Receive(t, "the image", images)
		for got.Width == probe.Width {
			got = process.Receive(t, "the image", images)
		}
		if diff := cmp.Diff(m, got); diff != "" {
			t.Errorf("an image of %dx%d came back as another one: %s", m.Width, m.Height, diff)
		}
	}
}

// keep publishes three strings of which two are kept, before the peer begins.
func keep(n *ros.Node) {
	latched := must(ros.Advertise[*msgs.String](n, "kept", ros.QoS{TransientLocal: true, Depth: 2}))
	for _, s := range []string{"one", "two", "three"} {
		must(0, latched.Publish(&msgs.String{Data: s}))
	}
}

func expectKept(p *peer) {
	p.Await("string two")
	p.Await("string three")
}

// wrongKinds subscribes to what the peer publishes under another type or with quality of service
// that it does not offer.
func wrongKinds(t *testing.T, n *ros.Node) {
	t.Helper()
	durable := must(ros.Subscribe(n, "image_back", ros.QoS{TransientLocal: true, Depth: 1},
		func(*msgs.Image, ros.Info) {}))
	right := must(ros.Subscribe(n, "image_back", ros.SensorData, func(*msgs.Image, ros.Info) {}))
	must(0, right.WaitForPublishers(process.Soon(t), 1))
	if count := durable.Publishers(); count != 0 {
		t.Errorf("a subscription that asks for kept images matches %d publishers that keep none", count)
	}
}

func TestFoxglove(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("node")
	if err == nil {
		_, err = os.Stat("foxglove/node_modules")
	}
	if err != nil {
		t.Skipf("not tested: @foxglove/rtps, which make setup-test fetches: %v", err)
	}
	domain := process.Domain(t)
	base := 7400 + 250*domain // RTPS 2.2, 9.6.1
	n := node(t, domain, "tester", fmt.Sprintf("127.0.0.1:%d", base))
	keep(n)
	args := []string{"foxglove/peer.mjs", fmt.Sprint(domain)}
	for i := range 4 {
		args = append(args, fmt.Sprint(base+10+2*i))
	}
	p := startPeer(t, exec.Command(program, args...))
	expectKept(p)
	// It sends what fits in one packet, so only a small image comes back.
	converse(t, n, p, []*msgs.Image{img(20, 15), img(64, 48), img(640, 480)},
		func(m *msgs.Image) bool { return m.Width == 20 })
	wrongKinds(t, n)
}

func fastDDSPeer(t *testing.T) string {
	t.Helper()
	process.Needs(t, "libfastrtps-dev")
	return process.Compile(t, "fastdds/peer.cpp", "-std=c++14", "-lfastrtps", "-lfastcdr")
}

func TestFastDDS(t *testing.T) {
	t.Parallel()
	domain := process.Domain(t)
	n := node(t, domain, "tester")
	keep(n)
	p := startPeer(t, exec.Command(fastDDSPeer(t), fmt.Sprint(domain)))
	expectKept(p)
	converse(t, n, p, []*msgs.Image{img(64, 48), img(640, 480)}, func(*msgs.Image) bool {
		return true
	})

	t.Run("what it keeps for those who come late", func(t *testing.T) {
		got := make(chan string, 16)
		late := must(ros.Subscribe(n, "chat_back", ros.QoS{TransientLocal: true, Depth: 10},
			func(m *msgs.String, _ ros.Info) { got <- m.Data }))
		defer late.Close()
		for _, want := range []string{"padding 1", "padding 22", "padding 333"} {
			if s := process.Receive(t, "what Fast DDS keeps", got); s != want {
				t.Errorf("%q was kept, want %q", s, want)
			}
		}
	})
	t.Run("a reader of the wrong kind finds nothing", func(t *testing.T) { wrongKinds(t, n) })
}

// TestCallsOfFastDDS has Fast DDS and this project call each other in the form of rmw_fastrtps. A
// client on CycloneDDS, in another process, calls the same server at the same time: neither may
// take what is for the other.
func TestCallsOfFastDDS(t *testing.T) {
	t.Parallel()
	domain := process.Domain(t)
	n := node(t, domain, "tester")
	must(0, ros.Serve(n, "ours", func(_ context.Context,
		req *msgs.MarkFailedRequest) *msgs.MarkFailedResponse {
		return &msgs.MarkFailedResponse{Success: true, Message: req.Note + req.Note}
	}))
	p := startPeer(t, exec.Command(fastDDSPeer(t), fmt.Sprint(domain)))
	beside := startRole(t, "caller", domain)
	sizes := []int{1, 2, 3, 4, 5, 6, 7, 8, 40_000, 9, 300_000, 1_000_000} // up to 16 fragments
	for _, size := range sizes {
		p.say(strings.Repeat("n", size))
		p.Await(fmt.Sprintf("reply of %d", 2*size))
	}

	theirs := must(ros.NewClient[*msgs.MarkFailedRequest, *msgs.MarkFailedResponse](n, "theirs"))
	for _, size := range sizes {
		note := strings.Repeat("t", size)
		res, err := theirs.Call(process.Soon(t), &msgs.MarkFailedRequest{Note: note})
		if err != nil || res.Message != note {
			t.Errorf("a call of %d bytes: %v, a message of %d", size, err, len(res.Message))
		}
	}
	if called := strings.Count(p.Out.String(), "called"); called != len(sizes) {
		t.Errorf("it was called %d times, %d by this test", called, len(sizes))
	}
	beside.Await("100 calls are right")
}
