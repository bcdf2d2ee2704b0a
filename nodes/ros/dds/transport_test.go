package dds

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"stripswm/nodes/ros"
)

// payloadOf makes a payload of n bytes, the encapsulation header included.
func payloadOf(n int) []byte {
	p := make([]byte, n)
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	for i := range p {
		p[i] = byte(rng.Uint32())
	}
	copy(p, []byte{0, 1, 0, 0})
	return p
}

// shout is a node's side of what the process echo is the other of.
func shout(t *testing.T, n ros.Endpoints) (ros.Writer, ros.Reader, chan ros.Sample) {
	t.Helper()
	back := make(chan ros.Sample, 16)
	r, err := n.NewReader("/pong", "sensor_msgs/msg/Image", ros.Default, func(s ros.Sample) {
		back <- s
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := n.NewWriter("/ping", "sensor_msgs/msg/Image", ros.Default, nil)
	if err != nil {
		t.Fatal(err)
	}
	return w, r, back
}

func TestPayloadsComeBackFromAnotherProcess(t *testing.T) {
	start(t, "echo", testDomain)
	_, n := join(t, testDomain)
	w, r, back := shout(t, n)
	eventually(t, "the echo is found", func() bool { return w.Matched() == 1 && r.Matched() == 1 })

	number := uint64(0)
	for _, size := range []int{4, 8, 12, 1000, 64_000, 65_536, 640*480*3 + 64, 4_000_000} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			sent := payloadOf(size)
			if err := w.Write(sent); err != nil {
				t.Fatal(err)
			}
			got := receive(t, "the echo", back)
			if !bytes.Equal(got.Payload, sent) {
				t.Fatalf("%d bytes came back as %d other ones", len(sent), len(got.Payload))
			}
			if number++; got.Number != number {
				t.Errorf("it is number %d, want %d", got.Number, number)
			}
			if got.Sent.IsZero() || got.Received.Before(got.Sent) {
				t.Errorf("sent %v, received %v", got.Sent, got.Received)
			}
		})
	}
}

