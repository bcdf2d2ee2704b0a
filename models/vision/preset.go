package vision

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Preset is everything that stages 1 and 3 are trained with. The package
// documentation lists where presets deviate from the paper.
type Preset struct {
	Name      string
	Backbone  Backbone
	FSQ       FSQ // Dims 0: as many as the recording has states for (roomFor)
	Hidden    int // units of the heads
	Objective Objective
	// Mild is what to train with as well where Objective overfits or does not settle. Where what is no
	// state lasts from one image of a static interval to the other (lasting), Few takes the place of Objective, and Lasting
	// that of Mild. nil: there is nothing else.
	Mild, Few, Lasting Objective
	EMA                float64
	Batch              int
	// Augment is which variations of the images to train on in place of the
	// images. They keep a small recording from being learned by heart.
	Augment    Variation
	WorldModel Schedule
	Classifier ClassifierSettings
}

// ImageSize is the side of the images that the preset's networks take, pixels.
func (p Preset) ImageSize() int { return p.Backbone.size() }

// Schedule says how long stage 1 trains and how often it looks at its codes.
type Schedule struct {
	Optimizer
	Steps    int // at most; 0 means Epochs
	Epochs   int // through the data, where Steps is 0
	Evaluate int // steps between evaluations; 0 takes a share of the time (Schedule.every)
	// Stable is the number of steps with the learning rate in full, or Found, after which it
	// decays over as many more to a quarter; training does not settle before that.
	// 0: it never decays.
	Stable int
	// Settled is the number of evaluations in a row without change or latent
	// nondeterminism after which training stops early; 0 never.
	Settled int
}

// length is that of training, steps: with the learning rate in full for hold, at
// least, and then while it falls to zero, a share of all.
type length struct {
	hold, most int
	decay      float64
}

// length of training on a number of images.
func (c ClassifierSettings) length(images int) length {
	steps := max(c.Epochs*max(images/(2*c.Batch), 1), c.Steps)
	hold := steps - int(c.Decay*float64(steps))
	return length{hold, max(c.Patience, 1) * hold, c.Decay}
}

// learnedShare of the images are to have all predicates right in training before
// the learning rate falls.
const learnedShare = 0.95

// after is the length when the hold ends, if that many images were right lately.
func (l length) after(right float64) length {
	if right < learnedShare {
		l.hold = min(l.hold+classifierEvery, l.most)
	}
	return l
}

func (l length) steps() int { return int(math.Round(float64(l.hold) / (1 - l.decay))) }

// ratesAt are Optimizer.rates with the decay applied.
func (c ClassifierSettings) ratesAt(step int, l length) [3]float32 {
	rates := c.rates(step)
	if step > l.hold {
		rates[0] *= float32(float64(l.steps()-step) / float64(l.steps()-l.hold))
	}
	return rates
}

// ratesAt are Optimizer.rates with the learning rate of the step; found as in decay.
func (s Schedule) ratesAt(step, found int) [3]float32 {
	const rest = 0.25
	rates := s.rates(step)
	rates[0] *= 1 - (1-rest)*decayed(step, s.Stable, found)
	return rates
}

// steady says whether nothing changes with the step any more.
func (s Schedule) steady(step, found int) bool {
	from, over := decay(s.Stable, found)
	return (s.Stable != Found || found > 0) && step >= from+over
}

// every is the number of steps between evaluations of that many images. Where it is not
// set, an evaluation takes about a tenth of the time, since a step encodes and learns from a
// batch's images at the cost of encoding some 500.
func (s Schedule) every(images int) int {
	if s.Evaluate > 0 {
		return s.Evaluate
	}
	const least, imagesAStep = 100, 64
	return max(least, images/imagesAStep)
}

// ClassifierSettings are stage 3's (paper, table 4).
type ClassifierSettings struct {
	Optimizer
	Epochs int
	Steps  int     // at least so many, however small the recording; more if they do not suffice
	Decay  float64 // share of the steps, at the end, over which the learning rate falls to zero
	// Patience is how many times as long the learning rate may stay in full if the
	// images are not learned by then: how hard predicates are to see is not known
	// before. 0 and 1: no longer.
	Patience     int
	Batch        int
	Margin       float64 // gamma
	MarginWeight float64 // lambda_margin
}

// WithLoss is the preset with another weight for a loss (Objective.With), whichever of its
// objectives it comes to train with.
func (p Preset) WithLoss(name string, weight float64) (Preset, error) {
	for _, o := range []*Objective{&p.Objective, &p.Mild, &p.Few, &p.Lasting} {
		if *o == nil {
			continue
		}
		var err error
		if *o, err = o.With(name, weight); err != nil {
			return p, err
		}
	}
	return p, nil
}

// PresetByName finds a preset.
func PresetByName(name string) (Preset, error) {
	presets := Presets()
	i := slices.IndexFunc(presets, func(p Preset) bool { return p.Name == name })
	if i < 0 {
		return Preset{}, fmt.Errorf("unknown preset %q: choose auto, small, medium or paper", name)
	}
	return presets[i], nil
}

