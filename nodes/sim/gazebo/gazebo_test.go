package gazebo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestShow puts bodies in their places: it returns after an image has come that was taken
// since, and that shows something.
func TestShow(t *testing.T) {
	s := newStandIn(t, "body_00", "body_01")
	s.mu.Lock()
	s.blank = 20
	s.mu.Unlock()
	var last atomic.Int64
	w, err := Connect(soon(t), s.uri, blocksworld, func(p Image) {
		if p.Width != 2 || p.Height != 1 || len(p.RGB) != 6 || p.Blank() {
			t.Errorf("image %+v", p)
		}
		last.Store(int64(p.Time))
	})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for i := range 5 {
		before := last.Load()
		bodies := []Body{at("body_00", float64(i)), at("body_01", 1)} // one moves, one stays
		if err := w.Show(soon(t), bodies); err != nil {
			t.Fatal(err)
		}
		if last.Load() <= before {
			t.Error("no image since")
		}
	}
	if w.Err() != nil {
		t.Error(w.Err())
	}
}

func TestWhatDoesNotWork(t *testing.T) {
	ignore := func(Image) {}
	s := newStandIn(t, "body_00")
	short := func(d time.Duration) context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), d)
		t.Cleanup(cancel)
		return ctx
	}
	if _, err := Connect(short(100*time.Millisecond), s.uri, "moon", ignore); !errors.Is(err,
		context.DeadlineExceeded) || !strings.Contains(err.Error(), blocksworld) {
		t.Errorf("a world that does not run: %v", err)
	}
	if _, err := Connect(t.Context(), "http://127.0.0.1", blocksworld, ignore); err == nil ||
		!strings.Contains(err.Error(), "HOST:PORT") {
		t.Errorf("no port: %v", err)
	}
	w, err := Connect(soon(t), s.uri, blocksworld, ignore)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Show(short(200*time.Millisecond), []Body{at("body_07", 0)}); !errors.Is(err,
		ErrNoBody) || !strings.Contains(err.Error(), "body_07") {
		t.Errorf("a body that is not there: %v", err)
	}
	s.end()
	select {
	case <-w.Done():
	case <-soon(t).Done():
		t.Fatal("the end of gazebo was not noticed")
	}
	if err := w.Show(soon(t), []Body{at("body_00", 0)}); !errors.Is(err, ErrGone) ||
		!errors.Is(w.Err(), ErrGone) {
		t.Errorf("after the end: %v, %v", err, w.Err())
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Connect(soon(t), s.uri, blocksworld, ignore); !errors.Is(err, ErrGone) {
		t.Errorf("nobody there: %v", err)
	}
}

func TestMessages(t *testing.T) {
	var b bytes.Buffer
	for _, m := range []string{"", "x", strings.Repeat("y", 70000)} {
		if err := writeMessage(&b, []byte(m)); err != nil {
			t.Fatal(err)
		}
	}
	if head := b.String()[:17]; head != "0000000000000001x" {
		t.Errorf("on the wire %q", head)
	}
	r := bufio.NewReader(&b)
	for _, want := range []int{0, 1, 70000} {
		if m, err := readMessage(r); err != nil || len(m) != want {
			t.Errorf("%d bytes, want %d: %v", len(m), want, err)
		}
	}
	for _, bad := range []string{"0000000g", "ffffffff", "00000005abc", "0000"} {
		if m, err := readMessage(bufio.NewReader(strings.NewReader(bad))); err == nil {
			t.Errorf("%q gave %q", bad, m)
		}
	}
}

// FuzzMessages reads whatever may come from a master or a publisher.
func FuzzMessages(f *testing.F) {
	f.Add(packet{"version_init", appendBytes(nil, 1, []byte("gazebo 11.1.0"))}.marshal())
	f.Add(appendBytes(nil, 2, poseOf(at("body_00", 1))))
	f.Add(appendBytes(nil, 2, appendImage(nil, Image{Width: 2, Height: 1, RGB: make([]byte, 6)})))
	f.Add(endpoint{"/gazebo/x/y", "gazebo.msgs.Model", "127.0.0.1", 11345}.publish())
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := parsePacket(data); err == nil {
			parsePublish(p.data)
			parseSubscribe(p.data)
			parseStrings(p.data)
		}
		parsePoses(data)
		parseBody(data)
		var p Image
		if err := parsePixels(data, &p); err == nil && len(p.RGB) != 3*p.Width*p.Height {
			t.Errorf("%dx%d pixels with %d bytes", p.Width, p.Height, len(p.RGB))
		}
		if p, err := parseImage(data); err == nil && len(p.RGB) != 3*p.Width*p.Height {
			t.Errorf("an image of %dx%d pixels with %d bytes", p.Width, p.Height, len(p.RGB))
		}
	})
}

func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}
