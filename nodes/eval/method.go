package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"stripswm/models/baselines"
	"stripswm/models/bundle"
	"stripswm/models/imageplan"
	"stripswm/models/inference"
	"stripswm/models/operators"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// answer is what a method makes of a query.
type answer struct {
	unrecognized bool // an image shows nothing that the method knows
	found        bool
	plan         []strips.ActionID
}

// recognizedQuery is the images of a query and STRIPS-WM's answer to it.
type recognizedQuery struct {
	images shot
	result imageplan.Result
	known  bool // else an image was not recognized
}

func recognize(ctx context.Context, p *imageplan.Planner, s shot) (recognizedQuery, error) {
	r, err := p.Plan(ctx, s[0], s[1])
	if errors.Is(err, imageplan.ErrUnrecognized) {
		return recognizedQuery{s, r, false}, nil
	}
	return recognizedQuery{s, r, true}, err
}

// method is a way to answer queries, and what became of its answers.
type method struct {
	id, name string // as the command line has it, and as tables do
	answer   func(context.Context, recognizedQuery) (answer, error)
	horizons []Horizon
	distinct Horizon           // of pairs without a path
	solved   map[question]bool // every time that it was asked
}

// count counts what became of the answer to a question.
func (m *method) count(from source, q question, a answer) {
	h := &m.distinct
	if q.horizon > 0 {
		h = &m.horizons[q.horizon-1]
	}
	solved := h.count(from, q.Query, a)
	before, again := m.solved[q]
	if !again {
		h.Pairs++
	}
	if solved && !again {
		h.SolvedPairs++
	} else if !solved && before {
		h.SolvedPairs--
	}
	if m.solved == nil {
		m.solved = map[question]bool{}
	}
	m.solved[q] = solved && (before || !again)
}

// limits of the searches of methods that may reach far more states than STRIPS-WM.
var limits = planner.Limits{States: 200_000}

// ErrMethod is returned, wrapped, where Options.Methods names what is not there.
var ErrMethod = errors.New("no such method")

// addMethods adds STRIPS-WM, and of the others those that are asked for.
func (e *evaluation) addMethods() error {
	e.methods = append(e.methods, e.ours())
	plain := *e.planner.Model()
	plain.Exceptions, plain.Untried = nil, nil
	m, err := symbolic("no exceptions", &plain, func(s strips.State) (strips.State, bool) {
		return s, true
	})
	if err != nil {
		return err
	}
	m.id = "no-exceptions"
	e.methods = append(e.methods, m)
	if err := e.addBaselines(append([]*bundle.Bundle{e.planner.Bundle()},
		e.options.Baselines...)); err != nil {
		return err
	}
	return e.choose()
}

// ours is STRIPS-WM.
func (e *evaluation) ours() *method {
	return &method{id: "strips-wm", name: "STRIPS-WM", answer: func(_ context.Context,
		q recognizedQuery) (answer, error) {
		return answer{!q.known, q.result.Outcome == planner.Found, q.result.Plan}, nil
	}}
}

// addBaselines adds the baselines that the bundles have the parts for.
func (e *evaluation) addBaselines(bundles []*bundle.Bundle) error {
	for _, b := range bundles {
		for _, l := range baselines.In(b) {
			p, err := l.Open(b, inference.Options{})
			if err != nil {
				return fmt.Errorf("%s: %w", l.Name, err)
			}
			e.closers = append(e.closers, p.Close)
			e.methods = append(e.methods, baselineMethod(l, p))
		}
	}
	return nil
}

func baselineMethod(l baselines.Baseline, p baselines.Planner) *method {
	return &method{id: l.ID, name: l.Name, answer: func(ctx context.Context,
		q recognizedQuery) (answer, error) {
		plan, found, err := p.Plan(ctx, q.images[0], q.images[1])
		if errors.Is(err, baselines.ErrUnrecognized) {
			return answer{unrecognized: true}, nil
		}
		return answer{found: found, plan: plan}, err
	}}
}

// choose leaves out the methods that are not asked for, but for STRIPS-WM.
func (e *evaluation) choose() error {
	var there []string
	for _, m := range e.methods {
		there = append(there, m.id)
	}
	for _, id := range e.options.Methods {
		if !slices.Contains(there, id) {
			return fmt.Errorf("%w: %q: there are %s; a baseline has to be learned first", ErrMethod, id,
				strings.Join(there, ", "))
		}
	}
	if len(e.options.Methods) > 0 {
		e.methods = slices.DeleteFunc(e.methods, func(m *method) bool {
			return m != e.methods[0] && !slices.Contains(e.options.Methods, m.id)
		})
	}
	return nil
}

