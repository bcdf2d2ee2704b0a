package rostest_test

import (
	"testing"

	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

func join(b *rostest.Bus) ros.Endpoints {
	return must(b.Join().AddNode(ros.NodeName{Namespace: "/", Name: "n"}))
}

func TestConform(t *testing.T) {
	bus := rostest.NewBus()
	rostest.Conform(t, func(*testing.T) ros.Transport { return bus.Join() })
}

func TestNamesTypesAndDomainsAreSeparate(t *testing.T) {
	n, other := join(rostest.NewBus()), join(rostest.NewBus())
	w := must(n.NewWriter("/x", "T", ros.Default, nil))
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

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
