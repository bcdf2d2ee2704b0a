package vision

import (
	"math"

	"stripswm/models/dataset"
	"stripswm/models/identity"
	"stripswm/models/strips"
)

// score is how much codes tell of the outcome of an attempt, in nats an attempt: the mean of log
// P(outcome | code, action) - log P(outcome | action). An outcome is a code or a refusal. Both
// probabilities are estimated from all other attempts (leave-one-out cross-validation; the first
// one starts with one imagined attempt, whose outcome is the action's average).
//
// It compares any numbers of codes. With one code for all images it is 0: the outcome is certain,
// but says nothing. With a code for each image it is 0, too: no other attempt was made at the code.
// A code for two states lowers it, whether or not an action leads from them to different codes, and
// so do several codes for one state.
func score(d *dataset.Dataset, codes []identity.Code) float64 {
	type pair struct {
		code   identity.Code
		action strips.ActionID
	}
	type outcome struct {
		pair
		after identity.Code
	}
	const refused identity.Code = "refused"
	var attempts []outcome
	for _, t := range d.Transitions {
		attempts = append(attempts, outcome{pair{codes[t.Before], t.Action}, codes[t.After]})
	}
	for _, t := range d.Refused {
		attempts = append(attempts, outcome{pair{codes[t.Before], t.Action}, refused})
	}
	made, led := map[pair]float64{}, map[outcome]float64{} // at any code as well, which is ""
	average := func(o outcome) outcome { o.code = ""; return o }
	for _, o := range attempts {
		made[o.pair]++
		led[o]++
		made[average(o).pair]++
		led[average(o)]++
	}
	sum := 0.0
	for _, o := range attempts {
		ratio := 1.0
		if n := led[o] - 1; n > 0 {
			ratio += n * (made[average(o).pair] - 1) / (led[average(o)] - 1)
		}
		sum += math.Log(ratio / made[o.pair])
	}
	return sum / float64(max(len(attempts), 1))
}
