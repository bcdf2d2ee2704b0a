package exploration

import "stripswm/models/traces"

// Usual seconds of an attempt, before any was measured.
const (
	SuccessSeconds = 20
	RefusalSeconds = 2
)

// costs are measured seconds. An action that was not measured takes as long as the others do.
type costs struct {
	all     [2]mean   // refused, succeeded
	actions [][2]mean // by action
}

type mean struct{ sum, n float64 }

func (m *mean) add(x float64) { m.sum, m.n = m.sum+x, m.n+1 }

func (m mean) value() float64 { return m.sum / m.n }

func newCosts(actions int) costs {
	return costs{[2]mean{{RefusalSeconds, 1}, {SuccessSeconds, 1}}, make([][2]mean, actions)}
}

func (c *costs) observe(a int, o traces.Outcome, seconds float64) {
	if o != traces.Failed {
		c.all[o2i(o)].add(seconds)
		c.actions[a][o2i(o)].add(seconds)
	}
}

// of is the expected time of a refusal or success: the action's own mean, with that of all as one
// measurement more.
func (c *costs) of(a, outcome int) float64 {
	own, all := c.actions[a][outcome], c.all[outcome]
	return (own.sum + all.value()) / (own.n + 1)
}

// refusal is what a refusal costs of a success.
func (c *costs) refusal() float64 { return c.all[0].value() / c.all[1].value() }

// expected is the expected time of an attempt that applies with the probability p.
func (c *costs) expected(a int, p float64) float64 { return p*c.of(a, 1) + (1-p)*c.of(a, 0) }

// rate is the information gained per second lately.
type rate struct{ gain, seconds float64 }

const remembered = 0.98 // of the rate, each attempt

func (r *rate) expect(gain float64)   { r.gain = r.gain*remembered + gain }
func (r *rate) spend(seconds float64) { r.seconds = r.seconds*remembered + seconds }

func (r *rate) value() float64 {
	if r.seconds == 0 {
		return 0
	}
	return r.gain / r.seconds
}

// odds is the log odds of a probability, at most 6 either way.
func odds(p float64) float64 { return min(max(logit(p), -6), 6) }
