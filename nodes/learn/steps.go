package learn

import "stripswm/models/vision"

// AtMost is a preset whose stage 1 trains for so many steps at most; 0 keeps the
// preset's. Where that is less than stage 3 would train for on the smallest
// recording, stage 3 trains no longer either.
func AtMost(p vision.Preset, steps int) vision.Preset {
	if steps == 0 {
		return p
	}
	p.WorldModel.Steps = steps
	if steps < p.Classifier.Steps {
		p.Classifier.Steps, p.Classifier.Epochs, p.Classifier.Patience = steps, 0, 1
	}
	return p
}
