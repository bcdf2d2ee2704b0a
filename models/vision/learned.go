package vision

import "stripswm/models/networks"

// Learned is a trained world model: the teacher's weights at the chosen checkpoint.
type Learned struct {
	Model   WorldModel
	Teacher []float32
	History []Evaluation
	Chosen  Evaluation
	// Separated is the number of steps of phase separate (phases.go); 0 where there is no such
	// phase, or it did not end.
	Separated int
	Settled   bool   // nothing of note changed any more when training ended
	Fallback  string // one of the training fallbacks, "" for Preset.Objective
	Starts    int    // how often training started, each time with other weights
}

// Backbone is the weights of the encoder's backbone but for its outputs. TrainClassifier begins
// with them.
func (l *Learned) Backbone() []float32 { return l.Teacher[:networks.BodySize(l.Model.Backbone)] }
