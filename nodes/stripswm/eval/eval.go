package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/simrig/record"
)

// Options of an evaluation.
type Options struct {
	Queries  int     // per horizon; 200 in the paper
	Seed     uint64  // of the recording's walk and of the queries
	Size     int     // of the pictures, pixels a side
	Nuisance float64 // strength of the camera's nuisance
	Workers  int     // rendering goroutines
	Progress func(done, total int)
}

// Horizon is what became of the queries of one shortest-path length.
type Horizon struct {
	Horizon     int `json:"horizon"`
	Queries     int `json:"queries"`
	SolvedGraph int `json:"solved_graph"` // the plan reaches the goal in the ground-truth graph
	SolvedWorld int `json:"solved_world"` // the plan reaches the goal in the simulated world
	// Why the rest failed: a picture not recognised, no plan found, a plan that
	// does not lead to the goal (in the graph).
	Unrecognized int `json:"unrecognized"`
	NoPlan       int `json:"no_plan"`
	WrongPlan    int `json:"wrong_plan"`
	Shortest     int `json:"shortest"` // solved with the fewest actions possible
}

// Report is an evaluation.
type Report struct {
	Abstraction Abstraction `json:"abstraction"`
	Horizons    []Horizon   `json:"horizons"`
	// MedianMilliseconds from two pictures to a plan.
	MedianMilliseconds float64 `json:"median_milliseconds"`
}

// Run evaluates a planner on a world.
func Run(ctx context.Context, p *imageplan.Planner, w sim.World, o Options) (Report, error) {
	truth, err := sim.Explored(w, o.Seed)
	if err != nil {
		return Report{}, err
	}
	cam := camera.New(o.Size, o.Size)
	cam.Strength = o.Nuisance
	queries := truth.Queries(o.Seed, o.Queries)
	report := Report{Horizons: make([]Horizon, len(queries))}
	total := 0
	for i, q := range queries {
		report.Horizons[i].Horizon = i + 1
		total += len(q)
	}
	var times []time.Duration
	done := 0
	for s := range photograph(ctx, cam, w, queries, o) {
		if s.err != nil {
			return report, s.err
		}
		begin := time.Now()
		result, err := p.Plan(ctx, s.start, s.goal)
		times = append(times, time.Since(begin))
		if err != nil && !errors.Is(err, imageplan.ErrUnrecognized) {
			return report, fmt.Errorf("query %d: %w", done, err)
		}
		report.Horizons[s.horizon-1].count(truth, w, s.query, result, err)
		done++
		if o.Progress != nil {
			o.Progress(done, total)
		}
	}
	if err := ctx.Err(); err != nil {
		return report, err
	}
	if len(times) > 0 {
		slices.Sort(times)
		report.MedianMilliseconds = times[len(times)/2].Seconds() * 1e3
	}
	return report, nil
}

// count executes a query's plan and counts what became of it.
func (h *Horizon) count(truth *sim.Graph, w sim.World, q sim.Query, r imageplan.Result, err error) {
	h.Queries++
	switch {
	case err != nil:
		h.Unrecognized++
		return
	case r.Outcome != planner.Found:
		h.NoPlan++
		return
	}
	if reaches(q, r.Plan, w.Apply) {
		h.SolvedWorld++
	}
	if !reaches(q, r.Plan, truth.Next) {
		h.WrongPlan++
		return
	}
	h.SolvedGraph++
	if len(r.Plan) == h.Horizon {
		h.Shortest++
	}
}

// reaches executes a plan; a refused action ends it.
func reaches(q sim.Query, plan []strips.ActionID, apply func(sim.State, strips.ActionID) (sim.State, bool)) bool {
	s := q.Start
	for _, a := range plan {
		next, ok := apply(s, a)
		if !ok {
			return false
		}
		s = next
	}
	return s == q.Goal
}

// shot is a query with its pictures.
type shot struct {
	horizon     int
	query       sim.Query
	start, goal pixels.RGB
	err         error
}

// photograph renders the pictures of all queries on several goroutines and
// yields them in order.
func photograph(ctx context.Context, cam camera.Camera, w sim.World, queries [][]sim.Query, o Options) func(func(shot) bool) {
	return func(yield func(shot) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		workers := max(o.Workers, 1)
		queue := make(chan chan shot, workers)
		go func() {
			defer close(queue)
			n := uint64(0)
			for i, list := range queries {
				for _, q := range list {
					result, seed := make(chan shot, 1), n
					n++
					select {
					case queue <- result:
					case <-ctx.Done():
						return
					}
					go func() { result <- render(cam, w, i+1, q, o.Seed, seed) }()
				}
			}
		}()
		for result := range queue {
			if !yield(<-result) {
				return
			}
		}
	}
}

func render(cam camera.Camera, w sim.World, horizon int, q sim.Query, seed, n uint64) shot {
	s := shot{horizon: horizon, query: q}
	for k, state := range []sim.State{q.Start, q.Goal} {
		img, err := cam.Render(w, state, record.EvaluationSeed(seed, 2*n+uint64(k)))
		if err != nil {
			s.err = err
			return s
		}
		if k == 0 {
			s.start = pixels.FromImage(img)
		} else {
			s.goal = pixels.FromImage(img)
		}
	}
	return s
}
