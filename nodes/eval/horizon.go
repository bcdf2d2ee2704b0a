package eval

import (
	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// Horizon is what became of the queries of one shortest-path length.
type Horizon struct {
	Horizon     int `json:"horizon"`
	Queries     int `json:"queries"`
	SolvedGraph int `json:"solved_graph"` // the plan reaches the goal in the ground-truth graph
	SolvedWorld int `json:"solved_world"` // the plan reaches the goal in the simulated world
	// Why the rest failed: a picture not recognised, no plan found, a plan that
	// does not lead to the goal (in the graph).
	Unrecognized int `json:"unrecognized"`
	NoPlan       int `json:"no_plan"`
	WrongPlan    int `json:"wrong_plan"`
	Shortest     int `json:"shortest"` // solved with the fewest actions possible
}

// count executes the answer to a query and counts what became of it.
func (h *Horizon) count(truth *sim.Graph, q sim.Query, a answer) {
	h.Queries++
	switch {
	case a.unrecognized:
		h.Unrecognized++
		return
	case !a.found:
		h.NoPlan++
		return
	}
	if reaches(q, a.plan, truth.World().Apply) {
		h.SolvedWorld++
	}
	if !reaches(q, a.plan, truth.Next) {
		h.WrongPlan++
		return
	}
	h.SolvedGraph++
	if len(a.plan) == h.Horizon {
		h.Shortest++
	}
}

// reaches executes a plan; a refused action ends it.
func reaches(q sim.Query, plan []strips.ActionID, apply func(sim.State, strips.ActionID) (sim.State, bool)) bool {
	s := q.Start
	for _, a := range plan {
		next, ok := apply(s, a)
		if !ok {
			return false
		}
		s = next
	}
	return s == q.Goal
}
