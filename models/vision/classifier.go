package vision

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"

	"stripswm/models/augment"
	"stripswm/models/dataset"
	"stripswm/models/networks"
)

// Classifier is the paper's stage 3 model b_phi: a backbone with one logit a
// predicate (appendix A.3).
type Classifier struct {
	Backbone   networks.Backbone
	Predicates int // m
	Settings   ClassifierSettings
}

func (c Classifier) layout() *networks.Layout {
	l := &networks.Layout{}
	c.Backbone.Declare(l, c.Predicates)
	return l
}

// UnknownTarget stands for a value that is not known: it trains nothing.
const UnknownTarget = 0.5

// task is what an engine trains in stage 3. Beside images a step takes targets [batch, m]: 0, 1 or
// UnknownTarget.
func (c Classifier) task() networks.Task {
	batch := 2 * c.Settings.Batch
	return networks.Task{
		Backbone: c.Backbone, Outputs: c.Predicates, Layout: c.layout(),
		Optimizer: c.Settings.Optimizer,
		Views:     1, Batch: batch,
		Extra: []shapes.Shape{shapes.Make(dtypes.Float32, batch, c.Predicates)}, Rates: 3,
		Metrics: []string{"loss", "bits", "exact"}, Loss: c.loss,
	}
}

// loss is as Task.Loss. Metrics: loss, share of right predicates, share of images with all
// predicates right.
func (c Classifier) loss(_ *networks.Gradients, logits, _, _ *g.Node, rest []*g.Node) (dh *g.Node,
	metrics []*g.Node) {
	targets := rest[0]
	// BCE with logits: max(z, 0) - z y + log(1 + exp(-|z|)).
	half := g.Scalar(logits.Graph(), dtypes.Float32, UnknownTarget)
	unknown := g.Equal(targets, half)
	known := g.OneMinus(g.ConvertDType(unknown, dtypes.Float32))
	size := g.Abs(logits)
	bce := g.Add(g.Sub(g.MaxScalar(logits, 0), g.Mul(logits, targets)), g.Log1p(g.Exp(g.Neg(size))))
	margin := g.MaxScalar(g.AddScalar(g.Neg(size), c.Settings.Margin), 0)
	loss := g.ReduceAllMean(g.Mul(known,
		g.Add(bce, g.MulScalar(margin, c.Settings.MarginWeight))))

	positive := g.GreaterOrEqual(logits, g.ScalarZero(logits.Graph(), dtypes.Float32))
	right := g.ConvertDType(g.LogicalOr(unknown, g.Equal(positive, g.GreaterThan(targets, half))),
		dtypes.Float32)
	return g.Gradient(loss, logits)[0],
		[]*g.Node{loss, g.ReduceAllMean(right), g.ReduceAllMean(g.ReduceMin(right, 1))}
}

// ClassifierPoint is one point of stage 3's learning curve: means since the
// point before, on the training images.
type ClassifierPoint struct {
	Step  int     `json:"step"`
	Loss  float64 `json:"loss"`
	Bits  float64 `json:"bits"`  // share of predicates that are right
	Exact float64 `json:"exact"` // share of images with all predicates right
}

// LearnedClassifier is a trained stage 3.
type LearnedClassifier struct {
	Classifier Classifier
	Weights    []float32
	History    []ClassifierPoint
}

// TrainClassifier learns stage 3 from targets[i], the predicate vector of image i. An image without
// one (nil) is left out, but not the other image of its transition. It starts with the backbone of
// the encoder (Learned.Backbone), which separates the states already, or with random weights where
// that is nil.
func TrainClassifier(ctx context.Context, d *dataset.Dataset, targets [][]bool, predicates int,
	backbone []float32, p Preset, o Options) (*LearnedClassifier, error) {
	values := make([][]float32, len(targets))
	for i, target := range targets {
		for _, v := range target {
			value := float32(0)
			if v {
				value = 1
			}
			values[i] = append(values[i], value)
		}
	}
	return TrainPartial(ctx, d, Labels{Images: labelled(d, targets), Targets: values}, predicates,
		backbone, p, o)
}

// Labels are what stage 3 learns from, where not all is known.
type Labels struct {
	Images  []int       // to learn from; they may repeat
	Targets [][]float32 // by image and predicate: 0, 1 or UnknownTarget
}

// TrainPartial is TrainClassifier with targets that may be unknown.
func TrainPartial(ctx context.Context, d *dataset.Dataset, l Labels, predicates int,
	backbone []float32, p Preset, o Options) (*LearnedClassifier, error) {
	images := l.Images
	c := Classifier{Backbone: p.Backbone, Predicates: predicates, Settings: p.Classifier}
	if predicates < 1 || len(images) == 0 {
		return nil, fmt.Errorf("stage 3: %d images with %d predicates: nothing to learn from",
			len(images), predicates)
	}
	if want := networks.BodySize(p.Backbone); backbone != nil && len(backbone) != want {
		return nil, fmt.Errorf("stage 3: the backbone has %d weights, that of preset %s %d: "+
			"use the preset of the encoder", len(backbone), p.Name, want)
	}
	t, err := newClassifierTrainer(c, d, l, variation(p.Augment, nuisancePersists(d)),
		o)
	if err != nil {
		return nil, fmt.Errorf("stage 3: %w", err)
	}
	defer t.engine.Close()
	copy(t.engine.State().Weights(), backbone)
	learned, err := t.run(ctx)
	if err != nil {
		return nil, fmt.Errorf("stage 3: %w", err)
	}
	return learned, nil
}

