package node

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/execute"
)

// trust says what a picture must have to be acted on.
type trust struct {
	// Confidence is the least probability of the least certain predicate's
	// value, 0.5 to 1. At 0.5 every value is trusted.
	Confidence float64
	// Contrast is the least standard deviation of the green channel, in grey
	// levels of 255: a network is sure of nonsense when it sees a black frame.
	Contrast float64
}

// recognizer classifies pictures; imageplan.Planner is one.
type recognizer interface {
	Recognize(pixels.RGB) (imageplan.Recognition, error)
}

// judge observes with a recognizer. It is safe for concurrent use.
type judge struct {
	mu         sync.Mutex
	recognizer recognizer
	trust      trust
}

// newJudge makes a judge, which from then on is the only user of the recognizer.
func newJudge(r recognizer, t trust) *judge { return &judge{recognizer: r, trust: t} }

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
	if recognition.Known() {
		o.Node = recognition.Place.Nodes[0]
	}
	for _, u := range recognition.Uncertain() {
		o.Doubts = append(o.Doubts, u.Predicate)
	}
	o.Reason = j.reason(picture, recognition)
	return o, nil
}

func (j *judge) reason(picture pixels.RGB, r imageplan.Recognition) string {
	if c := contrast(picture); c < j.trust.Contrast {
		return fmt.Sprintf("the picture has a contrast of %.1f grey levels, under %.1f: is the lens covered or the light off?", c, j.trust.Contrast)
	}
	if !r.Known() {
		return r.Explain()
	}
	if float64(r.Confidence()) < j.trust.Confidence {
		return fmt.Sprintf("state %s, but the classifier is not sure:%s (confidence under %.2f)", r.Code, unsure(r.Probabilities, j.trust.Confidence), j.trust.Confidence)
	}
	return ""
}

// unsure lists the predicates whose value has less than the confidence.
func unsure(probabilities []float32, confidence float64) string {
	var b strings.Builder
	for i, p := range probabilities {
		if float64(max(p, 1-p)) < confidence {
			fmt.Fprintf(&b, " p%d=%.2f", strips.Predicate(i), p)
		}
	}
	return b.String()
}

// contrast is the standard deviation of the green channel, of every few pixels.
func contrast(p pixels.RGB) float64 {
	const every = 7 // prime, so that it does not fall on one column
	var n, sum, squares float64
	for i := 1; i < len(p.Pix); i += 3 * every {
		v := float64(p.Pix[i])
		n, sum, squares = n+1, sum+v, squares+v*v
	}
	if n == 0 {
		return 0
	}
	mean := sum / n
	return math.Sqrt(max(squares/n-mean*mean, 0))
}
