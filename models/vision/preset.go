package vision

import (
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
	// The objectives of training fallbacks (phases.go); nil: there is none. FallbackSmall is that
	// of preset small. FallbackFew and FallbackForesight are for recordings whose nuisance
	// persists (nuisancePersists).
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
