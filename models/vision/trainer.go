package vision

import (
	"context"
	"errors"
	"fmt"

	"stripswm/models/dataset"
	"stripswm/models/networks"
)

// trainer is one run of stage 1.
type trainer struct {
	model   WorldModel
	data    *dataset.Dataset
	preset  Preset
	options Options
	sampler pairs
	refused [][]int // Dataset.RefusedBetween
	steps   int

	engine  *networks.Trainer
	encoder networks.Encoder

	step      int
	saved     int // steps in the checkpoint; 0 where there is none
	history   []Evaluation
	settled   int
	separated int   // the steps of phase separate; 0 while they are not known
	cuts      []int // of the codes last seen
	best      []float32
	chosen    Evaluation
}

func newTrainer(d *dataset.Dataset, p Preset, o Options) (*trainer, error) {
	t := &trainer{model: p.worldModel(d.Actions), data: d, refused: d.RefusedBetween(), preset: p,
		options: o}
	if err := t.model.validate(); err != nil {
		return nil, err
	}
	if d.Size != p.ImageSize() {
		return nil, fmt.Errorf("images are %d pixels wide, preset %s wants %d", d.Size, p.Name,
			p.ImageSize())
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
	if t.engine, err = networks.NewTrainer(task, t.options.Seed, streamWeights, t.options.session(),
		t.fill); err != nil {
		return err
	}
	t.encoder, err = networks.NewEncoder(t.model.Backbone, task.Layout, t.model.FSQ.Dims,
		t.options.session())
	return err
}

// close frees what allocate made.
func (t *trainer) close() {
	if t.engine != nil {
		t.engine.Close()
	}
	if t.encoder != nil {
		t.encoder.Close()
	}
}

func (t *trainer) run(ctx context.Context) error {
	every := t.preset.WorldModel.every(t.data.Images())
	for ; t.step < t.steps && !t.done() && !t.stalled() &&
		!t.preset.collapsed(t.history); t.step++ {
		if err := ctx.Err(); err != nil {
			if t.step > t.saved {
				err = errors.Join(err, t.save(t.step))
			}
			return err
		}
		if err := t.oneStep(); err != nil {
			return err
		}
		var e *Evaluation
		if n := t.step + 1; n%every == 0 || n == t.steps {
			var err error
			if e, err = t.evaluate(ctx); err != nil {
				return err
			}
		}
		t.options.report(t.step+1, t.steps, e)
	}
	return nil
}

// kept says what an interruption leaves, before there are weights to choose from.
func (t *trainer) kept() string {
	if t.saved == 0 {
		return "nothing is kept"
	}
	return fmt.Sprintf("%s keeps step %d, resume from there", t.options.Checkpoint, t.saved)
}

// oneStep makes a single step on the next batch.
func (t *trainer) oneStep() error {
	rates := t.preset.WorldModel.ratesAt(t.step, t.separated)
	_, err := t.engine.Train(t.step, append(rates[:],
		t.model.Objective.shares(t.step, t.separated)...))
	return err
}
