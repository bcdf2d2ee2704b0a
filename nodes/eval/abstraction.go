package eval

import (
	"bytes"
	"encoding/json"
	"fmt"

	"stripswm/models/bundle"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/learn"
)

// Abstraction is a row of the paper's table 1, and how new pictures of the true
// states fall into the learned ones (RQ1).
type Abstraction struct {
	Actions        int `json:"actions"`
	Transitions    int `json:"transitions"`
	TrueStates     int `json:"true_states"`
	States         int `json:"states"`
	DistinctCodes  int `json:"distinct_codes"`
	Predicates     int `json:"predicates"`
	Xi             int `json:"xi"`
	Eta            int `json:"eta"`
	Nondeterminism int `json:"latent_nondeterminism"`

	Pictures     int `json:"pictures"`     // rendered, the same number of each true state
	Unrecognized int `json:"unrecognized"` // show a code that the model does not know
	Aliased      int `json:"aliased"`      // true states whose usual code is also another's
	Strays       int `json:"strays"`       // show a known code that is not their state's usual one
}

// abstraction evaluates RQ1.
func abstraction(b parts, m *strips.Model, s *survey) Abstraction {
	codes, _ := m.Nodes()
	a := Abstraction{
		Actions: b.graph.NumActions(), States: b.graph.NumStates(), DistinctCodes: len(codes), Predicates: m.Predicates,
		Xi: len(m.Slack), Eta: len(m.Exceptions), Nondeterminism: len(b.graph.Nondeterministic()), TrueStates: len(s.states),
	}
	if b.training != nil {
		a.Transitions = b.training.Transitions
	}
	owners := map[strips.State]int{} // true states by their usual code
	for i, pictures := range s.seen[0] {
		for _, r := range pictures {
			a.Pictures++
			if !r.Known() {
				a.Unrecognized++
			} else if r.Code != s.usual[i] {
				a.Strays++
			}
		}
		if s.usual[i] != (strips.State{}) {
			owners[s.usual[i]]++
		}
	}
	for _, states := range owners {
		if states > 1 {
			a.Aliased += states
		}
	}
	return a
}

// parts is what an evaluation reads of a bundle beside the planner's parts.
type parts struct {
	graph    *taskgraph.Graph
	training *learn.Training // nil in a bundle put together from parts
	encoder  bool            // whether there is one
}

func readParts(b *bundle.Bundle) (parts, error) {
	data, err := b.Read(bundle.Graph)
	if err != nil {
		return parts{}, err
	}
	var p parts
	if p.graph, err = taskgraph.ReadJSON(bytes.NewReader(data)); err != nil {
		return p, fmt.Errorf("bundle %s: %w", b.Dir, err)
	}
	_, p.encoder = b.Part(bundle.Encoder)
	if _, ok := b.Part(learn.TrainingRole); !ok {
		return p, nil
	}
	if data, err = b.Read(learn.TrainingRole); err != nil {
		return p, err
	}
	p.training = new(learn.Training)
	if err := json.Unmarshal(data, p.training); err != nil {
		return p, fmt.Errorf("bundle %s: training.json: %w", b.Dir, err)
	}
	return p, nil
}
