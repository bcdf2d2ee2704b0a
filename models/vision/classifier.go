package vision

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"
)

// Classifier is the paper's stage 3 model b_phi: a backbone with one logit a
// predicate (appendix A.3).
type Classifier struct {
	Backbone   Backbone
	Predicates int // m
	Settings   ClassifierSettings
}

func (c Classifier) layout() *layout {
	l := &layout{}
	c.Backbone.declare(l, c.Predicates)
	return l
}

// step is one training step. Inputs: weights, first, second and mask [total],
// rates [3], images uint8 [batch, size, size, 3], targets [batch, m] of 0 and
// 1. Outputs: new weights and moments, and the metrics [3]: loss, share of
// right predicates, share of images with all predicates right.
func (c Classifier) step(in []*g.Node) []*g.Node {
	old := state[*g.Node]{in[0], in[1], in[2]}
	mask, rates, images, targets := in[3], in[4], in[5], in[6]
	w := c.layout().split(old.weights)
	logits, back := c.Backbone.apply(w, images)

	// BCE with logits: max(z, 0) - z y + log(1 + exp(-|z|)).
	size := g.Abs(logits)
	bce := g.Add(g.Sub(g.MaxScalar(logits, 0), g.Mul(logits, targets)), g.Log1p(g.Exp(g.Neg(size))))
	margin := g.MaxScalar(g.AddScalar(g.Neg(size), c.Settings.Margin), 0)
	loss := g.Add(g.ReduceAllMean(bce), g.MulScalar(g.ReduceAllMean(margin), c.Settings.MarginWeight))

	d := newGradients(w)
	back(d, g.Gradient(loss, logits)[0])
	next := c.Settings.update(old, d.flat(), mask, rates)

	half := g.Scalar(logits.Graph(), dtypes.Float32, 0.5)
	positive := g.GreaterOrEqual(logits, g.ScalarZero(logits.Graph(), dtypes.Float32))
	right := g.ConvertDType(g.Equal(positive, g.GreaterThan(targets, half)), dtypes.Float32)
	metrics := []*g.Node{loss, g.ReduceAllMean(right), g.ReduceAllMean(g.ReduceMin(right, 1))}
	for i := range metrics {
		metrics[i] = g.Reshape(metrics[i], 1)
	}
	return []*g.Node{next.weights, next.first, next.second, g.Concatenate(metrics, 0)}
}

