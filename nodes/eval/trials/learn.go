package trials

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/traces/check"
	"stripswm/models/worlds"
)

// Learning is a recording of a random policy to learn from, and what to measure.
type Learning struct {
	World    *worlds.World
	Attempts int
	Seed     uint64
	Noise    worlds.Noise
	Pairs    int    // of random states to plan between; 0 compares nothing, as worlds may be too large
	Search   string // one of Searches, which plans between states of a random policy; "": none does
}

// Learned is what came of it.
type Learned struct {
	Attempts int            `json:"attempts"`
	Facts    int            `json:"facts"`
	Derived  int            `json:"derived"` // predicates that are made of facts
	Cut      []traces.Stage `json:"cut,omitempty"`
	Seconds  float64        `json:"seconds"` // of learning
	// Score is missing where no pairs are asked for, and where something went wrong so early that the
	// facts of the start are unknown.
	Score  *worlds.Score `json:"score,omitempty"`
	Search *Searched     `json:"search,omitempty"`
}

// Run records, learns and measures. Without noise the model has to explain every attempt.
func (l Learning) Run(ctx context.Context) (Learned, error) {
	found := Learned{Attempts: l.Attempts}
	trace := [][]traces.Attempt{l.World.Record(l.Attempts, l.Seed, l.Noise)}
	began := time.Now()
	r, err := traces.Learn(len(l.World.Operators), trace, traces.Options{})
	if err != nil {
		return found, err
	}
	found.Seconds, found.Cut = time.Since(began).Seconds(), r.Report.Cut
	for _, p := range r.Model.Predicates {
		if p.Members == nil {
			found.Facts++
		} else {
			found.Derived++
		}
	}
	if l.Noise != (worlds.Noise{}) {
		if !r.Known(0) {
			return found, nil
		}
	} else if _, faults := check.Model(trace, r.Model); len(faults) > 0 {
		return found, fmt.Errorf("%s, %d attempts, seed %d: %d faults, the first: %w", l.World.Name,
			l.Attempts, l.Seed, len(faults), faults[0])
	}
	if l.Pairs > 0 {
		s, err := l.World.Compare(r.Model.Operators, r.State(0), l.Pairs, l.Seed)
		if err != nil {
			return found, err
		}
		found.Score = &s
	}
	if l.Search != "" {
		found.Search, err = l.search(ctx, r)
	}
	return found, err
}

// search is a way to plan in learned models.
type search struct {
	with   planner.Algorithm
	states int // that it may reach; 0: as many as it takes
}

var searches = map[string]search{
	"breadth-first": {planner.BreadthFirst, 100_000},
	"lm-cut":        {planner.LandmarkCut, 2_000},
	"greedy":        {planner.Greedy, 0},
}

// Searches are their names.
func Searches() []string { return slices.Sorted(maps.Keys(searches)) }

// Searched is what a search did, in percent of the queries.
type Searched struct {
	Solved  float64 `json:"solved"`
	Reached float64 `json:"reached"` // the goal in the world
	Proved  float64 `json:"proved"`  // to be shortest
	Median  float64 `json:"median_ms"`
	Longest float64 `json:"max_ms"`
	Steps   float64 `json:"steps"` // mean of the plans
	Most    int     `json:"most_steps"`
}

// planQueries is how many queries a search gets, and planTime how long one may take.
const planQueries, planTime = 20, 10 * time.Second

// search plans from the start to states that a random policy of the world is in 200 successes
// later, and from there on.
func (l Learning) search(ctx context.Context, r *traces.Result) (*Searched, error) {
	by, known := searches[l.Search]
	if !known {
		return nil, fmt.Errorf("no search %q; there are %v", l.Search, Searches())
	}
	model, err := r.Model.Strips(nil)
	if err != nil {
		return nil, err
	}
	p, err := planner.New(model)
	if err != nil {
		return nil, err
	}
	var s Searched
	var took []float64
	solved, reached, proved, steps := 0, 0, 0, 0
	rng := rand.New(rand.NewPCG(l.Seed, 0x91a5))
	at, code := l.World.Start, r.State(0)
	for range planQueries {
		to, goal, ok := wander(l.World, model, at, code, rng)
		if !ok {
			return nil, fmt.Errorf("%s, seed %d: the model has no operator for a success", l.World.Name,
				l.Seed)
		}
		found, err := p.Find(ctx, code, goal, by.with, planner.Limits{States: by.states, Time: planTime})
		if err != nil {
			return nil, err
		}
		took = append(took, 1000*found.Elapsed.Seconds())
		if found.Outcome == planner.Found {
			solved, steps = solved+1, steps+len(found.Plan)
			s.Most = max(s.Most, len(found.Plan))
			if l.World.Leads(at, to, found.Plan) {
				reached++
			}
			if found.Shortest {
				proved++
			}
		}
		at, code = to, goal
	}
	slices.Sort(took)
	percent := func(n int) float64 { return 100 * float64(n) / planQueries }
	s.Solved, s.Reached, s.Proved = percent(solved), percent(reached), percent(proved)
	s.Median, s.Longest = took[planQueries/2], took[planQueries-1]
	s.Steps = float64(steps) / float64(max(solved, 1))
	return &s, nil
}

// wander follows a random policy for 200 successes, in the world and, by effects alone, in the
// model.
func wander(world *worlds.World, m *strips.Model, at worlds.State, code strips.State,
	rng *rand.Rand) (worlds.State, strips.State, bool) {
	for range 200 {
		var apply []int
		for a := range world.Operators {
			if world.Operators[a].Applies(at) {
				apply = append(apply, a)
			}
		}
		a := apply[rng.IntN(len(apply))]
		variants := m.Variants(strips.ActionID(a + 1))
		if len(variants) == 0 {
			return at, code, false
		}
		at, code = world.Operators[a].Apply(at), variants[0].Apply(code)
	}
	return at, code, true
}
