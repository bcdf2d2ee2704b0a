package eval

import (
	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// Horizon is what became of the queries of one shortest-path length.
type Horizon struct {
	Horizon     int `json:"horizon"` // 0: there is no path
	Queries     int `json:"queries"`
	SolvedGraph int `json:"solved_graph"` // the plan reaches the goal in the ground-truth graph
	// Executed are carried out in closed loop, in the simulated world and through its
	// camera: an image is looked at after each skill, and planned again from if it is not
	// as expected. Reached end in the goal, Mistaken in another state that looks like it.
	// SetUpAgain are those whose start or goal was set up more than once, since its image was not
	// recognized. A folder has no world.
	Executed   int `json:"executed"`
	Reached    int `json:"reached"`
	Mistaken   int `json:"mistaken"`
	SetUpAgain int `json:"set_up_again"`
	// Pairs are the distinct (start, goal) states asked for: further queries of a pair
	// are other images of it. SolvedPairs are solved in the graph every time.
	Pairs       int `json:"pairs"`
	SolvedPairs int `json:"solved_pairs"`
	// Why the rest failed: an image not recognized, no plan found, a plan that
	// does not lead to the goal (in the graph), or one that needs what nobody tried, of
	// which a folder without truth_graph.csv does not say where it leads.
	Unrecognized int `json:"unrecognized"`
	NoPlan       int `json:"no_plan"`
	WrongPlan    int `json:"wrong_plan"`
	Unevaluated  int `json:"unevaluated,omitempty"`
	Shortest     int `json:"shortest"` // solved with the fewest actions possible
}

// count executes the answer to a query, counts what became of it, and says whether
// it is solved in the graph.
func (h *Horizon) count(from source, q sim.Query, a answer) bool {
	h.Queries++
	switch {
	case a.unrecognized:
		h.Unrecognized++
		return false
	case !a.found:
		h.NoPlan++
		return false
	}
	switch reached, evaluated := reaches(q, a.plan, from.truth().Next, from.knows); {
	case !evaluated:
		h.Unevaluated++
		return false
	case !reached:
		h.WrongPlan++
		return false
	}
	h.SolvedGraph++
	if len(a.plan) == h.Horizon {
		h.Shortest++
	}
	return true
}

// reaches executes a plan; a refused action ends it, and where it is not known whether it is
// refused, the plan is not evaluated.
func reaches(q sim.Query, plan []strips.ActionID,
	apply func(sim.State, strips.ActionID) (sim.State, bool),
	knows func(sim.State, strips.ActionID) bool,
) (reached, evaluated bool) {
	s := q.Start
	for _, a := range plan {
		next, ok := apply(s, a)
		if !ok {
			return false, knows(s, a)
		}
		s = next
	}
	return s == q.Goal, true
}
