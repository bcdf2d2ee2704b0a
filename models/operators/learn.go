package operators

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/go-air/gini/z"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Options of Learn. The zero Options trust every node and look for the smallest
// number of predicates.
type Options struct {
	// Predicates is m; 0 looks for the smallest that reaches the least xi and eta.
	Predicates int
	// Distinct are nodes that need different codes, MinUnique the least number
	// of different codes.
	Distinct  Distinct
	MinUnique int
	// AllowCollapse permits a model in which all states look alike if there is
	// no negative evidence; otherwise one predicate that changes is kept.
	AllowCollapse bool
	// BySupport weights transition slack by the support count of the edge.
	BySupport bool
	// Pay lists edges whose effects may be wrong: what does not fit there is
	// transition slack. See Suspects for which.
	Pay []taskgraph.Edge
	// Trust says which missing edges are negative evidence.
	Trust Trust
	// Budget bounds the time spent on improving the model; 0 stands for ten
	// seconds. A model with a proved eta is returned however short it is. The work is bounded in
	// proportion to the budget, so that on a machine that is not too slow the
	// result depends only on the graph, the options and the seed.
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
	States        int `json:"states"`
	Actions       int `json:"actions"`
	Edges         int `json:"edges"`
	Atoms         int `json:"atoms"`   // trusted missing pairs
	Refused       int `json:"refused"` // of these, attempts that were refused
	Predicates    int `json:"predicates"`
	Xi            int `json:"xi"`
	Eta           int `json:"eta"`
	Effects       int `json:"effects"`
	Preconditions int `json:"preconditions"`
	DistinctCodes int `json:"distinct_codes"`
	// FalsePositives are the pairs without an edge whose preconditions hold,
	// trusted or not (paper, RQ4).
	FalsePositives int     `json:"false_positives"`
	Proved         Proved  `json:"proved"`
	Bounds         Bounds  `json:"bounds"`
	EtaSeconds     float64 `json:"eta_seconds"` // until xi and eta were proved
	Seconds        float64 `json:"seconds"`
}

// Result is a learned model and its report.
type Result struct {
	Model  *strips.Model
	Report Report
	// Missing are the trusted missing pairs; it tells refused attempts from
	// closed-world guesses.
	Missing []Missing
	// Inseparable are missing pairs that no predicate can rule out without
	// transition slack, each with its proof: all of them up to a few hundred.
	Inseparable []Proof
}

// defaultBudget is what Learn spends at most on improving a model.
const defaultBudget = 10 * time.Second

func (opt *Options) budget() time.Duration {
	if opt.Budget == 0 {
		return defaultBudget
	}
	return opt.Budget
}

// Learn finds predicates and operators for a task graph. It fails on a malformed
// graph or options, and if states cannot be kept apart as the options ask; a
// context that ends early only ends the improvements.
func Learn(ctx context.Context, g *taskgraph.Graph, opt Options) (*Result, error) {
	l, err := newLearner(g, opt)
	if err != nil {
		return nil, err
	}
	return l.learn(ctx, l.choose)
}

// learn decides every atom, beginning with the columns of the pool, and has
// columns chosen.
func (l *learner) learn(ctx context.Context, choose func(context.Context) *solution) (*Result, error) {
	var undecided bitset
	var err error
	l.pool, l.lost, undecided = separate(ctx, newOracle(l.p), l.pool)
	budget, stop := context.WithDeadline(ctx, l.began.Add(l.opt.budget()))
	defer stop()
	inseparable := l.lost.count()
	l.lost.add(undecided)
	l.want = l.p.atoms.clone()
	l.want.remove(l.lost)
	etaSeconds := time.Since(l.began).Seconds()
	proofs := l.p.proofs(budget, l.lost)

	s := l.withRoom(choose(budget))
	if !undecided.empty() {
		s.proved, s.bounds = Proved{}, Bounds{} // they hold for the decided pairs only
	}
	s.proved.Xi = true // a constant predicate fits every edge, so 0 can be reached
	if s, err = l.separateStates(ctx, budget, s); err != nil {
		return nil, err
	}
	if s.price > 0 && s.bounds.Xi == 0 { // paid for on request, not for need
		s.proved, s.bounds = Proved{}, Bounds{}
	}
	if s.bounds.Xi == 0 {
		s.proved.Eta = s.proved.Eta || undecided.empty() && s.eta == inseparable
		s.bounds.Eta = max(s.bounds.Eta, inseparable)
	}
	p := l.p
	refused := 0
	for _, m := range p.missing {
		if m.Refused > 0 {
			refused++
		}
	}
	return &Result{Model: s.model, Missing: p.missing, Inseparable: proofs, Report: Report{
		States: p.states, Actions: len(p.actions), Edges: len(p.graph.Edges), Atoms: len(p.missing), Refused: refused,
		Predicates: len(s.columns), Xi: s.xi(), Eta: s.eta, Effects: s.effects, Preconditions: s.preconditions, DistinctCodes: s.distinct,
		FalsePositives: falsePositives(p.graph, s.model), Proved: s.proved, Bounds: s.bounds, EtaSeconds: etaSeconds, Seconds: time.Since(l.began).Seconds(),
	}}, nil
}

