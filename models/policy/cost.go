package policy

import "math"

// Bits is how long a message is that tells somebody who knows the Chooser's codes, and what it
// expects, how all attempts came out: the better codes are, the shorter. Codes that alias states
// make what was tried before come out otherwise; codes that take a state for several have nothing
// tried before, and every target new.
func (c *Chooser) Bits() float64 { return c.bits }

// cost is what an attempt, not yet observed, adds: whether it was refused, and if not, where it
// led.
func (c *Chooser) cost(p pair, a CodeAttempt, x features) float64 {
	m := c.memory
	same := 1 - m.surprise()
	var applies float64
	switch m.verdicts[p] {
	case untried:
		applies = c.calibration.odds(x)
	case applied:
		applies = same
	case refused:
		applies = 1 - same
	}
	if a.Refused {
		return -math.Log2(1 - applies)
	}
	bits := -math.Log2(applies)
	others := float64(len(m.codes) + 1) // a new one among them
	switch to, seen := m.ids[a.To]; {
	case m.verdicts[p] != applied:
		bits += math.Log2(others)
	case seen && to == m.targets[p]:
		bits -= math.Log2(same)
	default:
		bits += math.Log2(others) - math.Log2(1-same)
	}
	return bits
}

// surprise is the share of attempts at pairs tried before that come out otherwise, after the rule
// of succession.
func (m *memory) surprise() float64 { return float64(m.surprises+1) / float64(m.repeats+2) }