// symbolic plans with a model from the states that STRIPS-WM recognized, which
// translate brings into the model's predicates where it can.
func symbolic(name string, m *strips.Model,
	translate func(strips.State) (strips.State, bool)) (*method, error) {
	search, err := planner.New(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &method{name: name, answer: func(ctx context.Context, q recognizedQuery) (answer, error) {
		start, startKnown := translate(q.result.Start.Used)
		goal, goalKnown := translate(q.result.Goal.Used)
		if !q.known || !startKnown || !goalKnown {
			return answer{unrecognized: true}, nil
		}
		r, err := search.Find(ctx, start, goal, planner.BreadthFirst, limits)
		return answer{found: r.Outcome == planner.Found, plan: r.Plan}, err
	}}, nil
}

// Ablation is a row of the paper's table of RQ4: operators learned from the same
// task graph under another condition.
type Ablation struct {
	Condition  string `json:"condition"`
	TrueStates int    `json:"true_states"`
	Predicates int    `json:"predicates"`
	Xi         int    `json:"xi"`
	Eta        int    `json:"eta"`
	// FalsePositives are the pairs of a task-graph node and an action that the
	// graph does not have and whose preconditions hold.
	FalsePositives int `json:"false_positives"`
	DistinctCodes  int `json:"distinct_codes"`
	// Impossible says why no such operators exist; the figures are then zero.
	Impossible string    `json:"impossible,omitempty"`
	Horizons   []Horizon `json:"horizons,omitempty"`
}

// addAblations learns the ablated models, adds them as methods, and returns the
// table, whose first row is the bundle's own model.
func (e *evaluation) addAblations(ctx context.Context, g *taskgraph.Graph) ([]Ablation, error) {
	states := len(e.source.truth().States())
	table := []Ablation{ablationRow("STRIPS-WM", states, g, e.planner.Model())}
	conditions := []struct {
		name      string
		minUnique int
	}{
		{"no neg.", 0},
		{"no neg. + min-unique", min(states, g.NumStates())}, // nodes are fewer where states share one
	}
	const what = "relearn without negative evidence"
	for i, c := range conditions {
		e.options.report(what, i, len(conditions))
		r, err := operators.Learn(ctx, g, operators.Options{
			Trust: operators.Trust{Policy: operators.TrustNothing}, Single: true, MinUnique: c.minUnique,
			Budget: e.options.Budget, Seed: e.options.Seed})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			e.ablated = append(e.ablated, nil)
			table = append(table, Ablation{Condition: c.name, TrueStates: states, Impossible: err.Error()})
			continue
		}
		r.Model.Untried = nil // the paper's planner counts on whatever preconditions allow
		m, err := symbolic(c.name, r.Model, translation(e.planner.Model(), r.Model, g))
		if err != nil {
			return nil, err
		}
		e.ablated = append(e.ablated, m)
		table = append(table, ablationRow(c.name, states, g, r.Model))
	}
	e.options.report(what, len(conditions), len(conditions))
	return table, nil
}

func ablationRow(condition string, trueStates int, g *taskgraph.Graph, m *strips.Model) Ablation {
	codes, _ := m.Nodes()
	return Ablation{
		Condition: condition, TrueStates: trueStates, Predicates: m.Predicates, Xi: len(m.Slack),
		Eta:            len(m.Exceptions),
		FalsePositives: operators.FalsePositives(g, m), DistinctCodes: len(codes),
	}
}

// translation maps the known states of one model of a graph to those of another, by the best
// supported of their nodes.
func translation(from, to *strips.Model,
	g *taskgraph.Graph) func(strips.State) (strips.State, bool) {
	codes := map[strips.State]strips.State{}
	support := map[strips.State]int{}
	for _, k := range from.States {
		code, ok := to.Code(k.Node)
		if !ok {
			continue // which a model of this graph has not
		}
		n := g.Nodes[k.Node].Support
		if _, taken := codes[k.Code]; !taken || n > support[k.Code] {
			codes[k.Code], support[k.Code] = code, n
		}
	}
	return func(s strips.State) (strips.State, bool) {
		code, ok := codes[s]
		return code, ok
	}
}
