package diagnostics_test

import (
	"fmt"

	"stripswm/models/dataset"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/learn/diagnostics"
)

// Each of the two states of a recording with one transition was seen once.
func ExampleOf() {
	data := dataset.New(4, 1, 2)
	for i := range 2 {
		image := make([]uint8, 4*4*3)
		for k := range image {
			image[k] = uint8(100 * i)
		}
		data.AddImage(image)
	}
	data.AddTransition(dataset.Transition{Before: 0, Action: 1, After: 1})
	seen := taskgraph.NewBuilder([]string{"open"})
	seen.Observe("shut", 1, "ajar")
	nodes := []strips.StateID{0, 1}
	for _, d := range diagnostics.Of(diagnostics.Learned{Data: data, Nodes: nodes,
		Graph: seen.Graph()}) {
		if d.Kind == diagnostics.Rare {
			fmt.Println(d.Kind, "states:", len(d.Examples))
		}
	}
	// Output: rare states: 2
}
