package node

import (
	"sync"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/execute"
)

// recognizer classifies images; imageplan.Planner is one.
type recognizer interface {
	Recognize(pixels.RGB) (imageplan.Recognition, error)
	RecognizeRegion(img, rest pixels.RGB, region pixels.Region) (imageplan.Recognition, strips.Goal,
		error)
}

// observer observes with a recognizer. It is safe for concurrent use.
type observer struct {
	mu         sync.Mutex
	recognizer recognizer
}

// newObserver makes an observer, which from then on is the only user of the recognizer.
func newObserver(r recognizer) *observer { return &observer{recognizer: r} }

// Region says what a region of an image shows, as imageplan.Planner.RecognizeRegion does.
func (j *observer) Region(img, rest pixels.RGB, region pixels.Region) (imageplan.Recognition,
	strips.Goal, error,
) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.recognizer.RecognizeRegion(img, rest, region)
}

// Observe says what an image of any size shows. The error is for images that
// cannot be classified at all.
func (j *observer) Observe(img pixels.RGB) (execute.Observation, error) {
	j.mu.Lock()
	recognition, err := j.recognizer.Recognize(img)
	j.mu.Unlock()
	if err != nil {
		return execute.Observation{}, err
	}
	o := execute.Observation{Code: recognition.Code, Probabilities: recognition.Probabilities,
		Node: -1}
	if recognition.Place.Known() {
		o.Node = recognition.Place.Nodes[0]
	}
	for _, u := range recognition.Uncertain() {
		o.Uncertain = append(o.Uncertain, u.Predicate)
	}
	if !recognition.Known() {
		o.Reason, o.Near = recognition.Explain(), recognition.Near()
	}
	return o, nil
}
