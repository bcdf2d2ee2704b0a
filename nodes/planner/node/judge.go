package node

import (
	"sync"
	"time"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/nodes/execute"
)

// recognizer classifies pictures; imageplan.Planner is one.
type recognizer interface {
	Recognize(pixels.RGB) (imageplan.Recognition, error)
}

// judge observes with a recognizer. It is safe for concurrent use.
type judge struct {
	mu         sync.Mutex
	recognizer recognizer
}

// newJudge makes a judge, which from then on is the only user of the recognizer.
func newJudge(r recognizer) *judge { return &judge{recognizer: r} }

// Observe says what a picture of any size shows. The error is for pictures that
// cannot be classified at all.
func (j *judge) Observe(picture pixels.RGB, stamp time.Time) (execute.Observation, error) {
	j.mu.Lock()
	recognition, err := j.recognizer.Recognize(picture)
	j.mu.Unlock()
	if err != nil {
		return execute.Observation{}, err
	}
	o := execute.Observation{Stamp: stamp, Code: recognition.Code, Probabilities: recognition.Probabilities, Node: -1}
	if recognition.Place.Known() {
		o.Node = recognition.Place.Nodes[0]
	}
	for _, u := range recognition.Uncertain() {
		o.Doubts = append(o.Doubts, u.Predicate)
	}
	if !recognition.Known() {
		o.Reason = recognition.Explain()
	}
	return o, nil
}
