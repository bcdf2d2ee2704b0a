package identity

import (
	"fmt"
	"strconv"
	"strings"

	"stripswm/models/dataset"
	"stripswm/models/taskgraph"
)

// A Code names what the encoder makes of an image: the quantised latent, one digit a dimension, "0"
// for the lowest level. Codes of a state that was split off have a number, as in "0213.1".
type Code string

// numbered is the code of the k-th state with the code.
func (c Code) numbered(k int) Code { return c + Code("."+strconv.Itoa(k)) }

// shown is the code as images have it, and the number; -1 where there is none.
func (c Code) shown() (Code, int) {
	before, after, _ := strings.Cut(string(c), ".")
	k, err := strconv.Atoi(after)
	if err != nil {
		return c, -1
	}
	return Code(before), k
}

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
