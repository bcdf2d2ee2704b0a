package networks

// State is what training carries from step to step, flat vectors of a layout. Checkpoints keep
// them in this order.
type State [][]float32

const (
	stateWeights         = iota
	stateFirstIntervals  // of the gradients, for AdamW
	stateSecondIntervals // of the gradients, for AdamW
	stateTeacher         // only where a Task has a teacher
)

// Weights are those that are trained.
func (s State) Weights() []float32 { return s[stateWeights] }

// Teacher is the teacher's weights, which follow the others; nil where there is none.
func (s State) Teacher() []float32 {
	if len(s) <= stateTeacher {
		return nil
	}
	return s[stateTeacher]
}
