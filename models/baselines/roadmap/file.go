package roadmap

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ErrFile is returned, wrapped, for a roadmap file that makes no sense.
var ErrFile = errors.New("bad roadmap file")

// Read reads a roadmap that was written as JSON.
func Read(in io.Reader) (*Roadmap, error) {
	d := json.NewDecoder(in)
	d.DisallowUnknownFields()
	var r Roadmap
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	if r.Dims < 1 || len(r.Nodes) == 0 {
		return nil, fmt.Errorf("%w: %d nodes of %d dimensions", ErrFile, len(r.Nodes), r.Dims)
	}
	for i, n := range r.Nodes {
		if len(n.Centre) != r.Dims {
			return nil, fmt.Errorf("%w: node %d has %d numbers, want %d", ErrFile, i, len(n.Centre), r.Dims)
		}
	}
	for i, e := range r.Edges {
		if min(e.From, e.To) < 0 || max(e.From, e.To) >= len(r.Nodes) || e.Action < 1 {
			return nil, fmt.Errorf("%w: edge %d is from node %d to %d by action %d: there are %d nodes",
				ErrFile, i, e.From, e.To, e.Action, len(r.Nodes))
		}
		if i > 0 && e.From < r.Edges[i-1].From {
			return nil, fmt.Errorf("%w: edge %d is out of order", ErrFile, i)
		}
	}
	return &r, nil
}
