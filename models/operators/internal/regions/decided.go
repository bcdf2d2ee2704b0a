package regions

import (
	"context"

	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
	"stripswm/models/strips"
)

// Decided is a problem of which it is known what can be separated.
type Decided struct {
	p         *Problem
	pool      []*region  // together they separate what can be separated
	kept      int        // the first of these, which are of another model
	lost      bitset.Set // the separation constraints that cannot be separated
	undecided bitset.Set // those for which the context ended too early
}

// Decide asks of each missing pair whether a region separates it.
func (p *Problem) Decide(ctx context.Context) *Decided {
	return p.decide(newOracle(p, work.UntilDone(ctx)), nil)
}

// DecideFrom is Decide beginning with the predicates of another model that fit
// the graph. was[s] is what node s was there, -1 for a new one.
func (p *Problem) DecideFrom(ctx context.Context, m *strips.Model, was []strips.StateID) *Decided {
	o := newOracle(p, work.UntilDone(ctx))
	return p.decide(o, p.use(o, m, was))
}

// DecideWith is Decide beginning with regions, of which those are left out that do
// not fit.
func (p *Problem) DecideWith(ctx context.Context, states []bitset.Set) *Decided {
	var known []*region
	for _, x := range states {
		if c, ok := p.regionOf(x); ok {
			known = append(known, c)
		}
	}
	return p.decide(newOracle(p, work.UntilDone(ctx)), known)
}

func (p *Problem) decide(o *oracle, known []*region) *Decided {
	d := &Decided{p: p, kept: len(known)}
	d.pool, d.lost, d.undecided = separate(o, known)
	return d
}

// use is the regions of a model's predicates, with values for the nodes that
// it does not know, where they fit the graph and separate something.
func (p *Problem) use(o *oracle, m *strips.Model, was []strips.StateID) []*region {
	var regions []*region
	for q := range strips.Predicate(m.Predicates) {
		var values []z.Lit
		for s, node := range was {
			if code, known := m.Code(node); known {
				values = append(values, o.value(s, code.Get(q)))
			}
		}
		x, ok := o.solve(values...)
		if !ok {
			continue
		}
		if c := p.mustRegion(x); !c.cover.Empty() {
			regions = append(regions, c)
		}
	}
	return regions
}

// Lost are the missing pairs that no region separates, by action and state: the
// least sum of eta is their number.
func (d *Decided) Lost() []Pair {
	var out []Pair
	for constraint := range d.lost.Each {
		if a, s := d.p.pair(constraint); a < len(d.p.actions) {
			out = append(out, Pair{stateID(s), actionID(a)})
		}
	}
	return out
}

// Undecided is how many missing pairs were not reached before the context ended.
func (d *Decided) Undecided() int { return d.undecided.Count() }

// Learn chooses regions as the demands ask, with the work given. What it fails on
// is said in terms of nodes and predicates; ctx bounds the questions that have to
// be answered for any model.
func (d *Decided) Learn(ctx context.Context, w *work.Work, demands Demands) (*Solution, error) {
	return d.learn(ctx, &search{Demands: demands, Decided: d, w: w})
}

// Relearn is Learn that keeps the regions which DecideFrom began with and covers
// greedily what they leave open. With a given number of predicates it is Learn.
func (d *Decided) Relearn(ctx context.Context, w *work.Work, demands Demands) (*Solution, error) {
	return d.learn(ctx, &search{Demands: demands, Decided: d, w: w, greedy: demands.Predicates == 0})
}

func (d *Decided) learn(ctx context.Context, l *search) (*Solution, error) {
	lost := d.lost.Clone()
	lost.Add(d.undecided)
	l.out = lost
	l.want = d.p.constraints.Clone()
	l.want.Remove(lost)
	s, err := l.separateStates(ctx, l.choose())
	if err != nil {
		return nil, err
	}
	s = d.p.withRoom(s, l.Predicates)
	if !d.undecided.Empty() { // the others hold for the decided pairs only
		s.Proved, s.Bounds = Proved{Xi: s.Proved.Xi}, Bounds{Xi: s.Bounds.Xi}
	}
	switch {
	case s.price == 0:
		s.Proved.Xi = true
	case s.Bounds.Xi == 0: // paid for on request, not for need
		s.Proved, s.Bounds = Proved{}, Bounds{}
	}
	if s.Bounds.Xi == 0 {
		inseparable := d.lost.Count()
		s.Proved.Eta = s.Proved.Eta || d.undecided.Empty() && s.Eta == inseparable
		s.Bounds.Eta = max(s.Bounds.Eta, inseparable)
	}
	return s, nil
}
