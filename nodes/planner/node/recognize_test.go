package node

import (
	"fmt"
	"strings"
	"testing"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
)

// says is a recognizer that gives the same answer to every image.
type says struct {
	probabilities []float32
	refusal       imageplan.Refusal
}

func (s says) Recognize(pixels.RGB) (imageplan.Recognition, error) {
	m := &strips.Model{Predicates: 2, States: []strips.Known{
		{Node: 0, Code: strips.NewState(2)}, {Node: 1, Code: strips.NewState(2, 0)},
	}}
	values := make([]bool, len(s.probabilities))
	for i, p := range s.probabilities {
		values[i] = p >= 0.5
	}
	code := strips.StateOf(values)
	return imageplan.Recognition{Probabilities: s.probabilities, Code: code,
		Place: planner.Locate(m, code), Refusal: s.refusal}, nil
}

func (s says) RecognizeRegion(img, _ pixels.RGB, _ pixels.Region) (imageplan.Recognition,
	strips.Goal, error,
) {
	r, err := s.Recognize(img)
	return r, strips.GoalOf(r.Code), err
}

// Differ says that two images differ if one is less certain.
func (s says) Differ(a, b imageplan.Recognition) string {
	if a.Confidence() != b.Confidence() {
		return "the images differ"
	}
	return ""
}

// TestWantedImage: while a goal image is worked on, an image that differs from it in what no fact
// tells is not recognized.
func TestWantedImage(t *testing.T) {
	bright, dim := pixels.RGB{Width: 1}, pixels.RGB{}
	o := newObserver(bySize{says{[]float32{0.99, 0.01}, imageplan.Accepted},
		says{[]float32{0.98, 0.01}, imageplan.Accepted}})
	reason := func(img pixels.RGB) string {
		seen, err := o.Observe(img)
		if err != nil {
			t.Fatal(err)
		}
		return seen.Reason
	}
	if _, err := o.Goal(bright); err != nil {
		t.Fatal(err)
	}
	if same, other := reason(bright), reason(dim); same != "" || other != "the images differ" {
		t.Errorf("as the goal: %q, otherwise: %q", same, other)
	}
	o.Forget()
	if got := reason(dim); got != "" {
		t.Errorf("without a goal: %q", got)
	}
}

// bySize has the first say what images with pixels show, and the second what others do.
type bySize [2]says

func (s bySize) Recognize(img pixels.RGB) (imageplan.Recognition, error) {
	if img.Width > 0 {
		return s[0].Recognize(img)
	}
	return s[1].Recognize(img)
}

func (s bySize) RecognizeRegion(img, rest pixels.RGB, r pixels.Region) (imageplan.Recognition,
	strips.Goal, error,
) {
	return s[0].RecognizeRegion(img, rest, r)
}

func (s bySize) Differ(a, b imageplan.Recognition) string { return s[0].Differ(a, b) }

func TestObservation(t *testing.T) {
	for name, c := range map[string]struct {
		classifier says
		node       strips.StateID
	}{
		"accepted":       {says{[]float32{0.99, 0.01}, imageplan.Accepted}, 1},
		"refused":        {says{[]float32{0.99, 0.01}, imageplan.OutOfDistribution}, 1},
		"low confidence": {says{[]float32{0.99, 0.45}, imageplan.LowConfidence}, 1},
		"unknown state":  {says{[]float32{0.1, 0.9}, imageplan.Unknown}, -1},
	} {
		o, err := newObserver(c.classifier).Observe(pixels.RGB{})
		if err != nil {
			t.Fatal(err)
		}
		if o.Recognized() != (c.classifier.refusal == imageplan.Accepted) || o.Node != c.node {
			t.Errorf("%s: node %d, reason %q", name, o.Node, o.Reason)
		}
	}
}

func Example_observer() {
	observer := newObserver(says{[]float32{0.98, 0.52}, imageplan.Unknown})
	o, _ := observer.Observe(pixels.RGB{})
	fmt.Println(o.Recognized(), o.Uncertain)
	for _, part := range strings.Split(o.Reason, "; ") {
		fmt.Println(part)
	}
	// Output:
	// false [1]
	// predicate state 11 is not one the model knows
	// uncertain: p1=0.52
	// nearest known: node 1, 10, 1 predicate(s) away
}
