package node

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"stripswm/models/align"
	"stripswm/models/bundle"
	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/execute"
)

// recognizeGoal returns what has to hold: the facts of a goal, or what its image shows.
func (s *session) recognizeGoal(ctx context.Context, w goalJob, policy execute.Policy) (
	strips.Goal, error,
) {
	if w.facts != nil {
		goal, err := s.model.ParseGoal(*w.facts)
		if err != nil {
			return nil, unknownGoal(err.Error())
		}
		return goal, nil
	}
	img, err := w.goal.frame.RGB(s.images.Frame().Bits)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errGoal, err)
	}
	if w.region != (pixels.Region{}) {
		return s.recognizeRegion(ctx, img, w.region, policy)
	}
	o, err := s.observer.Goal(img)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errGoal, err)
	}
	if !o.Recognized() {
		return nil, unknownGoal(o.Reason)
	}
	return strips.GoalOf(o.Code), nil
}

// recognizeRegion returns what a region of a goal image shows. The rest is as the camera shows it.
func (s *session) recognizeRegion(ctx context.Context, img pixels.RGB, region pixels.Region,
	policy execute.Policy,
) (strips.Goal, error) {
	if policy.FrameTime > 0 {
		limited, cancel := context.WithTimeout(ctx, policy.FrameTime)
		defer cancel()
		ctx = limited
	}
	f, err := s.camera.Next(ctx, time.Time{})
	if err != nil {
		return nil, &execute.Stop{Reason: execute.NoFrame, Detail: "for the rest of the goal image",
			Err: err}
	}
	rest, err := f.RGB(s.images.Frame().Bits)
	if err != nil {
		return nil, err
	}
	r, goal, err := s.observer.Region(img, rest, region)
	if errors.Is(err, imageplan.ErrUnrecognized) || errors.Is(err, bundle.ErrNoPart) {
		return nil, unknownGoal(err.Error())
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errGoal, err)
	}
	if !r.Known() {
		return nil, unknownGoal(r.Explain())
	}
	return goal, nil
}

// unknownGoal is the error of a goal that is not planned to.
func unknownGoal(reason string) error {
	return fmt.Errorf("%w: %w", errGoal, &execute.Stop{Reason: execute.Unrecognized, Detail: reason})
}

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
	change     align.Change // of the last image that was observed
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
	j.change = recognition.Change
	return j.observation(recognition), nil
}

// Change is how camera and light of the last image differ from those of the recording.
func (j *observer) Change() align.Change {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.change
}

func (j *observer) observation(recognition imageplan.Recognition) execute.Observation {
	o := execute.Observation{Code: recognition.Code, Probabilities: recognition.Probabilities,
		Node: -1, Where: recognition.Where}
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
