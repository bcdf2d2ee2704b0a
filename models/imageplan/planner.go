package imageplan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"stripswm/models/align"
	"stripswm/models/bundle"
	"stripswm/models/facts"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/vision"
)

// ErrUnrecognized is returned by Plan when an image is refused (Refusal), or start and goal the
// same code of several states; the result still holds both recognitions.
var ErrUnrecognized = errors.New("image not recognized")

// Options of a Planner.
type Options struct {
	Inference  inference.Options
	Limits     planner.Limits
	Thresholds Thresholds // that images must have; the zero Thresholds stands for DefaultTrust
	// Nearest plans with the nearest known state where an image shows none.
	Nearest bool
	// Confirmed is as if Confirm was called.
	Confirmed bool
	// Camera is the one that images come from, where it differs from what the bundle says: a region,
	// or bits, of its own.
	Camera pixels.Camera
}

// Planner plans from images with the parts of one bundle. It is not safe for
// concurrent use.
type Planner struct {
	options Options
	network *inference.Network
	model   *strips.Model
	search  *planner.Planner
	bundle  *bundle.Bundle
	check   check
	facts   *facts.Recognizer // of a bundle that has facts; nil of one that has a task graph
	frame   align.Frame       // how an image becomes the networks' square

	confirmed atomic.Bool
}

