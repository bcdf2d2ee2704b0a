package eval

import (
	"slices"

	"stripswm/models/imageplan"
	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Abstraction is a row of the paper's table 1, and how new images of the true
// states fall into the learned ones (RQ1).
type Abstraction struct {
	Actions               int `json:"actions"`
	Transitions           int `json:"transitions"`
	TrueStates            int `json:"true_states"`
	States                int `json:"states"`
	DistinctCodes         int `json:"distinct_codes"`
	Operators             int `json:"operators"`              // at least one an action
	NondeterministicPairs int `json:"nondeterministic_pairs"` // (state, action) pairs nondeterministic
	Predicates            int `json:"predicates"`
	Xi                    int `json:"xi"`
	Eta                   int `json:"eta"`
	Nondeterminism        int `json:"latent_nondeterminism"`
	// Trusted are the pairs of a node and an action without an edge that are trusted
	// not to apply, Accepted those of them that the world accepts after all, where the
	// node's true state is known. Untried are those that only preconditions allow.
	Trusted  int `json:"trusted"`
	Accepted int `json:"accepted"`
	Untried  int `json:"untried"`

	// OneToOne says that true states and nodes are, evaluated by the images: no true
	// state has several nodes (Split), no node is shown by none of them (Unshown), no
	// two true states have one code (Aliased), and every true state has one.
	OneToOne bool `json:"one_to_one"`
	Split    int  `json:"split"`
	Unshown  int  `json:"unshown"`

	Images       int `json:"images"`       // new ones: the same number of each true state, or a folder's test images
	Unrecognized int `json:"unrecognized"` // show a code that the model does not know
	Aliased      int `json:"aliased"`      // true states whose majority code is also another's
	Outliers     int `json:"strays"`       // show a known code that is not their state's majority code
}

// abstraction evaluates RQ1 for a model of a task graph that was learned from so
// many transitions, 0 where that is not known.
func abstraction(g *taskgraph.Graph, transitions int, m *strips.Model,
	s *stateRecognitions,
) Abstraction {
	codes, nodes := m.Nodes()
	a := Abstraction{
		Actions: g.NumActions(), Transitions: transitions, TrueStates: len(s.states),
		States: g.NumStates(), DistinctCodes: len(codes),
		Operators: len(m.Operators), NondeterministicPairs: len(m.Nondeterministic),
		Predicates: m.Predicates, Xi: len(m.Slack), Eta: len(m.Exceptions), Untried: len(m.Untried),
		Nondeterminism: len(g.Nondeterministic()),
	}
	owners := map[strips.State]int{} // true states by their majority code
	for i, images := range s.seen[0] {
		for _, r := range images {
			a.Images++
			if !r.Known() {
				a.Unrecognized++
			} else if r.Code != s.majority[i] {
				a.Outliers++
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
	a.Split, a.Unshown = shown(codes, nodes, s.named)
	a.OneToOne = a.Split == 0 && a.Unshown == 0 && a.Aliased == 0 &&
		!slices.Contains(s.majority, strips.State{})
	return a
}

// thresholds counts the pairs of a recorded graph that are trusted not to apply, and those
// of them that the world accepts.
func (a *Abstraction) thresholds(g *taskgraph.Graph, m *strips.Model, s *stateRecognitions) error {
	missing, err := operators.DefaultTrust(g).Missing(g)
	if err != nil {
		return err
	}
	a.Trusted = len(missing)
	for _, k := range missing {
		code, _ := m.Code(k.State)
		i := slices.Index(s.majority, code)
		if i < 0 {
			continue
		}
		if _, ok := s.source.apply(s.states[i], k.Action); ok {
			a.Accepted++
		}
	}
	return nil
}

// shown counts the true states that own several nodes, and the nodes that no image
// shows. A code and its nodes belong to the true state that most images which show it
// are of.
func shown(codes []strips.State, nodes map[strips.State][]strips.StateID,
	seen [][]imageplan.Recognition,
) (split, unshown int) {
	counts := map[strips.State][]int{} // by true state
	for i, images := range seen {
		for _, r := range images {
			if counts[r.Code] == nil {
				counts[r.Code] = make([]int, len(seen))
			}
			counts[r.Code][i]++
		}
	}
	owned := make([]int, len(seen))
	for _, code := range codes {
		if by := counts[code]; by == nil {
			unshown += len(nodes[code])
		} else {
			owned[slices.Index(by, slices.Max(by))] += len(nodes[code])
		}
	}
	for _, n := range owned {
		if n > 1 {
			split++
		}
	}
	return split, unshown
}
