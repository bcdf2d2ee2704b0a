package vision

import (
	"context"
	"fmt"
	"math"

	"stripswm/internal/spread"
	"stripswm/models/augment"
	"stripswm/models/dataset"
	"stripswm/models/inference"
	"stripswm/models/pixels"
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

// Names of the training fallbacks in Learned.Fallback. Summaries and checkpoint files keep them, so
// they stay although the fields of Preset have other names.
const (
	FallbackSmall     = "mild"    // trains with Preset.FallbackSmall
	FallbackFew       = "few"     // trains with Preset.FallbackFew
	FallbackForesight = "lasting" // trains with Preset.FallbackForesight
)

// fallback is a training to try, and when its result is accepted (phases.go).
type fallback struct {
	Preset
	name     string  // "" for Preset.Objective
	disputed float64 // the greatest Evaluation.Disputed
	visits   float64 // the most transitions a code
}

// accepts says whether a result is good enough not to try the next fallback.
func (f fallback) accepts(l *Learned, transitions int) bool {
	return l.Settled && l.Chosen.Disputed <= f.disputed &&
		float64(transitions) <= f.visits*float64(l.Chosen.Codes)
}

// fallbacks lists the trainings to try on a recording, one after the other.
func (p Preset) fallbacks(persists bool, transitions int) []fallback {
	always := math.Inf(1)
	settled := func(p Preset, name string) fallback { return fallback{p, name, 1, always} }
	switch {
	case p.FallbackForesight != nil && persists:
		few := p.asSmall(p.FallbackFew)
		if transitions < 2*foresightVisits { // no two states can have been visited so often
			return []fallback{settled(few, FallbackFew)}
		}
		foresight := p
		foresight.Objective = p.FallbackForesight
		return []fallback{
			{few, FallbackFew, acceptedDisputed, foresightVisits},
			settled(foresight, FallbackForesight),
		}
	case p.FallbackSmall != nil:
		return []fallback{settled(p, ""), settled(p.asSmall(p.FallbackSmall), FallbackSmall)}
	}
	return []fallback{settled(p, "")}
}

// asSmall trains with an objective as preset small does: without phase separate, and no longer.
func (p Preset) asSmall(o Objective) Preset {
	p.Objective, p.WorldModel.Stable = o, 0
	p.WorldModel.Steps = min(p.WorldModel.Steps, Small().WorldModel.Steps)
	return p
}

// better says whether the codes of l tell more of the outcomes of attempts (score). Whether a
// training settled does not count: it may settle with too few codes.
func (l *Learned) better(other *Learned) bool { return l.Chosen.Score > other.Chosen.Score }

// nuisancePersists says whether what is no state, such as where in its place a cup stands, is the
// same in the two images of a static interval. Then these two are nearer to each other than to
// any image of another interval. Where it changes they hardly ever are, since other intervals show
// the same state. The loss contrast would separate static intervals by persistent nuisance.
func nuisancePersists(d *dataset.Dataset) bool {
	var intervals [][2]int
	for i := 1; i < len(d.Transitions); i++ {
		if d.Transitions[i].Follows {
			intervals = append(intervals, [2]int{d.Transitions[i-1].After, d.Transitions[i].Before})
		}
	}
	thumbnail := func(image int) pixels.Thumbnail {
		return pixels.NewThumbnail(d.Image(image), d.Size)
	}
	images := spread.Indices(d.Images(), persistentImages)
	thumbnails := make([]pixels.Thumbnail, len(images))
	for i, image := range images {
		thumbnails[i] = thumbnail(image)
	}
	chosen, nearest := spread.Indices(len(intervals), persistentIntervals), 0
	for _, k := range chosen {
		first, last := intervals[k][0], intervals[k][1]
		at, least := thumbnail(first), math.Inf(1)
		for i, other := range thumbnails {
			if images[i] < first || images[i] > last { // between are those of refused attempts
				least = min(least, at.Distance(other))
			}
		}
		if at.Distance(thumbnail(last)) < least {
			nearest++
		}
	}
	return persistentHalf*nearest > len(chosen)
}

// variation is the one to train with. Where nuisance persists, the few scenes that were recorded
// do not show how much the scenes of one state differ, so that images are warped, too.
func variation(of augment.Variation, persists bool) augment.Variation {
	if of == augment.Camera && persists {
		return augment.Scene
	}
	return of
}

// SweepWorldModel trains one world model for each latent space and returns the
// best by the rule that selects checkpoints (paper, appendix A.1). Each space
// has its own checkpoint file; an interruption returns the best so far.
func SweepWorldModel(ctx context.Context, d *dataset.Dataset, p Preset, spaces []FSQ,
	o Options) (*Learned, error) {
	var best *Learned
	for _, q := range spaces {
		p.FSQ = q
		run := o
		if run.Checkpoint != "" {
			run.Checkpoint = fmt.Sprintf("%s.%dx%d", o.Checkpoint, q.Levels, q.Dims)
		}
		learned, err := TrainWorldModel(ctx, d, p, run)
		if learned != nil && (best == nil || learned.Chosen.Better(best.Chosen)) {
			best = learned
		}
		if err != nil {
			return best, fmt.Errorf("latent space %s: %w", q, err)
		}
	}
	if best == nil {
		return nil, fmt.Errorf("sweep: no latent spaces to try")
	}
	return best, nil
}
