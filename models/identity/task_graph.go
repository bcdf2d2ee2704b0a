package identity

import (
	"fmt"

	"stripswm/models/dataset"
	"stripswm/models/taskgraph"
)

// TaskGraph builds the labelled graph of the data by the code of each image (paper, section 5.1).
// labels[a-1] names action a. A refused attempt at an image without a code is left out.
func TaskGraph(d *dataset.Dataset, codes []Code, labels []string) (*taskgraph.Graph, error) {
	b := taskgraph.NewBuilder(labels)
	for i, t := range d.Transitions {
		if err := b.Observe(string(codes[t.Before]), t.Action, string(codes[t.After])); err != nil {
			return nil, fmt.Errorf("transition %d: %w", i, err)
		}
	}
	for i, t := range d.Refused {
		if codes[t.Before] == "" {
			continue
		}
		if err := b.Refuse(string(codes[t.Before]), t.Action); err != nil {
			return nil, fmt.Errorf("refused attempt %d: %w", i, err)
		}
	}
	return b.Graph(), nil
}
