package learn

import (
	"context"
	"maps"
	"slices"

	"stripswm/models/dataset"
	"stripswm/models/identity"
	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Evidence is what a robot has done and seen, as an encoder codes it.
type Evidence struct {
	Data  *dataset.Dataset // what was done, in order; its images are not looked at
	Codes []identity.Code  // of its images
	Graph *taskgraph.Graph // of the codes as they are (identity.TaskGraph)
	// Splits are those known from before, such as a bundle's; others are found.
	Splits identity.Splits
}

// Repaired is a task graph without the faults that an encoder and a recording put in,
// as far as evidence shows them, and what was done about them, in this order.
type Repaired struct {
	Graph  *taskgraph.Graph
	Split  []identity.Code   // codes that cover several states: a node for each
	Pruned *taskgraph.Pruned // what misread images and wrong labels had left
	Merged *operators.Merged // nodes that are one state

	pruned *taskgraph.Graph // before merging
}

// Repairs counts what was repaired.
type Repairs struct {
	SplitCodes   int `json:"split_codes"`
	DroppedNodes int `json:"dropped_nodes"`
	DroppedEdges int `json:"dropped_edges"`
	MergedNodes  int `json:"merged_nodes"`
}

// Repair splits codes that cover several states (identity.Refine, identity.Split), drops
// what less than a share of the evidence is for (taskgraph.Graph.Prune) and merges nodes
// that are one state (operators.Merge).
func Repair(ctx context.Context, e Evidence, minSupport float64) (*Repaired, error) {
	r := &Repaired{Graph: e.Graph}
	codes := e.Codes
	if len(e.Splits) > 0 || identity.HasConflict(e.Graph) {
		codes = e.Splits.Refine(e.Data, e.Codes)
	}
	codes = identity.Split(e.Data, codes)
	if r.Split = changed(e.Codes, codes); len(r.Split) > 0 {
		var err error
		if r.Graph, err = identity.TaskGraph(e.Data, codes, e.Graph.Labels); err != nil {
			return nil, err
		}
	}
	intervals := identity.IntervalsOf(e.Data, codes, r.Graph)
	r.pruned, r.Pruned = r.Graph.Prune(minSupport, intervals)
	var err error
	if r.Merged, err = operators.Merge(ctx, r.pruned,
		intervals.Of(r.pruned, r.Pruned.Renumbered)); err != nil {
		return nil, err
	}
	r.Graph = r.Merged.Graph
	return r, nil
}

// Repairs counts what was repaired.
func (r *Repaired) Repairs() Repairs {
	return Repairs{
		SplitCodes: len(r.Split), DroppedNodes: len(r.Pruned.Nodes), DroppedEdges: len(r.Pruned.Edges),
		MergedNodes: r.pruned.NumStates() - r.Graph.NumStates(),
	}
}

// Changes are the cuts (identity.Cuts) at which the scene changed from one state to another: two
// codes that repair found to be one state are no change. nodes is of each image, -1 for none.
func Changes(d *dataset.Dataset, cuts []int, nodes []strips.StateID) []int {
	return slices.DeleteFunc(slices.Clone(cuts), func(i int) bool {
		left, found := nodes[d.Transitions[i-1].After], nodes[d.Transitions[i].Before]
		return left < 0 || found < 0 || left == found
	})
}

// changed lists the codes of images that got others.
func changed(codes, refined []identity.Code) []identity.Code {
	split := map[identity.Code]bool{}
	for i, code := range codes {
		if refined[i] != code {
			split[code] = true
		}
	}
	return slices.Sorted(maps.Keys(split))
}
