package learn

import (
	"fmt"
	"slices"

	"stripswm/internal/spread"
	"stripswm/models/bundle"
	"stripswm/models/inference"
	"stripswm/models/strips"
	"stripswm/nodes/learn/diagnostics"
)

// evaluate says where what was learned cannot be right. An interrupted or failed run is
// evaluated by what it has.
func (r *run) evaluate() error {
	if r.result.Recording == nil || r.result.Graph == nil || r.result.Nodes == nil {
		return nil
	}
	seen := diagnostics.Learned{Data: r.result.Recording.Data, Nodes: r.result.Nodes,
		Graph: r.result.Graph}
	if r.result.World != nil {
		seen.Named = r.result.World.Chosen.InverseAccuracy()
		seen.Unsettled = r.Preset.WorldModel.Settled > 0 && !r.result.World.Settled
	}
	if r.result.Classifier != nil {
		var err error
		if seen.Read, err = r.read(); err != nil {
			return fmt.Errorf("read the recording's images: %w", err)
		}
	}
	r.result.Diagnostics, r.result.NextNew = diagnostics.Of(seen), diagnostics.NextNew(seen)
	return nil
}

// read has the classifier tell the nodes of some images of each node, -1 for none.
func (r *run) read() (map[int]strips.StateID, error) {
	network, err := inference.Open(r.parts[bundle.Classifier], r.inference())
	if err != nil {
		return nil, err
	}
	defer network.Close()
	_, nodes := r.result.Operators.Model.Nodes()
	read := map[int]strips.StateID{}
	for _, images := range sample(r.result.Nodes, r.result.Graph.NumStates()) {
		for _, image := range images {
			probabilities, err := network.Run(r.result.Recording.Data.Image(image))
			if err != nil {
				return nil, err
			}
			shows := nodes[strips.Likelier(probabilities)]
			switch is := r.result.Nodes[image]; {
			case len(shows) == 0:
				read[image] = -1
			case slices.Contains(shows, is): // several nodes may share a code
				read[image] = is
			default:
				read[image] = shows[0]
			}
		}
	}
	return read, nil
}

// sample takes a few images of each node, evenly over the recording.
func sample(nodes []strips.StateID, states int) [][]int {
	const most = 32
	images := make([][]int, states)
	for image, node := range nodes {
		if node >= 0 {
			images[node] = append(images[node], image)
		}
	}
	for node, all := range images {
		images[node] = spread.Evenly(all, most)
	}
	return images
}
