package main

import (
	"context"
	"math/rand/v2"

	"stripswm/models/facts"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/nodes/sim"
)

const (
	target     = 0.95
	queries    = 100
	failures   = 6      // of plans, after which the target is missed
	planStates = 40_000 // states of a search
)

// plans is the share of plans between random states of a world that lead to the goal. States are
// the true ones in which attempts began. It plans no more after so many failures.
func plans(ctx context.Context, g *sim.Graph, happened facts.Recording, states []sim.State,
	seen bool, seed uint64, failures int,
) (float64, error) {
	r, err := traces.Learn(g.World().NumActions(), happened.Segments, traces.Options{})
	if err != nil {
		return 0, err
	}
	values := vectors(g, r, happened, states, seen)
	if values == nil {
		return 0, nil
	}
	model, err := r.Model.Strips(nil)
	if err != nil {
		return 0, err
	}
	p, err := planner.New(model)
	if err != nil {
		return 0, err
	}
	all, rng, solved := g.States(), rand.New(rand.NewPCG(seed, 0x91a2)), 0
	for i := 0; i < queries && i-solved < failures; i++ {
		at, to := all[rng.IntN(len(all))], all[rng.IntN(len(all))]
		found, err := p.Find(ctx, values[at], values[to], planner.BreadthFirst,
			planner.Limits{States: planStates})
		if err != nil {
			return 0, err
		}
		if found.Outcome != planner.Found {
			continue
		}
		for _, a := range found.Plan {
			next, ok := g.Next(at, a)
			if !ok {
				break
			}
			at = next
		}
		if at == to {
			solved++
		}
	}
	return float64(solved) / queries, nil
}

// vectors are the predicate values of each state: the model's, along shortest paths from the first
// state of which most is known.
func vectors(g *sim.Graph, r *traces.Result, happened facts.Recording, states []sim.State,
	seen bool,
) map[sim.State]strips.State {
	var from sim.State
	best, most, n := -1, -1, 0
	for s, images := range happened.Images {
		for i := range images {
			attempt := images[i][0] / 2
			if !seen {
				attempt = n
			}
			if n++; seen && images[i][0] < 0 {
				continue
			}
			known := 0
			for p := range r.Model.Predicates {
				if r.Value(strips.Predicate(p), r.Before[s][i]) != traces.Unknown {
					known++
				}
			}
			if known > most {
				from, best, most = states[attempt], r.Before[s][i], known
			}
		}
	}
	if best < 0 {
		return nil
	}
	operators := make([]*strips.Operator, g.World().NumActions()+1)
	for i := range r.Model.Operators {
		operators[r.Model.Operators[i].Action] = &r.Model.Operators[i]
	}
	values := map[sim.State]strips.State{from: r.State(best)}
	for queue := []sim.State{from}; len(queue) > 0; queue = queue[1:] {
		for _, e := range g.Out(queue[0]) {
			if _, ok := values[e.To]; ok {
				continue
			}
			values[e.To] = values[queue[0]]
			if o := operators[e.Action]; o != nil {
				values[e.To] = o.Apply(values[queue[0]])
			}
			queue = append(queue, e.To)
		}
	}
	return values
}
