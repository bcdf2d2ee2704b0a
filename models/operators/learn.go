package operators

import (
	"context"
	"time"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Options of Learn. The zero Options trust every node and look for the smallest
// number of predicates.
type Options struct {
	// Trust says which missing edges are negative evidence.
	Trust Trust
	// Budget bounds the time spent on improving the model; 0 stands for ten
	// seconds. A model is returned however short it is.
	Budget time.Duration
	// Seed of the randomised improvements.
	Seed uint64
}

// Proved says which of the figures are proved to be optimal.
type Proved struct {
	Xi            bool `json:"xi"`
	Eta           bool `json:"eta"`
	Predicates    bool `json:"predicates"`
	Effects       bool `json:"effects"`
	Preconditions bool `json:"preconditions"`
}

// Bounds are lower bounds on the figures: each is a bound given the figures
// before it in the order xi, eta, predicates, effects, preconditions.
type Bounds struct {
	Xi            int `json:"xi"`
	Eta           int `json:"eta"`
	Predicates    int `json:"predicates"`
	Effects       int `json:"effects"`
	Preconditions int `json:"preconditions"`
}

// Report sums up what was learned.
type Report struct {
	States        int     `json:"states"`
	Actions       int     `json:"actions"`
	Edges         int     `json:"edges"`
	Atoms         int     `json:"atoms"` // trusted missing pairs
	Predicates    int     `json:"predicates"`
	Xi            int     `json:"xi"`
	Eta           int     `json:"eta"`
	Effects       int     `json:"effects"`
	Preconditions int     `json:"preconditions"`
	DistinctCodes int     `json:"distinct_codes"`
	Proved        Proved  `json:"proved"`
	Bounds        Bounds  `json:"bounds"`
	Seconds       float64 `json:"seconds"`
}

// Result is a learned model and its report.
type Result struct {
	Model  *strips.Model
	Report Report
}

// Learn finds predicates and operators for a task graph. It fails only on a
// malformed graph or options; a context that ends early ends the improvements.
func Learn(ctx context.Context, g *taskgraph.Graph, opt Options) (*Result, error) {
	began := time.Now()
	p, err := NewProblem(g, opt.Trust)
	if err != nil {
		return nil, err
	}
	o := newOracle(p)
	pool, inseparable, undecided := separate(ctx, o)
	want := p.atoms.clone()
	want.remove(inseparable)
	want.remove(undecided)
	columns := greedyCover(ctx, o, pool, want, 1<<30)
	columns = p.roomForUnseen(columns)
	m := p.assemble(columns)
	r := &Result{Model: m.model, Report: Report{
		States: p.states, Actions: len(p.actions), Edges: len(g.Edges), Atoms: len(p.missing),
		Predicates: len(columns), Eta: m.eta, Effects: m.effects, Preconditions: m.preconditions, DistinctCodes: m.distinct,
		Proved: Proved{Xi: true, Eta: undecided.empty()},
		Bounds: Bounds{Eta: inseparable.count()},
	}}
	r.Report.Seconds = time.Since(began).Seconds()
	return r, nil
}
