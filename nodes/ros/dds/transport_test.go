package dds

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
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
func shout(n ros.Endpoints) (ros.Writer, ros.Reader, chan ros.Sample) {
	back := make(chan ros.Sample, 16)
	r := must(n.NewReader("/pong", "sensor_msgs/msg/Image", ros.Default, func(s ros.Sample) {
		back <- s
	}, nil))
	w := must(n.NewWriter("/ping", "sensor_msgs/msg/Image", ros.Default, nil))
	return w, r, back
}

func TestConform(t *testing.T) {
	rostest.Conform(t, func(t *testing.T) ros.Transport {
		return must(Open(loopback(testDomain), nil))
	})
}

func TestPayloadsComeBackFromAnotherProcess(t *testing.T) {
	start(t, "echo", testDomain)
	_, n := join(t, testDomain)
	w, r, back := shout(n)
	eventually(t, "the echo is found", func() bool { return w.Matched() == 1 && r.Matched() == 1 })

	number := uint64(0)
	for _, size := range []int{4, 8, 12, 1000, 64_000, 65_536, 640*480*3 + 64, 4_000_000} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			sent := payloadOf(size)
			must(0, w.Write(sent))
			got := rostest.Receive(t, "the echo", back)
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

func TestDomainsDoNotHearEachOther(t *testing.T) {
	_, a := join(t, testDomain)
	_, b := join(t, testDomain+30)
	w := must(a.NewWriter("/x", "std_msgs/msg/String", ros.Default, nil))
	hear := func(n ros.Endpoints) (ros.Reader, chan ros.Sample) {
		c := make(chan ros.Sample, 1)
		r := must(n.NewReader("/x", "std_msgs/msg/String", ros.Default, func(s ros.Sample) { c <- s },
			nil))
		return r, c
	}
	near, nearSamples := hear(a)
	far, farSamples := hear(b)
	eventually(t, "the reader in the same domain is found", func() bool { return near.Matched() == 1 })
	must(0, w.Write(payloadOf(8)))
	rostest.Receive(t, "in the same domain", nearSamples)
	if far.Matched() != 0 || len(farSamples) != 0 {
		t.Errorf("the other domain found %d writers and heard %d messages", far.Matched(),
			len(farSamples))
	}
}

func TestManyCallsAtOnceAreAllAnswered(t *testing.T) {
	start(t, "server", testDomain)
	_, n := join(t, testDomain)
	const calls = 1000
	replies := make(chan ros.Reply, calls)
	c := must(n.NewCaller("/double", "std_srvs/srv/Trigger", func(r ros.Reply) { replies <- r }))
	eventually(t, "the server is found", c.Ready)
	for range calls {
		must(c.Send(payloadOf(1000)))
	}
	eventually(t, "every call is answered", func() bool { return len(replies) == calls })
}

func TestGraphSpeaksAsHumbleWithHumble(t *testing.T) {
	open := func(distro string) *Transport {
		c := loopback(testDomain)
		c.Distro = distro
		tr := must(Open(c, nil))
		t.Cleanup(func() { tr.Close() })
		must(tr.AddNode(ros.NodeName{Namespace: "/", Name: "n" + distro}))
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
