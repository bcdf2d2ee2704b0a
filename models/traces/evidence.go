package traces

import (
	"math"

	"stripswm/models/internal/bitset"
)

// errorShare is how many attempts may be refused although all preconditions hold, as when a skill
// gives up. It says what a refusal is worth that a precondition explains: ln(1/errorShare) nats.
// The size of the world does not change it.
const errorShare = 0.01

// Evidence is what the recording says for a precondition, beside the action's other ones.
type Evidence struct {
	Successes int     // of the action where the others hold; the literal holds there too
	Holds     int     // intervals in which the others hold and the literal does, too
	Fails     int     // intervals in which the others hold and the literal does not
	Refused   int     // refusals that it explains and the others do not
	Nats      float64 // all together
}

// context is an action and the intervals in which the preconditions that were found so far hold.
type context struct {
	action   int
	open     set     // intervals that end with a success of any action, where they hold
	succeeds []int32 // all that end with a success of this action
	refused  []int32 // those in which it was refused, where none of them fails
}

// weigh returns the evidence for a literal as a precondition beside those of the context. A policy
// chooses without regard to the literal, unless it matters: that all successes fall on intervals in
// which it holds has the probability of Fisher's exact test. It is false where the literal failed
// at a success.
func (c *context) weigh(holds, fails set) (Evidence, bool) {
	var e Evidence
	for _, i := range c.succeeds {
		if fails.Has(int(i)) {
			return e, false
		}
		if c.open.Has(int(i)) && holds.Has(int(i)) {
			e.Successes++
		}
	}
	for _, i := range c.refused {
		if fails.Has(int(i)) {
			e.Refused++
		}
	}
	e.Holds, e.Fails = c.open.Common(holds), c.open.Common(fails)
	e.weigh()
	return e, true
}

func (e *Evidence) weigh() {
	e.Nats = logChoose(e.Holds+e.Fails, e.Successes) - logChoose(e.Holds, e.Successes) -
		float64(e.Refused)*math.Log(errorShare)
}

// require makes the literal a precondition.
func (c *context) require(holds, fails set) {
	c.open = c.open.Clone()
	c.open.Keep(holds)
	var left []int32
	for _, i := range c.refused {
		if !fails.Has(int(i)) {
			left = append(left, i)
		}
	}
	c.refused = left
}

// contexts returns one for each action, without preconditions.
func contexts(t *trace) []context {
	c := make([]context, len(t.ids))
	open := bitset.New(t.intervals)
	for _, ev := range t.events {
		open.Set(int(ev.decided()))
		c[ev.action].succeeds = append(c[ev.action].succeeds, ev.decided())
	}
	for a := range c {
		c[a].action, c[a].open, c[a].refused = a, open, t.refused[a]
	}
	return c
}

// logChoose is the logarithm of the binomial coefficient.
func logChoose(n, k int) float64 {
	lg := func(x int) float64 { v, _ := math.Lgamma(float64(x + 1)); return v }
	return lg(n) - lg(k) - lg(n-k)
}

// supports is the logarithm of the number of signed supports of so many actions, up to a change of
// all signs: what a region of that size was chosen from. Evidence for it has to be more.
func supports(actions, size int) float64 {
	return logChoose(actions, size) + float64(size-1)*math.Ln2
}

// alternation is the evidence that so many events had the sign that was due, in nats: by
// coincidence each has it half of the time.
func alternation(due int) float64 { return float64(due) * math.Ln2 }
