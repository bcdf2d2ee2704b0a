package imageplan

import (
	"cmp"
	"testing"

	"stripswm/models/facts"
)

// TestLimitOfFacts: the bundle's limit, or the user's, decides, and what is little farther is near.
func TestLimitOfFacts(t *testing.T) {
	good := facts.Recognition{Values: []bool{true}}
	far := facts.Recognition{Values: []bool{true}, Refusal: facts.OutOfDistribution}
	unlikely := facts.Recognition{Values: []bool{true}, Refusal: facts.Inconsistent}
	for name, c := range map[string]struct {
		seen        facts.Recognition
		score       float64 // in units of the bundle's limit
		maxDistance float64
		want        Refusal
		near        bool
	}{
		"within the limit":             {good, 0.9, 0, Accepted, false},
		"little farther":               {far, 1.1, 0, OutOfDistribution, true},
		"much farther":                 {far, 1.6, 0, OutOfDistribution, false},
		"little farther, and unlikely": {unlikely, 1.1, 0, Inconsistent, false},
		"within the user's limit":      {far, 1.4, 1.5, Accepted, false},
		"beyond the user's limit":      {far, 1.6, 1.5, OutOfDistribution, true},
		"the user is strict":           {good, 0.9, 0.5, OutOfDistribution, false},
	} {
		p := &Planner{facts: &facts.Recognizer{Limit: 2}}
		p.options.Thresholds.Distance = cmp.Or(c.maxDistance, 1)
		c.seen.Score = 2 * c.score
		r := p.recognition(Recognition{Probabilities: []float32{1}, Contrast: 10}, c.seen)
		if r.Refusal != c.want || r.Near() != c.near {
			t.Errorf("%s: refusal %q, near %t", name, r.Refusal, r.Near())
		}
	}
}
