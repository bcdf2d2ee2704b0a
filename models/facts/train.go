package facts

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"stripswm/models/dataset"
	"stripswm/models/networks"
	"stripswm/models/traces"
	"stripswm/models/vision"
)

// DefaultPreset is vision.Small with smaller patches, which read thin objects at places where they
// were seldom seen, and a classifier that trains longer: at least 1,500 steps of 128 images, and up
// to four times as many where the images are not learned by then. Its head is linear: hidden units
// would mix what different places show, and combinations of facts that were never recorded would be
// new to them.
func DefaultPreset() vision.Preset {
	p := vision.Small()
	p.Name = "facts"
	p.Backbone = networks.Isotropic{Size: 64, Patch: 4, Dim: 32, Depth: 2, Kernel: 5, Expand: 2,
		Reduced: 6}
	p.Classifier.Epochs, p.Classifier.Steps = 16, 1500
	p.Classifier.Decay, p.Classifier.Patience = 0.5, 4
	return p
}

// Train learns to recognize the predicates of a result in images: by a classifier that is linear
// in thumbnails, in seconds, or by a network where that one misreads images. Recording is that of
// the data, from which the result was learned. The images of one static interval in eight are held
// out, of one in four where they are few, and say how likely its outputs are. The same arguments
// give the same recognizer. The error says what is missing, or is that of ctx.
func Train(ctx context.Context, d *dataset.Dataset, recording Recording, r *traces.Result,
	p vision.Preset, o vision.Options) (*Recognizer, error) {
	if len(r.Model.Predicates) == 0 {
		return nil, fmt.Errorf("facts: %w: no fact was learned from %d attempts; record more",
			dataset.ErrData, r.Report.Successes+r.Report.Refusals)
	}
	l := labelled{shows: recording.Intervals(r, d.Images()), facts: factsOf(r)}
	l.targets, l.images = labels(l.shows, r)
	blank := Recognizer{Constraints: NewConstraints(r), Limit: 1, size: d.Size}
	z, err := blank.train(ctx, d, l, p, o)
	if err != nil {
		return nil, fmt.Errorf("facts: %w", err)
	}
	return z, nil
}

// labelled is what images of a dataset show.
type labelled struct {
	shows   []int       // the static interval of each image; -1 of none
	targets [][]float32 // of each image; nil of unknown ones
	images  []int       // to learn from
	facts   int         // the first predicates; the others are derived
}

// train is the recognizer with what it learns of images.
func (z Recognizer) train(ctx context.Context, d *dataset.Dataset, l labelled, p vision.Preset,
	o vision.Options,
) (*Recognizer, error) {
	learn, held := split(l)
	if len(held) == 0 {
		return nil, fmt.Errorf("%w: no image is held out of %d static intervals, which takes %d; "+
			"record more", dataset.ErrData, slices.Max(append(l.shows, -1))+1, fewBlocks*blockLength)
	}
	learned, err := z.learnToRead(ctx, d, learn, held, l.shows, l.targets, p, o)
	if err != nil {
		return nil, err
	}
	return learned, learned.calibrate(ctx, d, learn, held, l.targets, l.facts)
}

// learnToRead returns the recognizer with a classifier that is linear, or with a network where that
// one misreads too many of the images held out and the network fewer.
func (z Recognizer) learnToRead(ctx context.Context, d *dataset.Dataset, learn, held, shows []int,
	targets [][]float32, p vision.Preset, o vision.Options) (best *Recognizer, err error) {
	linear, err := trainLinear(ctx, d, learn, targets)
	if err != nil {
		return nil, err
	}
	if linear != nil {
		var right []int
		best, right, err = z.with(ctx, linear, d, held, targets, o)
		if err != nil || !misreadsMore(linearMisread, held, right, shows) {
			return best, err
		}
	}
	network, err := vision.TrainPartial(ctx, d, vision.Labels{Images: learn, Targets: targets},
		z.Constraints.predicates, nil, p, o)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	other, _, err := z.with(ctx, network, d, held, targets, o)
	if err != nil || best != nil && best.Misread <= other.Misread {
		return best, err
	}
	return other, nil
}

// misreadsMore says whether images held out, of which some are read right, show that more than a
// share of static intervals are misread: as many would be by chance in one of a hundred. Images of
// one interval are misread alike.
func misreadsMore(share float64, held, right, shows []int) bool {
	misread := map[int]bool{} // by interval
	for _, i := range held {
		misread[shows[i]] = misread[shows[i]] || !slices.Contains(right, i)
	}
	wrong := 0
	for _, of := range misread {
		if of {
			wrong++
		}
	}
	chance := distuv.Binomial{N: float64(len(misread)), P: share}
	return chance.Survival(float64(wrong-1)) < 0.01
}

// with is the recognizer with a classifier, and which images of those held out it reads right.
func (z Recognizer) with(ctx context.Context, c *vision.LearnedClassifier, d *dataset.Dataset,
	held []int, targets [][]float32, o vision.Options) (_ *Recognizer, right []int, err error) {
	z.Classifier = c
	z.logits = func(ctx context.Context, images []uint8) ([]float32, error) {
		return c.Logits(ctx, images, o)
	}
	right, unlikely, err := z.right(ctx, d, held, targets)
	if err != nil {
		return nil, nil, err
	}
	z.Misread, z.Unit = 1-float64(len(right))/float64(len(held)), minUnit
	if len(right) > 0 {
		z.Unit = min(max(minUnit, tail(unlikely, rareShare)), maxNats*float64(z.Constraints.predicates))
	}
	return &z, right, nil
}

// calibrate learns what images look like, and what it takes to trust one.
func (z *Recognizer) calibrate(ctx context.Context, d *dataset.Dataset, learn, held []int,
	targets [][]float32, facts int) (err error) {
	images := slices.Concat(learn, held)
	slices.Sort(images)
	z.Appearance = learnAppearance(d, images, targets, facts, func(images []int) (right []int) {
		right, _, err = z.right(ctx, d, images, targets)
		return right
	})
	return err
}
