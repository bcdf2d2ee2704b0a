package vision

import (
	"fmt"
	"maps"
	"slices"

	"stripswm/models/augment"
	"stripswm/models/networks"
)

// Preset has all settings of the training of stages 1 and 3.
type Preset struct {
	Name      string
	Backbone  networks.Backbone
	FSQ       FSQ // Dims 0: as many as the recording may have states for (roomFor)
	Hidden    int // units of the heads
	Objective Objective
	// Objectives to fall back on (phases.go); nil where there is none. FallbackSmall is tried when
	// Objective overfits or does not settle. FallbackFew and FallbackForesight take the place of
	// Objective for recordings whose nuisance persists (nuisancePersists), where contrast in full
	// gives nearly every image a code of its own.
	FallbackSmall, FallbackFew, FallbackForesight Objective
	EMA                                           float64 // the teacher's mu
	Batch                                         int
	// Augment is how training images are varied. Without it training overfits small recordings.
	Augment    augment.Variation
	WorldModel Schedule
	Classifier ClassifierSettings
}

// ImageSize is the side of the images that the preset's networks take, pixels.
func (p Preset) ImageSize() int { return p.Backbone.ImageSize() }

// WithLoss is the preset with another weight for a loss (Objective.With) in all of its objectives.
func (p Preset) WithLoss(name string, weight float64) (Preset, error) {
	for _, o := range []*Objective{&p.Objective, &p.FallbackSmall, &p.FallbackFew,
		&p.FallbackForesight} {
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

// DefaultPreset is the preset where none is named.
const DefaultPreset = "auto"

// Auto finds from the recording, and from training itself, how long each phase takes (phases.go).
func Auto() Preset {
	p := Medium()
	p.Name = DefaultPreset
	p.FSQ.Dims = 0
	p.Objective["choice"] = Term{Weight: 1, Stable: Separated}
	p.FallbackForesight, p.FallbackSmall, p.FallbackFew = maps.Clone(p.Objective),
		Small().Objective, Small().Objective
	p.Objective["contrast"] = Term{Weight: 0.5, Stable: Separated}
	p.FallbackForesight["foresight"] = Term{Weight: 0.5, Stable: Separated}
	p.FallbackFew["contrast"] = Term{Weight: 0.05}
	p.WorldModel.Steps, p.WorldModel.Evaluate, p.WorldModel.Stable = 20000, 0, Separated
	p.Classifier.Epochs, p.Classifier.Steps, p.Classifier.Patience = 2, 600, 12
	return p
}

// Paper is the paper's setting (its tables 2 and 4). It wants a GPU.
func Paper() Preset {
	return Preset{
		Name: "paper",
		Backbone: networks.ConvNeXt{
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
			Optimizer: networks.Optimizer{LearningRate: 8e-4, WeightDecay: 0.01, Beta1: 0.9,
				Beta2: 0.999},
			Epochs: 170, Evaluate: 500,
		},
		Classifier: ClassifierSettings{
			Optimizer: networks.Optimizer{LearningRate: 1e-3, Beta1: 0.9, Beta2: 0.999},
			Epochs:    50, Batch: 64, Margin: 1, MarginWeight: 0.1,
		},
	}
}

// Small trains on two CPU cores in minutes.
func Small() Preset {
	return Preset{
		Name: "small",
		Backbone: networks.Isotropic{Size: 64, Patch: 8, Dim: 64, Depth: 2, Kernel: 7, Expand: 4,
			Reduced: 16, Hidden: 64},
		FSQ:    FSQ{Levels: 5, Dims: 5},
		Hidden: 128,
		Objective: Objective{
			"dynamics": {Weight: 0.05},
			"inverse":  {Weight: 1},
			// With their full weight from the start, commitment and pull can draw everything into
			// one code before the inverse head separates the actions.
			"commitment": {Weight: 0.15, Warmup: 300},
			"pull":       {Weight: 0.15, Warmup: 300},
			"separation": {Weight: 0.03},
			"choice":     {Weight: 0.2},
		},
		EMA:     0.99,
		Batch:   64,
		Augment: augment.Camera,
		WorldModel: Schedule{
			Optimizer: networks.Optimizer{LearningRate: 2e-3, WeightDecay: 0.01, Warmup: 50,
				Beta1: 0.9, Beta2: 0.99},
			Steps: 4000, Evaluate: 100, Settled: 3,
		},
		Classifier: ClassifierSettings{
			Optimizer: networks.Optimizer{LearningRate: 2e-3, Beta1: 0.9, Beta2: 0.99},
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
	// The choice separates states early on, and later overfits the recording.
	p.Objective["choice"] = Term{Weight: 1, Stable: 2000}
	// With its full weight from the start, continuity delays the separation of states.
	p.Objective["continuity"] = Term{Weight: 1, Warmup: 1500}
	p.WorldModel.Steps = 10000
	p.WorldModel.Evaluate = 250
	p.WorldModel.Stable = 2000
	p.Classifier.Epochs, p.Classifier.Steps, p.Classifier.Decay = 16, 2500, 0.5
	return p
}
