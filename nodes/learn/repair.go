package learn

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

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
	if identity.HasConflict(e.Graph) {
		codes = identity.Refine(e.Data, e.Codes)
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

// MergedState is a state of the task graph whose images had several codes, and why
// these count as one state's.
type MergedState struct {
	State strips.StateID `json:"state"`
	Codes []string       `json:"codes"`
	Shown []Shown        `json:"shown"`
	// Intervals is in how many static intervals two images had two of the codes.
	Intervals int `json:"intervals"`
}

// Shown is an action that led from one state to several codes of another.
type Shown struct {
	State  strips.StateID  `json:"state"`
	Action strips.ActionID `json:"action"`
	Codes  []string        `json:"codes"`
	Counts []int           `json:"counts"` // how often it led to each code
}

// KeptDistinct is two states that an action leads to from one, and why they stayed two.
type KeptDistinct struct {
	States [2]strips.StateID `json:"states"`
	Reason operators.Reason  `json:"why"`
}

// Merges lists the states that were put together from several nodes, by number.
func (r *Repaired) Merges() []MergedState {
	codes := func(nodes []strips.StateID) []string {
		var out []string
		for _, s := range nodes {
			out = append(out, r.pruned.Nodes[s].Code)
		}
		return out
	}
	number := r.Merged.Renumbered
	var out []MergedState
	for _, m := range r.Merged.Merged {
		f := MergedState{State: number[m.Nodes[0]], Codes: codes(m.Nodes), Intervals: m.Intervals}
		for _, b := range m.Shown {
			f.Shown = append(f.Shown, Shown{State: number[b.Source], Action: b.Action,
				Codes: codes(b.Targets), Counts: b.Support})
		}
		out = append(out, f)
	}
	return out
}

// Distinct lists the states that might have been one and stayed two.
func (r *Repaired) Distinct() []KeptDistinct {
	var out []KeptDistinct
	for _, k := range r.Merged.Kept {
		out = append(out, KeptDistinct{States: [2]strips.StateID{r.Merged.Renumbered[k.Nodes[0]],
			r.Merged.Renumbered[k.Nodes[1]]}, Reason: k.Reason})
	}
	return out
}

// String is the state in words, with the transitions that were seen most often.
func (f MergedState) String() string {
	const most = 3
	shown := slices.Clone(f.Shown)
	slices.SortStableFunc(shown, func(a, b Shown) int { return b.total() - a.total() })
	var lines []string
	for _, w := range shown[:min(len(shown), most)] {
		lines = append(lines, w.String())
	}
	if more := len(shown) - most; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	if f.Intervals > 0 {
		lines = append(lines, fmt.Sprintf("images of one static interval had both %d times", f.Intervals))
	}
	return fmt.Sprintf("state %d is codes %s: %s", f.State, strings.Join(f.Codes, " and "),
		strings.Join(lines, ", "))
}

// String is the action in words: "action 3 in state 0 led there 12 and 9 times".
func (w Shown) String() string {
	return fmt.Sprintf("action %d in state %d led to them %s times", w.Action, w.State,
		strings.Trim(strings.ReplaceAll(fmt.Sprint(w.Counts), " ", " and "), "[]"))
}

func (w Shown) total() int {
	n := 0
	for _, count := range w.Counts {
		n += count
	}
	return n
}