func TestANodeHearsItself(t *testing.T) {
	_, n := join(t, testDomain)
	heard := make(chan ros.Sample, 16)
	r, err := n.NewReader("/mine", "std_msgs/msg/String", ros.Default, func(s ros.Sample) {
		heard <- s
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := n.NewWriter("/mine", "std_msgs/msg/String", ros.Default, nil)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "its own writer is found", func() bool {
		return w.Matched() == 1 &&
			r.Matched() == 1
	})
	if err := w.Write(payloadOf(12)); err != nil {
		t.Fatal(err)
	}
	if got := receive(t, "its own message", heard); !bytes.Equal(got.Payload, payloadOf(12)) {
		t.Errorf("heard %v", got.Payload)
	}
}

func TestLateReaderGetsWhatTheWriterKeeps(t *testing.T) {
	start(t, "publisher", testDomain)
	_, n := join(t, testDomain)
	got := make(chan ros.Sample, 16)
	if _, err := n.NewReader("/count", "std_msgs/msg/String", ros.QoS{TransientLocal: true, Depth: 10},
		func(s ros.Sample) { got <- s }, nil); err != nil {
		t.Fatal(err)
	}
	var counts []byte
	for range 3 {
		counts = append(counts, receive(t, "a kept message", got).Payload[encapsulation])
	}
	if want := []byte{7, 8, 9}; !slices.Equal(counts, want) {
		t.Errorf("a late reader got %v, want the last %v", counts, want)
	}
}

func TestMismatchIsReportedToBothSides(t *testing.T) {
	_, n := join(t, testDomain)
	reports := make(chan string, 8)
	if _, err := n.NewWriter("/m", "std_msgs/msg/String", ros.SensorData, func(m ros.Mismatch) {
		reports <- "writer " + m.Policy
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := n.NewReader("/m", "std_msgs/msg/String", ros.Default, nil, func(m ros.Mismatch) {
		reports <- "reader " + m.Policy
	}); err != nil {
		t.Fatal(err)
	}
	got := []string{receive(t, "a report", reports), receive(t, "a report", reports)}
	slices.Sort(got)
	if want := []string{"reader reliability", "writer reliability"}; !slices.Equal(got, want) {
		t.Errorf("reports %q, want %q", got, want)
	}
}

func TestDomainsDoNotHearEachOther(t *testing.T) {
	_, a := join(t, testDomain)
	_, b := join(t, testDomain+30)
	w, err := a.NewWriter("/x", "std_msgs/msg/String", ros.Default, nil)
	if err != nil {
		t.Fatal(err)
	}
	hear := func(n ros.Endpoints) (ros.Reader, chan ros.Sample) {
		c := make(chan ros.Sample, 1)
		r, err := n.NewReader("/x", "std_msgs/msg/String", ros.Default, func(s ros.Sample) { c <- s },
			nil)
		if err != nil {
			t.Fatal(err)
		}
		return r, c
	}
	near, nearSamples := hear(a)
	far, farSamples := hear(b)
	eventually(t, "the reader in the same domain is found", func() bool { return near.Matched() == 1 })
	if err := w.Write(payloadOf(8)); err != nil {
		t.Fatal(err)
	}
	receive(t, "in the same domain", nearSamples)
	if far.Matched() != 0 || len(farSamples) != 0 {
		t.Errorf("the other domain found %d writers and heard %d messages", far.Matched(),
			len(farSamples))
	}
}

func TestServiceOfAnotherProcess(t *testing.T) {
	start(t, "server", testDomain)
	_, n := join(t, testDomain)
	replies := make(chan ros.Reply, 4)
	c, err := n.NewCaller("/double", "std_srvs/srv/Trigger", func(r ros.Reply) { replies <- r })
	if err != nil {
		t.Fatal(err)
	}
	other, err := n.NewCaller("/double", "std_srvs/srv/Trigger", func(r ros.Reply) {
		t.Errorf("a reply for another client: %v", r)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	eventually(t, "the server is found", c.Ready)
	for i := range 3 {
		sequence, err := c.Send([]byte{0, 1, 0, 0, byte(i), 2, 3, 4})
		if err != nil {
			t.Fatal(err)
		}
		got := receive(t, "a reply", replies)
		if want := []byte{0, 1, 0, 0, byte(i), 2, 3, 4, byte(i), 2, 3, 4}; got.Sequence != sequence ||
			!bytes.Equal(got.Payload, want) {
			t.Errorf("reply %d: %v, want %v to request %d", i, got, want, sequence)
		}
	}
}

func TestManyCallsAtOnceAreAllAnswered(t *testing.T) {
	start(t, "server", testDomain)
	_, n := join(t, testDomain)
	const calls = 1000
	replies := make(chan ros.Reply, calls)
	c, err := n.NewCaller("/double", "std_srvs/srv/Trigger", func(r ros.Reply) { replies <- r })
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the server is found", c.Ready)
	for range calls {
		if _, err := c.Send(payloadOf(1000)); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "every call is answered", func() bool { return len(replies) == calls })
}

func TestGraphShowsNodesUntilTheyLeave(t *testing.T) {
	start(t, "echo", testDomain)
	tr, _ := join(t, testDomain)
	see := func(want ...string) func() bool {
		return func() bool {
			var names []string
			for _, n := range tr.Nodes() {
				names = append(names, n.String())
			}
			return slices.Equal(names, want)
		}
	}
	eventually(t, "both nodes are seen", see("/echo", "/tester"))
	second, err := tr.AddNode(ros.NodeName{Namespace: "/rig", Name: "second"})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the second node is seen", see("/echo", "/rig/second", "/tester"))
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the second node has gone", see("/echo", "/tester"))
}

func TestGraphSpeaksAsHumbleWithHumble(t *testing.T) {
	open := func(distro string) *Transport {
		c := loopback(testDomain)
		c.Distro = distro
		tr, err := Open(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { tr.Close() })
		if _, err := tr.AddNode(ros.NodeName{Namespace: "/", Name: "n" + distro}); err != nil {
			t.Fatal(err)
		}
		return tr
	}
	size := func(tr *Transport) int {
		tr.graph.mu.Lock()
		defer tr.graph.mu.Unlock()
		return tr.graph.gidSize
	}
	unset, other := open(""), open("")
	eventually(t, "both are seen", func() bool {
		return len(unset.Nodes()) == 2 &&
			len(other.Nodes()) == 2
	})
	if size(unset) != humbleGID {
		t.Errorf("gids of %d bytes where nobody says which", size(unset))
	}
	jazzy := open("jazzy")
	eventually(t, "new distributions alone", func() bool {
		return size(unset) == ironGID &&
			size(other) == ironGID
	})
	open("humble")
	eventually(t, "all are seen", func() bool {
		return len(unset.Nodes()) == 4 &&
			len(jazzy.Nodes()) == 4
	})
	if size(unset) != humbleGID || size(jazzy) != ironGID {
		t.Errorf("with Humble, gids of %d bytes where nothing is set and of %d in Jazzy", size(unset),
			size(jazzy))
	}
}

func TestClosedEndpointsSaySo(t *testing.T) {
	tr, n := join(t, testDomain)
	w, err := n.NewWriter("/x", "std_msgs/msg/String", ros.Default, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(payloadOf(8)); err == nil {
		t.Error("a closed writer writes")
	}
	if _, err := n.NewWriter("/x", "std_msgs/msg/String", ros.Default, nil); err == nil {
		t.Error("a closed node makes writers")
	}
	if _, err := tr.AddNode(ros.NodeName{Namespace: "/", Name: "late"}); err == nil {
		t.Error("a closed transport takes nodes")
	}
}
