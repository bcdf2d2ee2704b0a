package eval

import (
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Abstraction is a row of the paper's table 1, and how new pictures of the true
// states fall into the learned ones (RQ1).
type Abstraction struct {
	Actions        int `json:"actions"`
	Transitions    int `json:"transitions"`
	TrueStates     int `json:"true_states"`
	States         int `json:"states"`
	DistinctCodes  int `json:"distinct_codes"`
	Operators      int `json:"operators"` // at least one an action
	Chances        int `json:"chances"`   // (state, action) pairs left to chance
	Predicates     int `json:"predicates"`
	Xi             int `json:"xi"`
	Eta            int `json:"eta"`
	Nondeterminism int `json:"latent_nondeterminism"`

	Pictures     int `json:"pictures"`     // rendered, the same number of each true state
	Unrecognized int `json:"unrecognized"` // show a code that the model does not know
	Aliased      int `json:"aliased"`      // true states whose majority code is also another's
	Strays       int `json:"strays"`       // show a known code that is not their state's majority code
}

// abstraction evaluates RQ1 for a model of a task graph that was learned from so
// many transitions, 0 where that is not known.
func abstraction(g *taskgraph.Graph, transitions int, m *strips.Model, s *stateRecognitions) Abstraction {
	codes, _ := m.Nodes()
	a := Abstraction{
		Actions: g.NumActions(), Transitions: transitions, TrueStates: len(s.states), States: g.NumStates(), DistinctCodes: len(codes),
		Operators: len(m.Operators), Chances: len(m.Chances), Predicates: m.Predicates, Xi: len(m.Slack), Eta: len(m.Exceptions), Nondeterminism: len(g.Nondeterministic()),
	}
	owners := map[strips.State]int{} // true states by their majority code
	for i, pictures := range s.seen[0] {
		for _, r := range pictures {
			a.Pictures++
			if !r.Known() {
				a.Unrecognized++
			} else if r.Code != s.majority[i] {
				a.Strays++
			}
		}
		if s.majority[i] != (strips.State{}) {
			owners[s.majority[i]]++
		}
	}
	for _, states := range owners {
		if states > 1 {
			a.Aliased += states
		}
	}
	return a
}
