package policy

import (
	"context"

	"stripswm/models/strips"
)

// Unseen is what is known of the region, and what exploring on is expected to show.
type Unseen struct {
	States int `json:"states"`
	Edges  int `json:"edges"`
	// Paths is the share of the ordered pairs of known states between which a way is known.
	Paths float64 `json:"paths"`
	// MoreEdges is how many of the untried pairs are expected to apply: the sum of their odds.
	MoreEdges float64 `json:"more_edges"`
	// MoreStates is how many states that were never seen these are expected to show: as many of them
	// lead to one as of the later half of the edges did when they were first seen (after Good and
	// Turing), and behind each lie as many more as behind those that were found.
	MoreStates float64 `json:"more_states"`
	// Surprise is the share of attempts at pairs tried before that are expected to come out otherwise,
	// after the rule of succession: two states may be classified as one.
	Surprise float64 `json:"surprise"`
}

// Success is the share of all pairs of states of the region, the unseen ones among them, between
// which a path is known that does not surprise.
func (u Unseen) Success() float64 {
	all := float64(u.States) + u.MoreStates
	if u.States < 2 {
		return 0
	}
	return (1 - u.Surprise) * u.Paths * float64(u.States) * float64(u.States-1) / (all * (all - 1))
}

// Unseen estimates it.
func (c *Chooser) Unseen(ctx context.Context) (Unseen, error) {
	if err := c.relearn(ctx); err != nil {
		return Unseen{}, err
	}
	var u Unseen
	pairs := 0
	for i := range c.memory.codes {
		s := strips.StateID(i)
		if !c.inside(s) {
			continue
		}
		u.States++
		_, _, order := c.memory.paths(s, c.ever)
		for _, t := range order {
			if t != s && c.inside(t) {
				pairs++
			}
		}
		for _, e := range c.memory.out[s] {
			if c.inside(e.other) {
				u.Edges++
			}
		}
		c.untried(s, func(p pair) { u.MoreEdges += c.calibration.odds(c.features(p)) })
	}
	u.Surprise = c.memory.surprise()
	if u.States > 1 {
		u.Paths = float64(pairs) / float64(u.States*(u.States-1))
	}
	if c.options.Within == 0 || u.States < c.options.Within {
		u.MoreStates = u.MoreEdges * c.memory.discovering() * c.memory.behind()
		if room := float64(c.options.Within - u.States); c.options.Within > 0 {
			u.MoreStates = min(u.MoreStates, room)
		}
	}
	return u, nil
}
