package vision

import (
	"context"
	"fmt"

	"stripswm/models/dataset"
	"stripswm/models/inference"
)

// Options say how to run a training, apart from what is learned.
type Options struct {
	Seed    uint64
	Threads int // of ONNX Runtime; 0 means 1
	// Device is where to train and to encode; empty means the CPU. A device that cannot be used
	// is an error.
	Device inference.Device
	// Checkpoint is the file that keeps the state of training. It is written at each evaluation,
	// and when ctx ends between two; empty keeps none. With Resume an existing one is continued.
	Checkpoint string
	Resume     bool
	// Progress is called after each step with the number of steps that training takes at most: it is
	// not known before when it settles. evaluation is nil between evaluations.
	Progress func(step, steps int, evaluation *Evaluation)
}

func (o Options) session() inference.Options {
	return inference.Options{Device: o.Device, Threads: o.Threads, Strict: true}
}

func (o Options) report(step, steps int, e *Evaluation) {
	if o.Progress != nil {
		o.Progress(step, steps, e)
	}
}

// TrainWorldModel learns stage 1, with the preset's objective and its fallbacks (phases.go). When
// ctx ends it returns the best evaluated weights so far, nil before the first evaluation, together
// with ctx's error.
func TrainWorldModel(ctx context.Context, d *dataset.Dataset, p Preset, o Options) (*Learned,
	error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	if p.FSQ.Dims == 0 {
		p.FSQ = roomFor(p.FSQ.Levels, len(d.Transitions))
	}
	persists := nuisancePersists(d)
	p.Augment = variation(p.Augment, persists)
	var learned *Learned
	for i, f := range p.fallbacks(persists, len(d.Transitions)) {
		if i > 0 && o.Checkpoint != "" {
			o.Checkpoint += "." + f.name
		}
		other, err := start(ctx, d, f.Preset, o)
		if other != nil {
			other.Fallback = f.name
		}
		if learned == nil || other != nil && other.better(learned) {
			learned = other
		}
		if err != nil || f.accepts(other, len(d.Transitions)) {
			return learned, err
		}
	}
	return learned, nil
}

// start trains, and starts again with other weights where training collapsed.
func start(ctx context.Context, d *dataset.Dataset, p Preset, o Options) (*Learned, error) {
	learned, err := train(ctx, d, p, o)
	first := o
	for n := 2; err == nil && p.collapsed(learned.History) && n <= maxStarts; n++ {
		o.Seed = first.Seed + uint64(n)<<32
		if first.Checkpoint != "" {
			o.Checkpoint = fmt.Sprintf("%s.%d", first.Checkpoint, n)
		}
		if learned, err = train(ctx, d, p, o); learned != nil {
			learned.Starts = n
		}
	}
	return learned, err
}

// train is one training with the preset's objective.
func train(ctx context.Context, d *dataset.Dataset, p Preset, o Options) (*Learned, error) {
	t, err := newTrainer(d, p, o)
	if err != nil {
		return nil, fmt.Errorf("stage 1: %w", err)
	}
	defer t.close()
	err = t.run(ctx)
	if t.best == nil && err == nil {
		return nil, fmt.Errorf("stage 1: no evaluation was reached")
	}
	if t.best == nil {
		return nil, fmt.Errorf("stage 1, stopped at step %d of %d, before an evaluation; %s: %w",
			t.step, t.steps, t.kept(), err)
	}
	learned := &Learned{
		Model: t.model, Teacher: t.best, History: t.history, Chosen: t.chosen,
		Separated: t.separated, Settled: t.done(), Starts: 1,
	}
	if err != nil {
		return learned, fmt.Errorf("stage 1, stopped at step %d of %d: %w", t.step, t.steps, err)
	}
	return learned, nil
}
