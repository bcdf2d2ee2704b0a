package eval

import (
	"context"
	"slices"

	"stripswm/models/imageplan"
	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/sim"
)

// Abstraction is a row of the paper's table 1, and as which learned states new images of the true
// ones are recognized (RQ1).
type Abstraction struct {
	Actions               int `json:"actions"`
	Transitions           int `json:"transitions"`
	TrueStates            int `json:"true_states"`
	States                int `json:"states"`
	DistinctCodes         int `json:"distinct_codes"`
	Operators             int `json:"operators"`              // at least one an action
	NondeterministicPairs int `json:"nondeterministic_pairs"` // with several outcomes
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

	// OneToOne: by the images, no true state has several nodes (Split), every node is shown by some
	// image (Unshown), no two true states have one code (Aliased), and every true state has a code.
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

// countTrusted counts the pairs of a recorded graph that are trusted not to apply, and those of
// them that the world accepts.
func (a *Abstraction) countTrusted(g *taskgraph.Graph, m *strips.Model,
	s *stateRecognitions) error {
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

// stateRecognitions is what images of every true state were recognized as.
type stateRecognitions struct {
	source    source
	states    []sim.State
	strengths []float64
	// seen is of new images, by strength, state and image.
	seen [][][]imageplan.Recognition
	// named is of the images that tell which code is the state's: those that the
	// source has for it, or the new ones at the first strength.
	named [][]imageplan.Recognition
	// majority is, by state, the code that most of its named images show; the zero
	// State where none is known.
	majority []strips.State
}

// recognizeStates recognizes images of every true state.
func recognizeStates(ctx context.Context, p *imageplan.Planner, from source,
	o Options,
) (*stateRecognitions, error) {
	s := &stateRecognitions{source: from, states: from.truth().States(), strengths: from.strengths()}
	if o.Quick {
		s.strengths = s.strengths[:1]
	}
	var sets [][][]photo
	for k := range s.strengths {
		sets = append(sets, from.fresh(k))
	}
	if named := from.recorded(); named != nil {
		sets = append(sets, named)
	}
	seen, err := recognizeAll(ctx, p, sets, o)
	if err != nil {
		return nil, err
	}
	s.seen, s.named = seen[:len(s.strengths)], seen[0]
	if len(seen) > len(s.strengths) {
		s.named = seen[len(s.strengths)]
	}
	for _, images := range s.named {
		s.majority = append(s.majority, majority(images))
	}
	return s, nil
}

// recognizeAll recognizes sets of images by state.
func recognizeAll(ctx context.Context, p *imageplan.Planner, sets [][][]photo,
	o Options,
) ([][][]imageplan.Recognition, error) {
	seen := make([][][]imageplan.Recognition, len(sets))
	var orders []order
	var of []*[]imageplan.Recognition // of each order
	for k, states := range sets {
		seen[k] = make([][]imageplan.Recognition, len(states))
		for i, images := range states {
			for _, one := range images {
				orders = append(orders, order{one})
				of = append(of, &seen[k][i])
			}
		}
	}
	n := 0
	err := photograph(ctx, orders, o.Workers, func(taken shot) error {
		r, err := p.Recognize(taken[0])
		if err != nil {
			return err
		}
		*of[n] = append(*of[n], r)
		n++
		o.report("classify every state", n, len(orders))
		return nil
	})
	return seen, err
}

// majority is the known code that most images show, the first of equals.
func majority(images []imageplan.Recognition) strips.State {
	counts := map[strips.State]int{}
	var most strips.State
	for _, r := range images {
		if !r.Known() {
			continue
		}
		counts[r.Code]++
		if counts[r.Code] > counts[most] {
			most = r.Code
		}
	}
	return most
}