// labelled lists the images of transitions that have a target, each as often as
// a transition shows it.
func labelled(d *dataset.Dataset, targets [][]bool) []int {
	var images []int
	for _, t := range d.Transitions {
		for _, image := range []int{t.Before, t.After} {
			if targets[image] != nil {
				images = append(images, image)
			}
		}
	}
	return images
}

type classifierTrainer struct {
	classifier Classifier
	data       *dataset.Dataset
	labels     Labels
	options    Options
	augment    augment.Variation
	engine     *networks.Trainer
	sampler    *networks.Sampler
}

func newClassifierTrainer(c Classifier, d *dataset.Dataset, labels Labels,
	augment augment.Variation, o Options) (t *classifierTrainer, err error) {
	task := c.task()
	t = &classifierTrainer{classifier: c, data: d, labels: labels, augment: augment, options: o,
		sampler: networks.NewSampler(len(labels.Images), task.Batch, o.Seed)}
	t.engine, err = networks.NewTrainer(task, o.Seed, streamClassifier, o.session(), t.fill)
	return t, err
}

func (t *classifierTrainer) run(ctx context.Context) (*LearnedClassifier, error) {
	length := t.classifier.Settings.length(len(t.labels.Images))
	learned := &LearnedClassifier{Classifier: t.classifier}
	for step := 0; step < length.steps(); step++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rates := t.classifier.Settings.ratesAt(step, length)
		if _, err := t.engine.Train(step, rates[:]); err != nil {
			return nil, err
		}
		if n := step + 1; n%classifierEvery == 0 || n == length.steps() {
			means := t.engine.Means()
			learned.History = append(learned.History, ClassifierPoint{Step: n, Loss: means["loss"],
				Bits: means["bits"], Exact: means["exact"]})
		}
		if step+1 == length.hold {
			length = length.after(learned.lately())
		}
		t.options.report(step+1, length.most(), nil)
	}
	learned.Weights = append(learned.Weights, t.engine.State().Weights()...)
	return learned, nil
}

// lately is the share of images with all predicates right at the last points of
// the curve.
func (l *LearnedClassifier) lately() float64 {
	sum, last := 0.0, l.History[max(0, len(l.History)-latelyPoints):]
	for _, p := range last {
		sum += p.Exact
	}
	return sum / max(1, float64(len(last)))
}

// fill copies a step's images and their predicates into a batch.
func (t *classifierTrainer) fill(step int, into networks.Inputs) {
	targets := networks.Numbers[float32](into, 0)
	m, bytes := t.classifier.Predicates, t.data.ImageBytes()
	for i, index := range t.sampler.At(step) {
		image := t.labels.Images[index]
		img := into.Images[0].GetData()[i*bytes : (i+1)*bytes]
		rng := rand.New(rand.NewPCG(t.options.Seed<<32^uint64(step), uint64(i)^streamClassifier))
		t.augment.Apply(img, t.data.Image(image), t.data.Size, rng)
		copy(targets[i*m:(i+1)*m], t.labels.Targets[image])
	}
}

// ClassifierSettings are those of stage 3 (paper, table 4).
type ClassifierSettings struct {
	networks.Optimizer
	Epochs int
	Steps  int     // at least so many, however small the recording
	Decay  float64 // share of the steps, at the end, over which the learning rate falls to zero
	// Patience is how many times as long the learning rate may stay in full if the images are not
	// learned by then: it is not known before how hard predicates are to see. 0 and 1: no longer.
	Patience     int
	Batch        int
	Margin       float64 // gamma
	MarginWeight float64 // lambda_margin
}

// length is that of training, steps: with the full learning rate for hold, at least, and then
// while it falls to zero, a share of all.
type length struct {
	hold, limit int
	decay       float64
}

// length of training on a number of images.
func (c ClassifierSettings) length(images int) length {
	steps := max(c.Epochs*max(images/(2*c.Batch), 1), c.Steps)
	hold := steps - int(c.Decay*float64(steps))
	return length{hold, max(c.Patience, 1) * hold, c.Decay}
}

// after is the length when the hold ends, if that share of the images was right lately.
func (l length) after(right float64) length {
	if right < learnedShare {
		l.hold = min(l.hold+classifierEvery, l.limit)
	}
	return l
}

// most is how many steps it may become.
func (l length) most() int { return length{hold: l.limit, decay: l.decay}.steps() }

func (l length) steps() int { return int(math.Round(float64(l.hold) / (1 - l.decay))) }

// ratesAt are Optimizer.Rates with the decay applied.
func (c ClassifierSettings) ratesAt(step int, l length) [3]float32 {
	rates := c.Rates(step)
	if step > l.hold {
		rates[0] *= float32(float64(l.steps()-step) / float64(l.steps()-l.hold))
	}
	return rates
}

// Logits returns the log-odds [n*m] of the predicates in n images, packed [n, size, size, 3].
func (l *LearnedClassifier) Logits(ctx context.Context, images []uint8, o Options) ([]float32,
	error) {
	e, err := networks.NewEncoder(l.Classifier.Backbone, l.Classifier.layout(),
		l.Classifier.Predicates, o.session())
	if err != nil {
		return nil, err
	}
	defer e.Close()
	return e.Encode(ctx, l.Weights, images)
}

// ExportLogits returns the classifier as an ONNX network: images in, log-odds [n, m] out.
func (l *LearnedClassifier) ExportLogits() ([]byte, error) {
	return networks.ExportNetwork(l.Classifier.Backbone, l.Classifier.layout(), l.Weights,
		func(logits *g.Node) *g.Node { return logits })
}