// Open loads a bundle, which must have a model and a classifier.
func Open(dir string, o Options) (*Planner, error) {
	b, err := bundle.Open(dir)
	if err != nil {
		return nil, err
	}
	model, err := b.Operators()
	if err != nil {
		return nil, err
	}
	network, err := bundle.Use(b, bundle.Classifier, inference.Open, o.Inference)
	if err != nil {
		return nil, err
	}
	p, err := New(model, network, o)
	if err != nil {
		return nil, errors.Join(b.Unusable(bundle.Classifier, err), network.Close())
	}
	p.bundle = b
	if p.frame, err = FrameOf(b); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.frame.Camera = o.Camera.Or(p.frame.Camera)
	p.confirmed.Store(o.Confirmed)
	distance := bundle.OldDistance
	if _, ok := b.Part(bundle.Facts); ok {
		distance = 1
		p.facts, err = bundle.Decode(b, bundle.Facts, func(r io.Reader) (*facts.Recognizer, error) {
			return facts.Read(r, network)
		})
	} else {
		p.check, err = openCheck(b, o.Inference)
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	thresholds := &p.options.Thresholds
	thresholds.Distance = cmp.Or(thresholds.Distance, b.Manifest.MaxDistance, distance)
	return p, nil
}

// FrameOf is how a bundle's networks see images. Bundles from before there was a Reference take
// them as they are.
func FrameOf(b *bundle.Bundle) (f align.Frame, err error) {
	if f.Frame, err = vision.FrameOf(b); err != nil {
		return f, err
	}
	if _, ok := b.Part(bundle.Reference); !ok {
		return f, nil
	}
	f.Reference, err = bundle.Decode(b, bundle.Reference, align.Read)
	return f, err
}

// New makes a Planner from a model and its classifier, and takes the network over. Images
// are letterboxed.
func New(model *strips.Model, network *inference.Network, o Options) (*Planner, error) {
	if network.Outputs != model.Predicates {
		return nil, fmt.Errorf("the classifier has %d outputs, the model %d predicates", network.Outputs,
			model.Predicates)
	}
	if network.Width != network.Height {
		return nil, fmt.Errorf("the classifier takes %dx%d images, want a square", network.Width,
			network.Height)
	}
	search, err := planner.New(model)
	if err != nil {
		return nil, err
	}
	if o.Thresholds == (Thresholds{}) {
		o.Thresholds = DefaultThresholds()
	}
	return &Planner{options: o, network: network, model: model, search: search,
		frame: align.Frame{Frame: pixels.Frame{Side: network.Width, Fit: pixels.Letterbox,
			Camera: o.Camera}}}, nil
}

// Confirm says that somebody has looked at the table: what is on it are the things of the model,
// whatever they look like. Images of facts are recognized from then on in which one thing looks
// unlike all that was recorded, if the rest tells which and where it is, or in which something
// stands where nothing else is seen. Other goroutines may call it.
func (p *Planner) Confirm() { p.confirmed.Store(true) }

// Confirmed says whether that was said.
func (p *Planner) Confirmed() bool { return p.confirmed.Load() }

// Bundle is what the Planner was opened on; nil if it was made with New.
func (p *Planner) Bundle() *bundle.Bundle { return p.bundle }

// Frame is how images are shown to the networks.
func (p *Planner) Frame() pixels.Frame { return p.frame.Frame }

// Model is the operator model that plans are made with.
func (p *Planner) Model() *strips.Model { return p.model }

// Network is the classifier.
func (p *Planner) Network() *inference.Network { return p.network }

// Facts recognizes the facts of the model in images; nil of a bundle that has a task graph.
func (p *Planner) Facts() *facts.Recognizer { return p.facts }

// Close frees the networks.
func (p *Planner) Close() error { return errors.Join(p.network.Close(), p.check.close()) }

// Result is the answer to a query of two images.
type Result struct {
	Start, Goal Recognition
	planner.Result
	Classify time.Duration // for both images, resizing included
}

// Plan plans from one image to another. It returns ErrUnrecognized, and the
// recognitions, where an image shows no known state, where both show a code that several nodes
// share, as they may be different states, and where they differ in what no fact tells (Differ).
func (p *Planner) Plan(ctx context.Context, start, goal pixels.RGB) (Result, error) {
	return p.plan(ctx, start, "goal", func(r *Result) (_ strips.Goal, err error) {
		if r.Goal, err = p.Recognize(goal); err != nil {
			return nil, fmt.Errorf("goal: %w", err)
		}
		return strips.GoalOf(r.Goal.Used), nil
	})
}

// PlanTo plans from an image to a goal that may leave predicates open.
func (p *Planner) PlanTo(ctx context.Context, start pixels.RGB, goal strips.Goal) (Result, error) {
	return p.plan(ctx, start, "", func(*Result) (strips.Goal, error) { return goal, nil })
}

// PlanToPart plans from an image to what a region of another shows, as RecognizeRegion does.
func (p *Planner) PlanToPart(ctx context.Context, start, goal pixels.RGB, region pixels.Region) (
	Result, error,
) {
	return p.plan(ctx, start, "goal region", func(r *Result) (wanted strips.Goal, err error) {
		r.Goal, wanted, err = p.RecognizeRegion(goal, start, region)
		return wanted, err
	})
}

// plan is Plan to what a function finds the goal to be; image says what shows it, if something
// does.
func (p *Planner) plan(ctx context.Context, start pixels.RGB, image string,
	goal func(*Result) (strips.Goal, error),
) (r Result, err error) {
	begin := time.Now()
	if r.Start, err = p.Recognize(start); err != nil {
		return r, fmt.Errorf("start: %w", err)
	}
	wanted, err := goal(&r)
	if err != nil {
		return r, err
	}
	r.Classify = time.Since(begin)
	if err := p.usable("start", r.Start); err != nil {
		return r, err
	}
	if image != "" {
		if err := p.usable(image, r.Goal); err != nil {
			return r, err
		}
		if nodes := planner.Indistinct(p.model, r.Start.Used, wanted); nodes != nil {
			return r,
				fmt.Errorf(
					"start and goal: %w: both show %s, the code of the nodes %v, which the model cannot "+
						"distinguish", ErrUnrecognized, r.Start.Used, nodes)
		}
		if differ := p.Differ(r.Start, r.Goal); differ != "" {
			return r, fmt.Errorf("start and goal: %w: %s", ErrUnrecognized, differ)
		}
	}
	r.Result, err = p.search.FindGoal(ctx, r.Start.Used, wanted, planner.Auto, p.options.Limits)
	return r, err
}

// usable says why an image is not planned from.
func (p *Planner) usable(image string, r Recognition) error {
	if p.options.Nearest || r.Known() {
		return nil
	}
	return fmt.Errorf("%s: %w: %s", image, ErrUnrecognized, r.Explain())
}

// Obstacles says why there is no plan from a recognized start to a goal.
func (p *Planner) Obstacles(r Result, goal strips.Goal) (planner.Obstacles, error) {
	return p.search.Explain(r.Start.Used, goal, r.Outcome)
}
