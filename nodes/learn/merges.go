package learn

import (
	"fmt"
	"slices"
	"strings"

	"stripswm/models/operators"
	"stripswm/models/strips"
)

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

// String is the way in words: "action 3 in state 0 led there 12 and 9 times".
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