// probabilities is the graph (weights, images) -> sigmoid(logits) [batch, m].
func (c Classifier) probabilities(in []*g.Node) []*g.Node {
	logits, _ := c.Backbone.apply(c.layout().split(in[0]), in[1])
	return []*g.Node{g.Sigmoid(logits)}
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

// TrainClassifier learns stage 3 from targets[i], the predicate vector of image
// i; an image without one (nil) is left out, with its transition's other image
// kept. Both images of every transition are used. It begins with the encoder's
// backbone (Learned.Backbone), which tells the states apart already, or anew where
// that is nil.
func TrainClassifier(ctx context.Context, d *Dataset, targets [][]bool, predicates int, backbone []float32, p Preset, o Options) (*LearnedClassifier, error) {
	c := Classifier{Backbone: p.Backbone, Predicates: predicates, Settings: p.Classifier}
	images := labelled(d, targets)
	if predicates < 1 || len(images) == 0 {
		return nil, fmt.Errorf("stage 3: %d images with a predicate vector of %d predicates: nothing to learn from", len(images), predicates)
	}
	if want := body(p.Backbone); backbone != nil && len(backbone) != want {
		return nil, fmt.Errorf("stage 3: the encoder's backbone has %d weights, that of preset %s %d: take the preset that the encoder was learned with", len(backbone), p.Name, want)
	}
	t, err := newClassifierTrainer(c, d, targets, images, p.Augment, o)
	if err != nil {
		return nil, fmt.Errorf("stage 3: %w", err)
	}
	defer t.close()
	copy(t.old[0].GetData(), backbone)
	learned, err := t.run(ctx)
	if err != nil {
		return nil, fmt.Errorf("stage 3: %w", err)
	}
	return learned, nil
}

// labelled lists the images of transitions that have a target, each as often as
// a transition shows it.
func labelled(d *Dataset, targets [][]bool) []int {
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
	data       *Dataset
	targets    [][]bool
	images     []int
	options    Options
	augment    bool
	program    *program
	old, new   [3]*ort.Tensor[float32]
	mask       *ort.Tensor[float32]
	rates      *ort.Tensor[float32]
	metrics    *ort.Tensor[float32]
	sets       [2]labelledBatch
	feed       *feed[labelledBatch]
	sampler    *sampler
}

// labelledBatch is what a step of stage 3 reads of the data.
type labelledBatch struct {
	pictures *ort.Tensor[uint8]   // [batch, size, size, 3]
	targets  *ort.Tensor[float32] // [batch, m] of 0 and 1
}

func newClassifierTrainer(c Classifier, d *Dataset, targets [][]bool, images []int, augment bool, o Options) (t *classifierTrainer, err error) {
	t = &classifierTrainer{classifier: c, data: d, targets: targets, images: images, augment: augment, options: o}
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	l, batch, size := c.layout(), 2*c.Settings.Batch, d.Size
	flat := shapes.Make(dtypes.Float32, l.total)
	t.program, err = compile(c.step, []shapes.Shape{flat, flat, flat, flat, shapes.Make(dtypes.Float32, 3),
		shapes.Make(dtypes.Uint8, batch, size, size, 3), shapes.Make(dtypes.Float32, batch, c.Predicates)}, 4, o.session())
	if err != nil {
		return t, err
	}
	for _, f := range []struct {
		tensor **ort.Tensor[float32]
		dims   []int
	}{
		{&t.old[0], []int{l.total}}, {&t.old[1], []int{l.total}}, {&t.old[2], []int{l.total}},
		{&t.new[0], []int{l.total}}, {&t.new[1], []int{l.total}}, {&t.new[2], []int{l.total}},
		{&t.mask, []int{l.total}}, {&t.rates, []int{3}}, {&t.metrics, []int{3}},
		{&t.sets[0].targets, []int{batch, c.Predicates}}, {&t.sets[1].targets, []int{batch, c.Predicates}},
	} {
		if *f.tensor, err = floats(f.dims...); err != nil {
			return t, err
		}
	}
	for i := range t.sets {
		if t.sets[i].pictures, err = newTensor[uint8]([]int{batch, size, size, 3}); err != nil {
			return t, err
		}
	}
	t.sampler = &sampler{n: len(images), batch: batch, seed: o.Seed}
	t.feed = newFeed(t.sets[0], t.sets[1], t.fill)
	copy(t.old[0].GetData(), l.initial(rand.New(rand.NewPCG(o.Seed, 0xc1a551))))
	copy(t.mask.GetData(), l.decayMask())
	return t, nil
}

func (t *classifierTrainer) close() {
	if t.feed != nil {
		t.feed.wait()
	}
	if t.program != nil {
		t.program.close()
	}
	for _, tensor := range append(append(t.old[:], t.new[:]...), t.mask, t.rates, t.metrics, t.sets[0].targets, t.sets[1].targets) {
		if tensor != nil {
			tensor.Destroy()
		}
	}
	for _, set := range t.sets {
		if set.pictures != nil {
			set.pictures.Destroy()
		}
	}
}

// classifierEvery is the number of steps between points of the curve.
const classifierEvery = 20

func (t *classifierTrainer) run(ctx context.Context) (*LearnedClassifier, error) {
	length := t.classifier.Settings.length(len(t.images))
	learned := &LearnedClassifier{Classifier: t.classifier}
	var sums [3]float64
	count := 0
	for step := 0; step < length.steps(); step++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b := t.feed.at(step)
		rates := t.classifier.Settings.ratesAt(step, length)
		copy(t.rates.GetData(), rates[:])
		in := []ort.Value{t.old[0], t.old[1], t.old[2], t.mask, t.rates, b.pictures, b.targets}
		if err := t.program.run(in, []ort.Value{t.new[0], t.new[1], t.new[2], t.metrics}); err != nil {
			return nil, err
		}
		t.old, t.new = t.new, t.old
		for i, v := range t.metrics.GetData() {
			sums[i] += float64(v)
		}
		count++
		if n := step + 1; n%classifierEvery == 0 || n == length.steps() {
			k := float64(count)
			learned.History = append(learned.History, ClassifierPoint{Step: n, Loss: sums[0] / k, Bits: sums[1] / k, Exact: sums[2] / k})
			sums, count = [3]float64{}, 0
		}
		if step+1 == length.hold {
			length = length.after(learned.lately())
		}
		t.options.report(step+1, length.steps(), nil)
	}
	learned.Weights = append(learned.Weights, t.old[0].GetData()...)
	return learned, nil
}

// lately is the share of images with all predicates right at the last points of
// the curve.
func (l *LearnedClassifier) lately() float64 {
	const points = 5
	sum, last := 0.0, l.History[max(0, len(l.History)-points):]
	for _, p := range last {
		sum += p.Exact
	}
	return sum / max(1, float64(len(last)))
}

// fill copies a step's pictures and their predicates into a batch.
func (t *classifierTrainer) fill(step int, into labelledBatch) {
	m, bytes := t.classifier.Predicates, t.data.imageBytes()
	for i, index := range t.sampler.at(step) {
		image := t.images[index]
		picture := into.pictures.GetData()[i*bytes : (i+1)*bytes]
		copy(picture, t.data.Image(image))
		if t.augment {
			rng := rand.New(rand.NewPCG(t.options.Seed<<32^uint64(step), uint64(i)^0xc1a551))
			augment(picture, t.data.Image(image), t.data.Size, rng)
		}
		for p, value := range t.targets[image] {
			into.targets.GetData()[i*m+p] = 0
			if value {
				into.targets.GetData()[i*m+p] = 1
			}
		}
	}
}
