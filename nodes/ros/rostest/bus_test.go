package rostest_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

func join(t *testing.T, b *rostest.Bus, name string) (ros.Transport, ros.Endpoints) {
	t.Helper()
	tr := b.Join()
	n, err := tr.AddNode(ros.NodeName{Namespace: "/", Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return tr, n
}

func TestLateReadersGetWhatIsKept(t *testing.T) {
	_, n := join(t, rostest.NewBus(), "n")
	w, err := n.NewWriter("/x", "T", ros.QoS{TransientLocal: true, Depth: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range byte(4) {
		if err := w.Write([]byte{i}); err != nil {
			t.Fatal(err)
		}
	}
	var late, volatile []byte
	n.NewReader("/x", "T", ros.Latched, func(s ros.Sample) { late = append(late, s.Payload...) }, nil)
	n.NewReader("/x", "T", ros.Default, func(s ros.Sample) {
		volatile = append(volatile, s.Payload...)
	}, nil)
	if !slices.Equal(late, []byte{2, 3}) || len(volatile) != 0 {
		t.Errorf("the late reader got %v, the volatile one %v", late, volatile)
	}
	if w.Matched() != 2 {
		t.Errorf("%d readers matched, want 2", w.Matched())
	}
}

func TestNamesTypesAndDomainsAreSeparate(t *testing.T) {
	bus := rostest.NewBus()
	_, n := join(t, bus, "n")
	_, other := join(t, rostest.NewBus(), "n")
	w, err := n.NewWriter("/x", "T", ros.Default, nil)
	if err != nil {
		t.Fatal(err)
	}
	fail := func(ros.Sample) {
		t.Error("a message on the wrong topic, of the wrong type or in the wrong domain")
	}
	n.NewReader("/y", "T", ros.Default, fail, nil)
	n.NewReader("/x", "U", ros.Default, fail, nil)
	other.NewReader("/x", "T", ros.Default, fail, nil)
	if err := w.Write([]byte{1}); err != nil || w.Matched() != 0 {
		t.Errorf("%v, %d matched", err, w.Matched())
	}
}

func TestNodesLeave(t *testing.T) {
	bus := rostest.NewBus()
	a, _ := join(t, bus, "a")
	_, b := join(t, bus, "b")
	w, err := b.NewWriter("/x", "T", ros.Default, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Nodes(); len(got) != 2 {
		t.Errorf("nodes %v", got)
	}
	b.Close()
	if got := a.Nodes(); len(got) != 1 || got[0].Name != "a" {
		t.Errorf("nodes %v", got)
	}
	if err := w.Write(nil); !errors.Is(err, ros.ErrClosed) {
		t.Errorf("a writer of a closed node: %v", err)
	}
	a.Close()
	if _, err := a.AddNode(ros.NodeName{Namespace: "/", Name: "c"}); !errors.Is(err, ros.ErrClosed) {
		t.Errorf("a closed transport: %v", err)
	}
}

func ExampleLog() {
	var log rostest.Log
	fmt.Fprintln(&log, "ready")
	fmt.Println(log.Has("ready"), log.Has("done"))
	// Output: true false
}
