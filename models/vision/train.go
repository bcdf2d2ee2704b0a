package vision

import (
	"context"
	"errors"
	"fmt"

	"stripswm/models/inference"
)

// Options say how to run a training, apart from what is learnt.
type Options struct {
	Seed    uint64
	Threads int // of ONNX Runtime; 0 means 1
	// Device is where to train and to encode; empty means the CPU. A device
	// that cannot be used is an error.
	Device inference.Device
	// Checkpoint is the file that keeps the state of training, written at each
	// evaluation and when ctx ends between two; empty keeps none. With Resume an existing one is continued.
	Checkpoint string
	Resume     bool
	// Progress is told about every step, of about how many; evaluation is nil between evaluations.
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

// Learned is a trained world model: the teacher's weights at the chosen
// checkpoint.
type Learned struct {
	Model   WorldModel
	Teacher []float32
	History []Evaluation
	Chosen  Evaluation
	// Found is the step by which images were distinguished as far as they can be, where the
	// preset looks for it (Found); 0 where that was not found.
	Found   int
	Settled bool   // nothing of note changed any more when training ended
	Course  string // what it was trained with: Mild, Few, Lasting, or nothing for Preset.Objective
	Starts  int    // how often training began, each time with other weights, until they told anything apart
}

// Backbone is what the encoder's backbone has learned but for its outputs, which
// TrainClassifier begins with.
func (l *Learned) Backbone() []float32 { return l.Teacher[:body(l.Model.Backbone)] }

// worldModel is the preset's stage 1 model for L actions.
func (p Preset) worldModel(actions int) WorldModel {
	return WorldModel{
		Backbone: p.Backbone, FSQ: p.FSQ, Actions: actions, Objective: p.Objective,
		EMA: p.EMA, Hidden: p.Hidden, Optimizer: p.WorldModel.Optimizer,
	}
}

// TrainWorldModel learns stage 1. When ctx ends it returns the best evaluated
// weights so far, nil before the first evaluation, together with ctx's error.
func TrainWorldModel(ctx context.Context, d *Dataset, p Preset, o Options) (*Learned, error) {
	if err := d.validate(); err != nil {
		return nil, err
	}
	if p.FSQ.Dims == 0 {
		p.FSQ = roomFor(p.FSQ.Levels, len(d.Transitions))
	}
	lasts := lasting(d)
	p.Augment = p.Augment.where(lasts)
	var learned *Learned
	for i, c := range p.courses(lasts, len(d.Transitions)) {
		if i > 0 && o.Checkpoint != "" {
			o.Checkpoint += "." + c.name
		}
		other, err := start(ctx, d, c.Preset, o)
		if other != nil {
			other.Course = c.name
		}
		if learned == nil || other != nil && other.better(learned) {
			learned = other
		}
		if err != nil || c.convinces(other, len(d.Transitions)) {
			return learned, err
		}
	}
	return learned, nil
}

// start trains, and begins again with other weights where the first come to nothing.
func start(ctx context.Context, d *Dataset, p Preset, o Options) (*Learned, error) {
	const starts = 4 // few come to nothing
	learned, err := train(ctx, d, p, o)
	first := o
	for n := 2; err == nil && p.collapsed(learned.History) && n <= starts; n++ {
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
func train(ctx context.Context, d *Dataset, p Preset, o Options) (*Learned, error) {
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
		return nil, fmt.Errorf("stage 1, stopped at step %d of %d, before anything could be evaluated; %s: %w", t.step, t.steps, t.kept(), err)
	}
	learned := &Learned{Model: t.model, Teacher: t.best, History: t.history, Chosen: t.chosen, Found: t.found, Settled: t.done(), Starts: 1}
	if err != nil {
		return learned, fmt.Errorf("stage 1, stopped at step %d of %d: %w", t.step, t.steps, err)
	}
	return learned, nil
}

// trainer is one run of stage 1.
type trainer struct {
	model   WorldModel
	data    *Dataset
	preset  Preset
	options Options
	sampler pairs
	between [][]int // Dataset.between
	steps   int

	engine  engine
	encoder encoder
	batches [2]batch
	feed    *feed[batch]

	step    int
	saved   int       // steps in the checkpoint; 0 where there is none
	sums    []float64 // of metrics since the last evaluation
	count   int
	history []Evaluation
	settled int
	found   int   // steps, in place of Found; 0 while it is not known
	cuts    []int // of the codes last seen
	best    []float32
	chosen  Evaluation
}

func newTrainer(d *Dataset, p Preset, o Options) (*trainer, error) {
	t := &trainer{model: p.worldModel(d.Actions), data: d, between: d.between(), preset: p, options: o}
	t.sums = make([]float64, len(t.model.metrics()))
	if err := t.model.validate(); err != nil {
		return nil, err
	}
	if d.Size != p.ImageSize() {
		return nil, fmt.Errorf("images are %d pixels wide, preset %s wants %d", d.Size, p.Name, p.ImageSize())
	}
	t.sampler = newPairs(len(d.Transitions), p.Batch, o.Seed)
	t.steps = p.WorldModel.Steps
	if t.steps == 0 {
		t.steps = p.WorldModel.Epochs * max(len(d.Transitions)/p.Batch, 1)
	}
	if err := t.allocate(); err != nil {
		t.close()
		return nil, err
	}
	if err := t.resume(); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// allocate compiles the graphs and makes their tensors.
func (t *trainer) allocate() (err error) {
	task := t.model.task(t.preset.Batch)
	if t.engine, err = newEngine(task, t.options.Seed, 0x57a6e1, t.options); err != nil {
		return err
	}
	if t.encoder, err = newEncoder(t.model.Backbone, task.layout, t.model.FSQ.Dims, t.options); err != nil {
		return err
	}
	for i := range t.batches {
		if t.batches[i], err = newBatch(t.model, t.preset.Batch); err != nil {
			return err
		}
	}
	t.feed = newFeed(t.batches[0], t.batches[1], t.fill)
	return nil
}

// close frees what allocate made.
func (t *trainer) close() {
	if t.feed != nil {
		t.feed.wait()
	}
	if t.engine != nil {
		t.engine.close()
	}
	if t.encoder != nil {
		t.encoder.close()
	}
	for _, b := range t.batches {
		b.free()
	}
}

func (t *trainer) run(ctx context.Context) error {
	every := t.preset.WorldModel.every(t.data.Images())
	for ; t.step < t.steps && !t.done() && !t.stalled() && !t.preset.collapsed(t.history); t.step++ {
		if err := ctx.Err(); err != nil {
			if t.step > t.saved {
				err = errors.Join(err, t.save(t.step))
			}
			return err
		}
		if err := t.one(); err != nil {
			return fmt.Errorf("step %d: %w", t.step, err)
		}
		var e *Evaluation
		if n := t.step + 1; n%every == 0 || n == t.steps {
			var err error
			if e, err = t.evaluate(ctx); err != nil {
				return err
			}
		}
		t.options.report(t.step+1, t.expected(), e)
	}
	return nil
}

// expected is about how many steps training will have made when it ends. While it is not known
// when images are distinguished, that is taken to need as many steps again, and 8 evaluations at least.
func (t *trainer) expected() int {
	s := t.preset.WorldModel
	if s.Settled == 0 {
		return t.steps
	}
	every, found := s.every(t.data.Images()), t.found
	if s.Stable == Found && found == 0 {
		found = max(2*t.step, 8*every)
	}
	from, over := decay(s.Stable, found)
	return min(max(from+over, t.step+1)+(s.Settled-t.settled)*every, t.steps)
}

// kept says what an interruption leaves, before there are weights to choose from.
func (t *trainer) kept() string {
	if t.saved == 0 {
		return "nothing is kept"
	}
	return fmt.Sprintf("%s keeps step %d, resume from there", t.options.Checkpoint, t.saved)
}

// one makes a single step on the next batch.
func (t *trainer) one() error {
	b := t.feed.at(t.step)
	rates := t.preset.WorldModel.ratesAt(t.step, t.found)
	metrics, err := t.engine.step(append(rates[:], t.model.Objective.shares(t.step, t.found)...), b.tensors())
	if err != nil {
		return err
	}
	for i, v := range metrics {
		if v != v {
			return fmt.Errorf("%s is not a number; try a lower learning rate", t.model.metrics()[i])
		}
		t.sums[i] += float64(v)
	}
	t.count++
	return nil
}
