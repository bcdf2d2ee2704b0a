package operators

import (
	"context"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/regions"
	"stripswm/models/operators/internal/variants"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Steps that the search for a lower bound may take at least, and those of its first round.
const (
	boundLeast = 4_000_000
	boundFirst = 100_000
)

// vary groups the edges of each action to variants, without toggles and with, and
// makes the problem one of the variants. Toggles are only used where they save an
// operator. The search takes a round, or more where more work is asked for than the
// default. The search for a lower bound may take a quarter of what that took; it
// begins again and again with twice the steps, each time to its end, as one that is cut
// short can miss what a shorter one finds.
func (r *run) vary(ctx context.Context) *regions.Decided {
	g := grouped(r.certain, r.missing)
	w, stop := r.opt.search(ctx, r.began)
	defer stop()
	before := w.Left()
	var found *variants.Found
	var withToggles bool
	enough := float64(variants.Round(g)) * max(1, float64(before)/(searchTimes*DefaultWork*steps))
	w.AtMost(int64(min(enough, 0.6*float64(before))), func() {
		found, withToggles = variants.Find(w, g, r.opt.Seed)
	})
	bound := 0
	left := min(w.Left(), max(boundLeast, (before-w.Left())/4))
	for steps := int64(boundFirst); steps <= left &&
		bound < found.Variants; left, steps = left-steps, 2*steps {
		w.AtMost(steps, func() {
			least, better := variants.Least(w, g, true, found)
			bound = max(bound, least)
			if better.Variants < found.Variants {
				found, withToggles = better, true
			}
		})
	}
	r.cut = w.CutShort()
	d := r.take(ctx, found, withToggles)
	r.split.bound += bound
	return d
}

// revise is vary beginning with the operators of a model of an earlier graph: an
// edge that one of them explains is of its variant.
func (r *run) revise(ctx context.Context, old *strips.Model,
	was []strips.StateID,
) *regions.Decided {
	of := make([]int, len(r.certain.Edges))
	for i, e := range r.certain.Edges {
		of[i] = -1
		from, known := old.Code(was[e.Source])
		to, also := old.Code(was[e.Target])
		for k := range old.Operators {
			op := &old.Operators[k]
			if known && also && op.Action == e.Action && op.Applicable(from) && op.Apply(from) == to {
				of[i] = k
			}
		}
	}
	known := make([]variants.Known, old.Predicates)
	for q := range known {
		known[q] = variants.Known{X: bitset.New(len(was)), States: bitset.New(len(was))}
		for s, node := range was {
			if code, ok := old.Code(node); ok {
				known[q].States.Set(s)
				if code.Get(strips.Predicate(q)) {
					known[q].X.Set(s)
				}
			}
		}
	}
	w, stop := r.opt.search(ctx, r.began)
	defer stop()
	found := variants.Revise(w, grouped(r.certain, r.missing), toggles(old), of, known)
	r.cut = w.CutShort()
	return r.take(ctx, found, toggles(old))
}

// grouped is a graph and its trusted missing pairs as package variants wants them.
func grouped(certain *taskgraph.Graph, missing []Missing) *variants.Graph {
	g := &variants.Graph{States: certain.NumStates(), Actions: certain.NumActions()}
	for range g.Actions {
		g.Missing = append(g.Missing, bitset.New(g.States))
	}
	for _, m := range missing {
		g.Missing[m.Action-1].Set(int(m.State))
	}
	for _, e := range certain.Edges {
		g.Edges = append(g.Edges, variants.Edge{Source: int(e.Source), Action: int(e.Action) - 1,
			Target: int(e.Target)})
	}
	return g
}

// take makes the problem one of the variants found.
func (r *run) take(ctx context.Context, found *variants.Found, toggling bool) *regions.Decided {
	r.split = splitActions(r.certain, pairs(r.missing), found.Of)
	r.p = regions.New(r.split.graph, r.split.missing, nil, false)
	if toggling {
		r.p = r.p.Toggling()
	}
	return r.p.DecideWith(ctx, found.Regions)
}
