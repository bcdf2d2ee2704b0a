package rostest

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"stripswm/nodes/ros"
)

// patience is how long a test waits for one thing, which may take as long as discovery does on a
// busy machine.
const patience = 2 * time.Minute

// Eventually waits until the condition holds.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// Soon is a context that ends when a test has waited for too long.
func Soon(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// Receive waits for what comes by a channel.
func Receive[T any](t testing.TB, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("nothing came: %s", what)
		panic("unreachable")
	}
}

// Word is std_msgs/msg/String in CDR.
func Word(s string) []byte {
	b := append([]byte{0, 1, 0, 0, byte(len(s) + 1), 0, 0, 0}, s...)
	return append(b, make([]byte, 4-len(s)%4)...)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// ends are two transports in one domain, with a node each.
type ends struct {
	*testing.T
	a, b    ros.Transport
	out, in ros.Endpoints // of a and b
}

// Conform tests that transports do what ros.Transport says. Those that join makes in one test are
// in one domain, in which nobody else is.
func Conform(t *testing.T, join func(*testing.T) ros.Transport) {
	for name, test := range map[string]func(ends){
		"messages": ends.messages, "kept messages": ends.kept, "mismatch": ends.mismatch,
		"calls": ends.calls, "nodes": ends.nodes, "readers come and go": ends.comeAndGo,
	} {
		t.Run(name, func(t *testing.T) {
			a := join(t)
			b := join(t)
			t.Cleanup(func() { must(0, errors.Join(a.Close(), b.Close(), a.Close())) })
			test(ends{t, a, b, must(a.AddNode(ros.NodeName{Namespace: "/", Name: "a"})),
				must(b.AddNode(ros.NodeName{Namespace: "/rig", Name: "b"}))})
		})
	}
}

const text, trigger = "std_msgs/msg/String", "std_srvs/srv/Trigger"

// hear makes a reader and the channel of what comes.
func (e ends) hear(n ros.Endpoints, topic string, q ros.QoS) (ros.Reader, chan ros.Sample) {
	got := make(chan ros.Sample, 100)
	return must(n.NewReader(topic, text, q, func(s ros.Sample) { got <- s }, nil)), got
}

func (e ends) messages() {
	w := must(e.out.NewWriter("/word", text, ros.Default, nil))
	r, got := e.hear(e.in, "/word", ros.Default)
	own, echo := e.hear(e.out, "/word", ros.Default)
	other, none := e.hear(e.in, "/other", ros.Default)
	Eventually(e, "all find each other", func() bool {
		return w.Matched() == 2 && r.Matched() == 1 && own.Matched() == 1
	})
	for _, s := range []string{"first", "second", ""} {
		must(0, w.Write(Word(s)))
		for _, c := range []chan ros.Sample{got, echo} {
			if sample := Receive(e, s, c); !bytes.Equal(sample.Payload, Word(s)) ||
				sample.Sent.IsZero() || sample.Received.Before(sample.Sent) {
				e.Errorf("%q arrived as %+v", s, sample)
			}
		}
	}
	if other.Matched() != 0 || len(none) > 0 {
		e.Errorf("%d writers and %d messages on another topic", other.Matched(), len(none))
	}
}

func (e ends) kept() {
	w := must(e.out.NewWriter("/kept", text, ros.QoS{TransientLocal: true, Depth: 2}, nil))
	for _, s := range []string{"1", "2", "3"} {
		must(0, w.Write(Word(s)))
	}
	_, volatile := e.hear(e.in, "/kept", ros.Default)
	_, late := e.hear(e.in, "/kept", ros.QoS{TransientLocal: true, Depth: 10})
	for _, want := range []string{"2", "3"} {
		if s := Receive(e, "a kept message", late); !bytes.Equal(s.Payload, Word(want)) {
			e.Errorf("a late reader got %q, want %q", s.Payload, want)
		}
	}
	Eventually(e, "both are found", func() bool { return w.Matched() == 2 })
	if len(volatile) > 0 {
		e.Errorf("a volatile reader got %d kept messages", len(volatile))
	}
}

func (e ends) mismatch() {
	reports := make(chan string, 10)
	says := func(who string) func(ros.Mismatch) {
		return func(m ros.Mismatch) { reports <- who + " " + m.Policy }
	}
	must(e.out.NewWriter("/image", text, ros.SensorData, says("writer")))
	must(e.in.NewReader("/image", text, ros.Default, func(ros.Sample) {}, says("reader")))
	got := []string{Receive(e, "one side's", reports), Receive(e, "the other side's", reports)}
	slices.Sort(got)
	if want := []string{"reader reliability", "writer reliability"}; !slices.Equal(got, want) {
		e.Errorf("reports %q, want %q", got, want)
	}
}

func (e ends) calls() {
	replies, requests := make(chan ros.Reply, 10), make(chan ros.Request, 10)
	c := must(e.in.NewCaller("/reset", trigger, func(r ros.Reply) { replies <- r }))
	must(e.in.NewCaller("/reset", trigger, func(r ros.Reply) {
		e.Errorf("a reply for another client: %v", r)
	}))
	if c.Ready() {
		e.Error("ready without a server")
	}
	s := must(e.out.NewResponder("/reset", trigger, func(r ros.Request) { requests <- r }))
	Eventually(e, "the server is found", c.Ready)
	answer := append([]byte{0, 1, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0}, "done\x00"...)
	for range 3 {
		sequence := must(c.Send([]byte{0, 1, 0, 0, 0, 0, 0, 0}))
		must(0, s.Reply(Receive(e, "the request", requests).ID, answer))
		if r := Receive(e, "the reply", replies); r.Sequence != sequence ||
			!bytes.Equal(r.Payload, answer) {
			e.Errorf("the reply to request %d is %v", sequence, r)
		}
	}
	must(0, s.Close())
	Eventually(e, "the server has gone", func() bool { return !c.Ready() })
}

// nodes are seen until they leave; what has left says that it is closed.
func (e ends) nodes() {
	see := func(want ...string) {
		e.Helper()
		Eventually(e, "the nodes are seen", func() bool {
			var names []string
			for _, n := range e.a.Nodes() {
				names = append(names, n.String())
			}
			return slices.Equal(names, want)
		})
	}
	see("/a", "/rig/b")
	must(e.b.AddNode(ros.NodeName{Namespace: "/", Name: "c"}))
	see("/a", "/c", "/rig/b")
	w := must(e.in.NewWriter("/word", text, ros.Default, nil))
	must(0, e.in.Close())
	must(0, e.in.Close())
	see("/a", "/c")
	_, again := e.in.NewWriter("/word", text, ros.Default, nil)
	must(0, e.b.Close())
	_, late := e.b.AddNode(ros.NodeName{Namespace: "/", Name: "late"})
	see("/a")
	for what, err := range map[string]error{"a writer": w.Write(Word("")), "a node": again,
		"a transport": late} {
		if !errors.Is(err, ros.ErrClosed) {
			e.Errorf("%s that is closed: %v", what, err)
		}
	}
}

// comeAndGo has readers come and go while messages flow, and the end come meanwhile.
func (e ends) comeAndGo() {
	w := must(e.out.NewWriter("/word", text, ros.Default, nil))
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				must(0, w.Write(Word("again")))
			}
		}
	}()
	for range 30 {
		got := make(chan bool, 1)
		r := must(e.in.NewReader("/word", text, ros.QoS{Depth: 1}, func(ros.Sample) {
			select {
			case got <- true:
			default:
			}
		}, nil))
		Receive(e, "a message", got)
		must(0, r.Close())
	}
	must(e.in.NewReader("/word", text, ros.Default, func(ros.Sample) {}, nil))
	must(0, e.b.Close())
	close(stop)
	<-stopped
}