// learner is one run of Learn.
type learner struct {
	began time.Time
	p     *Problem
	opt   Options
	pool  []*column // columns that together separate want
	want  bitset    // the atoms that can be separated
	lost  bitset    // those that cannot, or were not decided in time
}

func newLearner(g *taskgraph.Graph, opt Options) (*learner, error) {
	began := time.Now()
	if opt.Predicates < 0 {
		return nil, fmt.Errorf("operators: %d predicates, want 0 for the fewest or a positive number", opt.Predicates)
	}
	p, err := NewProblem(g, opt.Trust, opt.Pay...)
	if err != nil {
		return nil, err
	}
	if opt.MinUnique > p.states {
		return nil, fmt.Errorf("operators: at least %d different codes for %d nodes", opt.MinUnique, p.states)
	}
	if err := opt.Distinct.validate(p.states); err != nil {
		return nil, err
	}
	p.bySupport = opt.BySupport
	return &learner{began: began, p: p, opt: opt}, nil
}

// choose picks the columns that separate what can be separated.
func (l *learner) choose(ctx context.Context) *solution {
	p, m := l.p, l.opt.Predicates
	all, listed := enumerate(ctx, p, enumerateMost)
	switch {
	case l.want.empty():
		return l.lively(ctx, all, listed)
	case listed:
		return p.exact(ctx, withAtoms(all), l.want, m)
	}
	return p.approximate(ctx, l.pool, l.want, m, l.opt)
}

// withRoom sees to actions that were never seen, for which the codes may leave
// no vector.
func (l *learner) withRoom(s *solution) *solution {
	p := l.p
	if p.crowded(len(s.columns)) {
		s.proved.Effects, s.proved.Preconditions = false, false
		s.bounds.Effects, s.bounds.Preconditions = 0, 0
		s.proved.Eta, s.bounds.Eta = false, 0
	}
	if l.opt.Predicates == 0 && s.eta > l.lost.count() {
		return p.roomForUnseen(s)
	}
	return s
}

// lively is the choice where no atom asks for a predicate: none, or against
// collapse one that is not constant, with few effects.
func (l *learner) lively(ctx context.Context, all []*column, listed bool) *solution {
	p := l.p
	var columns []*column
	if !l.opt.AllowCollapse && len(p.missing) == 0 && p.states > 1 {
		var best *column
		for _, c := range all {
			if n := c.x.count(); n > 0 && n < p.states && (best == nil || c.effects < best.effects) {
				best = c
			}
		}
		if !listed {
			best = p.anyChange(ctx)
		}
		if best != nil {
			columns = []*column{best}
		}
	}
	s := p.solution(columns, l.opt.Predicates)
	s.proved = Proved{Predicates: true, Effects: listed || s.effects == 0, Preconditions: s.least == s.preconditions}
	s.bounds.Predicates, s.bounds.Preconditions = len(s.columns), s.least
	if s.proved.Effects {
		s.bounds.Effects = s.effects
	}
	return s
}

// anyChange finds a column that is not constant, if there is one, and slims it.
func (p *Problem) anyChange(ctx context.Context) *column {
	o := newOracle(p)
	for s := 1; s < p.states; s++ {
		x, ok := o.solve(o.holds(0), o.holds(s).Not())
		if !ok {
			continue
		}
		c := p.mustColumn(x)
		sl := &slimmer{o: o, rng: rand.New(rand.NewPCG(0, 2))}
		return sl.slimWith(ctx, c, []z.Lit{o.holds(0), o.holds(s).Not()}, true)
	}
	return nil
}

// falsePositives counts the pairs without an edge whose preconditions hold.
func falsePositives(g *taskgraph.Graph, m *strips.Model) int {
	n := 0
	seen := make([]bool, len(m.Operators)+1)
	for _, k := range m.States {
		clear(seen)
		for _, e := range g.Out(k.Node) {
			seen[e.Action] = true
		}
		for i := range m.Operators {
			if op := &m.Operators[i]; !seen[op.Action] && op.Applicable(k.Code) {
				n++
			}
		}
	}
	return n
}
