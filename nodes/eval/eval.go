package eval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stripswm/models/bundle"
	"stripswm/models/imageplan"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
)

// Options of an evaluation.
type Options struct {
	Queries  int           // per horizon; 200 in the paper
	Images   int           // of each true state, per strength of the nuisance
	Seed     uint64        // of the queries and their images
	Explored uint64        // seed of the part of a simulated world that was explored
	Size     int           // of the images, pixels a side
	Nuisance float64       // strength of the camera's nuisance, as in the recording
	Workers  int           // rendering goroutines
	Budget   time.Duration // to improve each ablated model in; 0 stands for a fixed amount of work
	// Baselines are bundles of baselines, to be asked the same.
	Baselines []*bundle.Bundle
	// Methods are the ids of those to ask beside STRIPS-WM; none stands for all.
	Methods []string
	// Quick leaves out the ablation and stronger nuisance.
	Quick bool
	// Progress is told of each part of the work.
	Progress func(what string, done, total int)
}

func (o *Options) report(what string, done, total int) {
	if o.Progress != nil {
		o.Progress(what, done, total)
	}
}

// Report is an evaluation.
type Report struct {
	Ground *Ground `json:"ground,omitempty"` // of a folder; nil in a simulated world
	// Unrecorded is the number of states that the recording does not have. Where there are two, the
	// queries are between such states alone.
	Unrecorded  int         `json:"unrecorded,omitempty"`
	Abstraction Abstraction `json:"abstraction"`
	Horizons    []Horizon   `json:"horizons"`
	// Unconnected are pairs that the graph of a folder has no path between.
	Unconnected *Horizon `json:"unconnected,omitempty"`
	// MedianMilliseconds from two images to a plan.
	MedianMilliseconds float64 `json:"median_milliseconds"`
	// Methods are others on the images of Horizons.
	Methods     []Method            `json:"methods,omitempty"`
	Ablation    []Ablation          `json:"ablation,omitempty"`
	Calibration []Calibration       `json:"calibration,omitempty"` // by strength
	Unrelated   []OutOfDistribution `json:"unrelated"`             // images that show no state
	Corrupted   []OutOfDistribution `json:"corrupted"`             // images of states, tampered with
	Faulty      *Faulty             `json:"faulty,omitempty"`      // nil where no world is simulated
}

// Method is another way to plan from the same images.
type Method struct {
	Name     string    `json:"name"`
	Horizons []Horizon `json:"horizons"`
}

// Run evaluates a planner, opened on a bundle, on a simulated world.
func Run(ctx context.Context, p *imageplan.Planner, w sim.World, o Options) (Report, error) {
	from, err := simulate(w, p.Bundle().Manifest.Simulation, o)
	if err != nil {
		return Report{}, err
	}
	g, err := graphOf(p)
	if err != nil {
		return Report{}, err
	}
	if n := g.NumActions(); n > w.NumActions() {
		return Report{},
			fmt.Errorf(
				"%s has %d actions, the bundle %d: it was learned in another world or from other skills",
				w.Name(), w.NumActions(), n)
	}
	r, err := run(ctx, p, g, from, o)
	r.Unrecorded = from.unrecorded
	return r, err
}

// RunFolder evaluates a planner, opened on a bundle, on a world that cannot be
// simulated. Of the options, Size and Nuisance mean nothing there, Queries are
// distinct pairs at most, and Images are the recorded ones that tell a state's code.
func RunFolder(ctx context.Context, p *imageplan.Planner, f *Folder, o Options) (Report, error) {
	g, err := graphOf(p)
	if err != nil {
		return Report{}, err
	}
	if err := f.check(g.Labels); err != nil {
		return Report{}, err
	}
	r, err := run(ctx, p, g, labelled{f, o}, o)
	r.Ground = &f.Ground
	return r, err
}

// graphOf is the task graph of a bundle: without states where it has facts in its place.
func graphOf(p *imageplan.Planner) (*taskgraph.Graph, error) {
	if _, ok := p.Bundle().Part(bundle.Facts); !ok {
		return p.Bundle().TaskGraph()
	}
	g := &taskgraph.Graph{}
	for a := range p.Model().Actions() {
		g.Labels = append(g.Labels, p.Model().Label(strips.ActionID(a+1)))
	}
	return g, nil
}

func run(ctx context.Context, p *imageplan.Planner, g *taskgraph.Graph, from source,
	o Options,
) (Report, error) {
	if o.Queries < 1 || o.Images < 1 {
		return Report{},
			fmt.Errorf("evaluation of %d queries a horizon and %d images a state: want at least 1 of each",
				o.Queries, o.Images)
	}
	training, err := learn.ReadTraining(p.Bundle())
	if err != nil && !errors.Is(err, bundle.ErrNoPart) { // a bundle put together from parts
		return Report{}, err
	}
	s, err := recognizeStates(ctx, p, from, o)
	if err != nil {
		return Report{}, err
	}
	r := Report{Abstraction: abstraction(g, training.Transitions, p.Model(), s)}
	if err := r.Abstraction.thresholds(g, p.Model(), s); err != nil {
		return r, err
	}
	e := evaluation{planner: p, source: from, options: o}
	defer e.close()
	if err := e.addMethods(); err != nil {
		return r, err
	}
	known := g.NumStates() > 0 // not so where a model has facts and no task graph
	if !o.Quick && known {
		if r.Ablation, err = e.addAblations(ctx, g); err != nil {
			return r, err
		}
	}
	if err := e.run(ctx); err != nil {
		return r, err
	}
	e.fill(&r)
	if r.Unrelated, err = unrelated(ctx, p, from, o); err != nil {
		return r, err
	}
	if r.Corrupted, err = corrupted(ctx, p, from, s, o); err != nil {
		return r, err
	}
	if r.Faulty, err = faulty(ctx, p, from, s, o); err != nil {
		return r, err
	}
	if !o.Quick && known {
		r.Calibration, err = calibrate(ctx, p.Model(), s, o)
	}
	return r, err
}
