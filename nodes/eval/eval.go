package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	// Quick leaves out the ablation, images that show no state, and stronger nuisance.
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
func Run(ctx context.Context, p *imageplan.Planner, w *sim.World, o Options) (Report, error) {
	from, err := simulate(w, p.Bundle().Manifest.Simulation, o)
	if err != nil {
		return Report{}, err
	}
	g, err := graphOf(p)
	if err != nil {
		return Report{}, err
	}
	if n := g.NumActions(); n > w.NumActions() {
		return Report{}, fmt.Errorf("%s has %d actions, the bundle %d: it was learned in another "+
			"world or from other skills", w.Name(), w.NumActions(), n)
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
		return Report{}, fmt.Errorf("evaluation of %d queries a horizon and %d images a state: want at "+
			"least 1 of each", o.Queries, o.Images)
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
	if err := r.Abstraction.countTrusted(g, p.Model(), s); err != nil {
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
	if o.Quick {
		return r, nil
	}
	if r.Unrelated, err = unrelated(ctx, p, from, o); err != nil {
		return r, err
	}
	if r.Corrupted, err = corrupted(ctx, p, from, s, o); err != nil {
		return r, err
	}
	if r.Faulty, err = faulty(ctx, p, from, s, o); err != nil {
		return r, err
	}
	if known {
		r.Calibration, err = calibrate(ctx, p.Model(), s, o)
	}
	return r, err
}

// evaluation answers the same queries by several methods.
type evaluation struct {
	planner *imageplan.Planner
	source  source
	options Options

	methods  []*method // STRIPS-WM first
	ablated  []*method // by row of the ablation's table; nil where nothing could be learned
	closers  []func() error
	duration []time.Duration // of STRIPS-WM's answers
}

func (e *evaluation) close() {
	for _, c := range e.closers {
		c()
	}
}

// question is a query at its horizon, 0 without a path.
type question struct {
	sim.Query
	horizon int
}

// run photographs the queries and counts what becomes of every method's answers.
func (e *evaluation) run(ctx context.Context) error {
	asked := append(e.methods[:len(e.methods):len(e.methods)], e.ablated...)
	asked = slices.DeleteFunc(asked, func(m *method) bool { return m == nil })
	world, err := newLoop(e.planner, e.source)
	if err != nil {
		return err
	}
	return ask(ctx, e.source, e.options, asked, func(taken shot) (recognizedQuery, error) {
		begin := time.Now()
		seen, err := recognize(ctx, e.planner, taken)
		e.duration = append(e.duration, time.Since(begin))
		return seen, err
	}, func(q question, seen recognizedQuery) error { return e.execute(ctx, world, q, seen) })
}

// ask photographs the queries, recognizes each by see, and counts what becomes of every method's
// answers. It calls then after each query.
func ask(ctx context.Context, from source, o Options, asked []*method,
	see func(shot) (recognizedQuery, error), then func(question, recognizedQuery) error,
) error {
	var questions []question
	var orders []order
	add := func(horizon int, list []sim.Query) {
		for _, q := range list {
			orders = append(orders, from.pair(len(orders), q))
			questions = append(questions, question{q, horizon})
		}
	}
	for i, list := range from.queries(o.Queries) {
		for _, m := range asked {
			m.horizons = append(m.horizons, Horizon{Horizon: i + 1})
		}
		add(i+1, list)
	}
	add(0, from.unconnected(o.Queries))
	n := 0
	return photograph(ctx, orders, o.Workers, func(taken shot) error {
		seen, err := see(taken)
		if err != nil {
			return fmt.Errorf("query %d: %w", n, err)
		}
		for _, m := range asked {
			a, err := m.answer(ctx, seen)
			if err != nil {
				return fmt.Errorf("query %d: %s: %w", n, m.name, err)
			}
			m.count(from, questions[n], a)
		}
		if err := then(questions[n], seen); err != nil {
			return fmt.Errorf("query %d: %w", n, err)
		}
		n++
		o.report("evaluate", n, len(orders))
		return nil
	})
}

// execute runs some of each horizon's queries in closed loop.
func (e *evaluation) execute(ctx context.Context, world *loop, q question,
	seen recognizedQuery,
) error {
	if q.horizon == 0 || e.source.photograph(q.Start, 0, 0) == nil {
		return nil
	}
	h := &e.methods[0].horizons[q.horizon-1]
	if h.Executed*executedShare >= e.options.Queries {
		return nil
	}
	return world.execute(ctx, q.Query, seen.result.Goal, h)
}

// fill puts the counts in the report.
func (e *evaluation) fill(r *Report) {
	r.Horizons = e.methods[0].horizons
	if distinct := e.methods[0].distinct; distinct.Queries > 0 {
		r.Unconnected = &distinct
	}
	for _, m := range e.methods[1:] {
		r.Methods = append(r.Methods, Method{m.name, m.horizons})
	}
	for i := range r.Ablation {
		if i == 0 {
			r.Ablation[i].Horizons = r.Horizons
		} else if m := e.ablated[i-1]; m != nil {
			r.Ablation[i].Horizons = m.horizons
		}
	}
	if n := len(e.duration); n > 0 {
		slices.Sort(e.duration)
		r.MedianMilliseconds = e.duration[n/2].Seconds() * 1e3
	}
}

// RunBaselines evaluates the baselines of the options alone, without a bundle of ours, on a
// simulated world: to see that a method works on a world where its publication says so.
func RunBaselines(ctx context.Context, w *sim.World, o Options) ([]Method, error) {
	if o.Queries < 1 || len(o.Baselines) == 0 {
		return nil, fmt.Errorf("evaluation of %d baselines with %d queries a horizon: "+
			"want at least 1 of each", len(o.Baselines), o.Queries)
	}
	from, err := simulate(w, o.Baselines[0].Manifest.Simulation, o)
	if err != nil {
		return nil, err
	}
	e := evaluation{source: from, options: o}
	defer e.close()
	if err := e.addBaselines(o.Baselines); err != nil {
		return nil, err
	}
	seen := func(taken shot) (recognizedQuery, error) { return recognizedQuery{images: taken}, nil }
	if err := ask(ctx, e.source, o, e.methods, seen, func(question, recognizedQuery) error {
		return nil
	}); err != nil {
		return nil, err
	}
	var methods []Method
	for _, m := range e.methods {
		methods = append(methods, Method{m.name, m.horizons})
	}
	return methods, nil
}

// Streams keep the random numbers of one seed apart.
const (
	streamQueries   uint64 = 0x51e57 // queries in a folder of images
	streamFaulty    uint64 = 0xfa17  // tables with an object removed, doubled or moved
	streamUnrelated uint64 = 0xf04e  // unrelated images
	streamCorrupted uint64 = 0xa17e  // corrupted images
)
