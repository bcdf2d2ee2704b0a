package operators

import (
	"context"
	"fmt"
	"time"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Options of Learn. The zero Options trust every node and look for the smallest
// number of predicates.
type Options struct {
	// Predicates is m; 0 looks for the smallest that reaches the least xi and eta.
	Predicates int
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
	EtaSeconds    float64 `json:"eta_seconds"` // until xi and eta were proved
	Seconds       float64 `json:"seconds"`
}

// Result is a learned model and its report.
type Result struct {
	Model  *strips.Model
	Report Report
}

// defaultBudget is what Learn spends at most on improving a model.
const defaultBudget = 10 * time.Second

// Learn finds predicates and operators for a task graph. It fails only on a
// malformed graph or options; a context that ends early ends the improvements.
func Learn(ctx context.Context, g *taskgraph.Graph, opt Options) (*Result, error) {
	began := time.Now()
	if opt.Predicates < 0 {
		return nil, fmt.Errorf("operators: %d predicates, want 0 for the fewest or a positive number", opt.Predicates)
	}
	p, err := NewProblem(g, opt.Trust)
	if err != nil {
		return nil, err
	}
	budget := opt.Budget
	if budget == 0 {
		budget = defaultBudget
	}
	ctx, stop := context.WithDeadline(ctx, began.Add(budget))
	defer stop()
	pool, inseparable, undecided := separate(ctx, newOracle(p))
	etaSeconds := time.Since(began).Seconds()
	want := p.atoms.clone()
	want.remove(inseparable)
	want.remove(undecided)
	s := p.choose(ctx, pool, want, opt)
	s.proved.Xi = true // a constant predicate fits every edge, so 0 can be reached
	s.proved.Eta = s.proved.Eta || undecided.empty() && s.eta == inseparable.count()
	s.bounds.Eta = max(s.bounds.Eta, inseparable.count())
	return &Result{Model: s.model, Report: Report{
		States: p.states, Actions: len(p.actions), Edges: len(g.Edges), Atoms: len(p.missing),
		Predicates: len(s.columns), Eta: s.eta, Effects: s.effects, Preconditions: s.preconditions, DistinctCodes: s.distinct,
		Proved: s.proved, Bounds: s.bounds, EtaSeconds: etaSeconds, Seconds: time.Since(began).Seconds(),
	}}, nil
}

// choose picks the columns.
func (p *Problem) choose(ctx context.Context, pool []*column, want bitset, opt Options) *solution {
	var s *solution
	if len(pool) == 0 {
		s = p.solution(nil, opt.Predicates)
		s.proved = Proved{Predicates: true, Effects: true, Preconditions: s.least == s.preconditions}
		s.bounds.Predicates, s.bounds.Preconditions = len(s.columns), s.least
	} else if all, ok := enumerate(ctx, p, min(enumerateMost, enumerateWork/max(1, p.states))); ok {
		s = p.exact(ctx, all, want, opt.Predicates)
	} else {
		s = p.approximate(ctx, pool, want, opt.Predicates, opt.Seed)
	}
	if p.crowded(len(s.columns)) {
		s.proved.Effects, s.proved.Preconditions = false, false
		s.bounds.Effects, s.bounds.Preconditions = 0, 0
		s.proved.Eta, s.bounds.Eta = false, 0
	}
	if opt.Predicates == 0 && s.eta > p.atoms.count()-want.count() {
		return p.roomForUnseen(s)
	}
	return s
}
