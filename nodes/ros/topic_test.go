package ros_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

func TestMessagesComeInOrderWithTimes(t *testing.T) {
	noLeaks(t)
	w := newWorld(t)
	a, b := w.node("a"), w.node("b")
	got := make(chan string, 8)
	sub := must(ros.Subscribe(b, "chat", ros.Default, func(m *msgs.String, i ros.Info) {
		if i.Sent.IsZero() || i.Received.IsZero() || len(i.Payload) == 0 {
			t.Errorf("info %v", i)
		}
		got <- m.Data
	}))
	pub := must(ros.Advertise[*msgs.String](a, "/chat", ros.Default))
	must(0, pub.WaitForSubscribers(soon(t), 1))
	must(0, sub.WaitForPublishers(soon(t), 1))
	for _, s := range []string{"one", "two", "three"} {
		must(0, pub.Publish(&msgs.String{Data: s}))
	}
	for _, want := range []string{"one", "two", "three"} {
		if s := receive(t, got); s != want {
			t.Errorf("%q came, want %q", s, want)
		}
	}
	sub.Close()
	pub.Publish(&msgs.String{Data: "four"})
	pub.Close()
	if err := pub.Publish(&msgs.String{}); !errors.Is(err, ros.ErrClosed) {
		t.Errorf("a closed publisher: %v", err)
	}
}

func TestBusyHandlersMissTheOldest(t *testing.T) {
	noLeaks(t)
	w := newWorld(t)
	n := w.node("n")
	begun, goOn, got := make(chan bool, 8), make(chan bool), make(chan string, 8)
	q := ros.QoS{Depth: 2}
	sub := must(ros.Subscribe(n, "x", q, func(m *msgs.String, _ ros.Info) {
		begun <- true
		<-goOn
		got <- m.Data
	}))
	pub := must(ros.Advertise[*msgs.String](n, "x", q))
	pub.Publish(&msgs.String{Data: "0"})
	receive(t, begun)
	for _, s := range []string{"1", "2", "3", "4"} {
		pub.Publish(&msgs.String{Data: s})
	}
	close(goOn)
	for _, want := range []string{"0", "3", "4"} {
		if s := receive(t, got); s != want {
			t.Errorf("%q came, want %q", s, want)
		}
	}
	if sub.Dropped() != 2 {
		t.Errorf("%d dropped, want 2", sub.Dropped())
	}
}

func TestMalformedMessagesAreDroppedWithOneWarning(t *testing.T) {
	noLeaks(t)
	w := newWorld(t)
	n := w.node("n")
	got := make(chan *msgs.Image, 8)
	sub := must(ros.Subscribe(n, "image", ros.QoS{Depth: 100}, func(m *msgs.Image, _ ros.Info) {
		got <- m
	}))
	pub := must(ros.Advertise[*msgs.Image](n, "image", ros.QoS{Depth: 100}))

	whole := must(msgs.Marshal(&msgs.Image{Height: 2, Width: 2, Step: 6, Encoding: msgs.RGB8,
		Data: make([]byte, 12)}))
	wrongType := must(msgs.Marshal(&msgs.String{Data: "not an image"}))
	hugeLength := append([]byte{}, whole...)
	copy(hugeLength[len(hugeLength)-16:], []byte{0xff, 0xff, 0xff, 0xff})
	bad := [][]byte{nil, {0}, {0, 1, 0, 0}, whole[:len(whole)-5], wrongType, hugeLength,
		append([]byte{7, 7, 7, 7}, whole[4:]...)}
	for _, p := range bad {
		pub.PublishRaw(p)
	}
	pub.PublishRaw(whole)
	if m := receive(t, got); m.Width != 2 {
		t.Errorf("the whole image came as %v", m)
	}
	if sub.Malformed() != uint64(len(bad)) {
		t.Errorf("%d malformed, want %d", sub.Malformed(), len(bad))
	}
	if log := w.log.String(); strings.Count(log, "[WARN]") != 1 || !strings.Contains(log, "/image") {
		t.Errorf("want one warning that names the topic, got\n%s", log)
	}
}

func TestMismatchIsLogged(t *testing.T) {
	w := newWorld(t)
	n := w.node("n")
	must(ros.Advertise[*msgs.String](n, "x", ros.SensorData))
	must(ros.Subscribe(n, "x", ros.Default, func(*msgs.String, ros.Info) {}))
	eventually(t, "both sides warn", func() bool {
		log := w.log.String()
		return strings.Contains(log, "a subscription on /x") &&
			strings.Contains(log, "a publisher on /x") && strings.Contains(log, "policy=reliability")
	})
}

func TestBadNamesAndQoSAreErrors(t *testing.T) {
	w := newWorld(t)
	n := w.node("n")
	if _, err := ros.Advertise[*msgs.String](n, "a b", ros.Default); err == nil {
		t.Error("a topic with a space")
	}
	if _, err := ros.Advertise[*msgs.String](n, "x", ros.QoS{}); err == nil {
		t.Error("a depth of 0")
	}
	if _, err := ros.Subscribe(n, "x", ros.QoS{Depth: -1},
		func(*msgs.String, ros.Info) {}); err == nil {
		t.Error("a depth below 0")
	}
	if err := ros.Serve(n, "x", func(context.Context, *msgs.String) *msgs.String {
		return nil
	}); err == nil {
		t.Error("a service of messages that are no requests")
	}
	if _, err := ros.NewNode(w.bus.Join(), "bad name", ros.Args{}, ros.Options{}); err == nil {
		t.Error("a node name with a space")
	}
}

func TestServiceCalls(t *testing.T) {
	noLeaks(t)
	w := newWorld(t)
	server, client := w.node("server"), w.node("client")
	c := must(ros.NewClient[*msgs.SetBoolRequest, *msgs.SetBoolResponse](client, "/server/set"))

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := c.Call(ctx, &msgs.SetBoolRequest{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without a server: %v", err)
	}
	must(0, ros.Serve(server, "~/set",
		func(_ context.Context, r *msgs.SetBoolRequest) *msgs.SetBoolResponse {
			return &msgs.SetBoolResponse{Success: r.Data, Message: "heard"}
		}))
	for _, on := range []bool{true, false} {
		res, err := c.Call(soon(t), &msgs.SetBoolRequest{Data: on})
		if err != nil || res.Success != on || res.Message != "heard" {
			t.Errorf("%v: %v, %v", on, res, err)
		}
	}
	server.Close()
	done := make(chan error, 1)
	go func() {
		_, err := c.Call(context.Background(), &msgs.SetBoolRequest{})
		done <- err
	}()
	client.Close()
	if err := receive(t, done); !errors.Is(err, ros.ErrClosed) {
		t.Errorf("a call of a closed node: %v", err)
	}
}