// Presets are all presets.
func Presets() []Preset { return []Preset{Auto(), Small(), Medium(), Paper()} }

// DefaultPreset is the one for whoever names none.
const DefaultPreset = "auto"

// Auto finds from the recording, and from training itself, how long each phase takes: it
// distinguishes, until that gets no better, and then settles. It has losses that need no
// more than that two images of one static interval are known.
func Auto() Preset {
	p := Medium()
	p.Name = DefaultPreset
	p.FSQ.Dims = 0
	p.Objective["choice"] = Term{Weight: 1, Stable: Found}
	p.Lasting, p.Mild, p.Few = maps.Clone(p.Objective), Small().Objective, Small().Objective
	p.Objective["contrast"] = Term{Weight: 0.5, Stable: Found}
	p.Lasting["foresight"] = Term{Weight: 0.5, Stable: Found}
	p.Few["contrast"] = Term{Weight: 0.05}
	p.WorldModel.Steps, p.WorldModel.Evaluate, p.WorldModel.Stable = 20000, 0, Found
	p.Classifier.Epochs, p.Classifier.Steps, p.Classifier.Patience = 2, 600, 12
	return p
}

// Paper is the paper's setting (its tables 2 and 4). It wants a GPU.
func Paper() Preset {
	return Preset{
		Name: "paper",
		Backbone: ConvNeXt{
			Size: 228, Patch: 4, Kernel: 7, Expand: 4,
			Dims: []int{96, 192, 384, 768}, Depths: []int{3, 3, 9, 3}, // ConvNeXt-Tiny
		},
		FSQ:    FSQ{Levels: 5, Dims: 5},
		Hidden: 512,
		Objective: Objective{
			"dynamics":   {Weight: 1},
			"inverse":    {Weight: 5},
			"commitment": {Weight: 0.05},
			"augment":    {Weight: 0.05}, // the paper does not state it; as mild as its commitment
			"separation": {Weight: 0.03},
		},
		EMA:   0.996,
		Batch: 64,
		WorldModel: Schedule{
			Optimizer: Optimizer{LearningRate: 8e-4, WeightDecay: 0.01, Beta1: 0.9, Beta2: 0.999},
			Epochs:    170, Evaluate: 500,
		},
		Classifier: ClassifierSettings{
			Optimizer: Optimizer{LearningRate: 1e-3, Beta1: 0.9, Beta2: 0.999},
			Epochs:    50, Batch: 64, Margin: 1, MarginWeight: 0.1,
		},
	}
}

// Small trains on two CPU cores in minutes.
func Small() Preset {
	return Preset{
		Name:     "small",
		Backbone: Isotropic{Size: 64, Patch: 8, Dim: 64, Depth: 2, Kernel: 7, Expand: 4, Reduced: 16, Hidden: 64},
		FSQ:      FSQ{Levels: 5, Dims: 5},
		Hidden:   128,
		Objective: Objective{
			"dynamics": {Weight: 0.05},
			"inverse":  {Weight: 1},
			// In full from the start, commitment and pull can draw everything into one
			// code before the inverse head has found what tells actions apart.
			"commitment": {Weight: 0.15, Warmup: 300},
			"pull":       {Weight: 0.15, Warmup: 300},
			"separation": {Weight: 0.03},
			"choice":     {Weight: 0.2},
		},
		EMA:     0.99,
		Batch:   64,
		Augment: AsCameras,
		WorldModel: Schedule{
			Optimizer: Optimizer{LearningRate: 2e-3, WeightDecay: 0.01, Warmup: 50, Beta1: 0.9, Beta2: 0.99},
			Steps:     4000, Evaluate: 100, Settled: 3,
		},
		Classifier: ClassifierSettings{
			Optimizer: Optimizer{LearningRate: 2e-3, Beta1: 0.9, Beta2: 0.99},
			Epochs:    4, Steps: 300, Patience: 4, Batch: 64, Margin: 1, MarginWeight: 0.1,
		},
	}
}

// Medium is Small with room for the DinnerTable worlds: a hundred states, thin
// cutlery, a camera's nuisance. It trains on two CPU cores in half an hour.
func Medium() Preset {
	p := Small()
	p.Name = "medium"
	p.FSQ.Dims = 7
	p.Hidden = 256
	p.Objective["separation"] = Term{Weight: 0.15}
	// The choice is needed to tell states apart early on, and later learns the
	// recording by heart.
	p.Objective["choice"] = Term{Weight: 1, Stable: 2000}
	// In full from the start, continuity slows telling states apart.
	p.Objective["continuity"] = Term{Weight: 1, Warmup: 1500}
	p.WorldModel.Steps = 10000
	p.WorldModel.Evaluate = 250
	p.WorldModel.Stable = 2000
	p.Classifier.Epochs, p.Classifier.Steps, p.Classifier.Decay = 16, 2500, 0.5
	return p
}
