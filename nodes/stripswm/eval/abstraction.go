package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"stripswm/models/bundle"
	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/learner/pipeline"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/simrig/record"
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

// picturesPerState is how many new pictures of each true state are classified.
const picturesPerState = 20

// Abstract evaluates RQ1 on the bundle that p was opened on.
func Abstract(ctx context.Context, p *imageplan.Planner, w sim.World, o Options) (Abstraction, error) {
	truth, err := sim.Explored(w, o.Seed)
	if err != nil {
		return Abstraction{}, err
	}
	a, err := tableRow(p.Bundle(), p.Model())
	if err != nil {
		return a, err
	}
	a.TrueStates = len(truth.States())
	cam := camera.New(o.Size, o.Size)
	cam.Strength = o.Nuisance
	owners := map[strips.State]int{} // true states by their usual code
	for i, s := range truth.States() {
		if err := ctx.Err(); err != nil {
			return a, err
		}
		usual, err := a.classify(p, cam, w, s, record.EvaluationSeed(o.Seed, 1<<32+uint64(i*picturesPerState)))
		if err != nil {
			return a, err
		}
		if usual.Len() > 0 { // else none of its pictures is known
			owners[usual]++
		}
	}
	for _, states := range owners {
		if states > 1 {
			a.Aliased += states
		}
	}
	return a, nil
}

// classify counts new pictures of one true state and returns their usual code.
func (a *Abstraction) classify(p *imageplan.Planner, cam camera.Camera, w sim.World, s sim.State, seed uint64) (strips.State, error) {
	counts := map[strips.State]int{}
	known := 0
	var usual strips.State
	for k := range uint64(picturesPerState) {
		img, err := cam.Render(w, s, seed+k)
		if err != nil {
			return usual, err
		}
		r, err := p.Recognize(pixels.FromImage(img))
		if err != nil {
			return usual, err
		}
		a.Pictures++
		if !r.Known() {
			a.Unrecognized++
			continue
		}
		known++
		counts[r.Code]++
		if counts[r.Code] > counts[usual] {
			usual = r.Code
		}
	}
	a.Strays += known - counts[usual]
	return usual, nil
}

// tableRow reads a bundle's row of table 1.
func tableRow(b *bundle.Bundle, m *strips.Model) (Abstraction, error) {
	data, err := b.Read(bundle.Graph)
	if err != nil {
		return Abstraction{}, err
	}
	graph, err := taskgraph.ReadJSON(bytes.NewReader(data))
	if err != nil {
		return Abstraction{}, fmt.Errorf("bundle %s: %w", b.Dir, err)
	}
	codes, _ := m.Nodes()
	a := Abstraction{
		Actions: graph.NumActions(), States: graph.NumStates(), DistinctCodes: len(codes), Predicates: m.Predicates,
		Xi: len(m.Slack), Eta: len(m.Exceptions), Nondeterminism: len(graph.Nondeterministic()),
	}
	if _, ok := b.Part(pipeline.TrainingRole); !ok {
		return a, nil // a bundle put together from parts
	}
	if data, err = b.Read(pipeline.TrainingRole); err != nil {
		return a, err
	}
	var t pipeline.Training
	if err := json.Unmarshal(data, &t); err != nil {
		return a, fmt.Errorf("bundle %s: training.json: %w", b.Dir, err)
	}
	a.Transitions = t.Transitions
	return a, nil
}
