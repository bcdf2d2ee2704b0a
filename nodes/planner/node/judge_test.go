package node

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
)

// says is a classifier that gives the same answer to every picture.
type says []float32

func (s says) Recognize(pixels.RGB) (imageplan.Recognition, error) {
	m := &strips.Model{Predicates: 2, States: []strips.Known{
		{Node: 0, Code: strips.NewState(2)}, {Node: 1, Code: strips.NewState(2, 0)},
	}}
	values := make([]bool, len(s))
	for i, p := range s {
		values[i] = p >= 0.5
	}
	code := strips.StateOf(values)
	return imageplan.Recognition{Probabilities: s, Code: code, Place: planner.Locate(m, code)}, nil
}

// stripes is a picture of two greys.
func stripes(dark, light uint8) pixels.RGB {
	p := pixels.RGB{Width: 64, Height: 64}
	for i := range 64 * 64 {
		v := dark
		if i/640%2 == 0 {
			v = light
		}
		p.Pix = append(p.Pix, v, v, v)
	}
	return p
}

func TestTrust(t *testing.T) {
	for name, c := range map[string]struct {
		classifier says
		picture    pixels.RGB
		why        string // part of the reason; empty if recognised
	}{
		"clear":         {says{0.99, 0.01}, stripes(20, 200), ""},
		"unsure":        {says{0.99, 0.45}, stripes(20, 200), "p1=0.45"},
		"unknown state": {says{0.1, 0.9}, stripes(20, 200), "not one the model knows"},
		"black":         {says{0.99, 0.01}, stripes(0, 0), "lens"},
		"nearly black":  {says{0.99, 0.01}, stripes(0, 3), "contrast"},
	} {
		t.Run(name, func(t *testing.T) {
			judge := newJudge(c.classifier, trust{Confidence: 0.6, Contrast: 4})
			o, err := judge.Observe(c.picture, time.Unix(5, 0))
			if err != nil {
				t.Fatal(err)
			}
			if o.Recognized() != (c.why == "") || !strings.Contains(o.Reason, c.why) {
				t.Errorf("reason %q, want %q", o.Reason, c.why)
			}
		})
	}
}

func Example_judge() {
	judge := newJudge(says{0.98, 0.52}, trust{Confidence: 0.6})
	o, _ := judge.Observe(stripes(0, 255), time.Now())
	fmt.Println(o.Recognized(), o.Doubts, o.Reason)
	// Output: false [1] predicate state 11 is not one the model knows; uncertain: p1=0.52; nearest known: node 1, 10, 1 predicate(s) away
}
