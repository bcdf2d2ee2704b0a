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
	Differ(a, b imageplan.Recognition) string
}

// observer observes with a recognizer. It is safe for concurrent use.
type observer struct {
	mu         sync.Mutex
	recognizer recognizer
	// wanted is the goal image that is worked on; nil of none. An image that differs from it in what
	// no fact tells is not recognized: no plan leads there.
	wanted *imageplan.Recognition
}

// Forget ends what Goal and Region began: images are recognized whatever they want.
func (j *observer) Forget() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.wanted = nil
}

// newObserver makes an observer, which from then on is the only user of the recognizer.
func newObserver(r recognizer) *observer { return &observer{recognizer: r} }

// Goal says what a goal image shows, and wants that.
func (j *observer) Goal(img pixels.RGB) (execute.Observation, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.wanted = nil
	recognition, err := j.recognizer.Recognize(img)
	if err != nil {
		return execute.Observation{}, err
	}
	o := j.observation(recognition)
	j.wanted = &recognition
	return o, nil
}

// Region says what a region of a goal image shows, as imageplan.Planner.RecognizeRegion does, and
// wants that.
func (j *observer) Region(img, rest pixels.RGB, region pixels.Region) (imageplan.Recognition,
	strips.Goal, error,
) {
	j.mu.Lock()
	defer j.mu.Unlock()
	recognition, goal, err := j.recognizer.RecognizeRegion(img, rest, region)
	j.wanted = &recognition
	return recognition, goal, err
}

// Observe says what an image of any size shows. The error is for images that
// cannot be classified at all.
func (j *observer) Observe(img pixels.RGB) (execute.Observation, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	recognition, err := j.recognizer.Recognize(img)
	if err != nil {
		return execute.Observation{}, err
	}
	return j.observation(recognition), nil
}

func (j *observer) observation(recognition imageplan.Recognition) execute.Observation {
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
	} else if j.wanted != nil {
		o.Reason = j.recognizer.Differ(recognition, *j.wanted)
	}
	return o
}
