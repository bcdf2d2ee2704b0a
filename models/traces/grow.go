package traces

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// rates are the probabilities that are tried that something unrecorded sets a fact between two
// successes: a wrong label, a change by hand, or an action that the support lacks.
var rates = []float64{0.001, 0.005, 0.007, 0.01, 0.014, 0.02, 0.028, 0.04, 0.056, 0.08, 0.11,
	0.16, 0.22, 0.32}

// farthest bounds the distance between two events, in successes, at which one says something of the
// other; at the higher rates nothing is left of it.
const farthest = 256

// near bounds the events between which an action is looked for that the support lacks.
const near = 256

// starts is how many second actions are tried for each first one.
const starts = 6

// grower searches for supports that alternate but for errors. Where [miner] excludes a support by
// one violation, grower counts: from a pair of actions it adds the action that the trace speaks for
// most, until none is left.
type grower struct {
	t       *trace
	work    *steps
	sign    []int8
	support []int
	events  []int32
	gains   [2][]float64 // by sign and action, of adding it
	touched []int32
	seen    map[string]bool
	agree   [][]float64 // by rate and distance: nats of two events that alternate
	differ  [][]float64 // of two of one sign
	found   []grown
}

// grown is a support with its signs.
type grown struct {
	effects []effect
	nats    float64
	rate    int
}

func grow(t *trace, work steps) []grown {
	n := len(t.ids)
	g := &grower{t: t, work: &work, sign: make([]int8, n), seen: map[string]bool{}}
	for i := range g.gains {
		g.gains[i] = make([]float64, n)
	}
	for _, rate := range rates {
		var agree, differ []float64
		for d := range farthest + 1 {
			still := math.Pow(1-rate, float64(d+1))
			agree, differ = append(agree, math.Log1p(still)), append(differ, math.Log1p(-still))
		}
		g.agree, g.differ = append(g.agree, agree), append(g.differ, differ)
	}
	for a := range n {
		if len(t.occurs[a]) < 2 || work.left < 0 {
			break
		}
		g.from(a)
	}
	return g.simple()
}

// simple leaves out what two found supports say together, and parts of a support that says more
// than its parts do.
func (g *grower) simple() []grown {
	slices.SortStableFunc(g.found, func(x, y grown) int {
		return cmp.Or(len(x.effects)-len(y.effects), cmp.Compare(y.nats, x.nats))
	})
	var kept []grown
next:
	for _, s := range g.found {
		parts := make([]bool, len(kept))
		for i, k := range kept {
			if !s.contains(k) {
				continue
			}
			rest := slices.DeleteFunc(slices.Clone(s.effects), func(e effect) bool {
				return slices.ContainsFunc(k.effects, func(o effect) bool { return o.action == e.action })
			})
			if 2*g.errors(s.effects, s.rate) >= g.errors(k.effects, s.rate)+g.errors(rest, s.rate) {
				continue next
			}
			parts[i] = true
		}
		n := 0
		for i, k := range kept {
			if !parts[i] {
				kept[n] = k
				n++
			}
		}
		kept = append(kept[:n], s)
	}
	return kept
}

// errors counts the events of one sign in a row, those far from each other less than others.
func (g *grower) errors(effects []effect, rate int) float64 {
	for _, e := range effects {
		g.set(e.action, -1)
		if e.adds {
			g.sign[e.action] = 1
		}
	}
	g.events = g.t.merged(g.support, g.events)
	sum := 0.0
	for i, e := range g.events[:max(len(g.events)-1, 0)] {
		next := g.events[i+1]
		if g.t.segment(e) == g.t.segment(next) &&
			g.sign[g.t.events[e].action] == g.sign[g.t.events[next].action] {
			sum += math.Expm1(g.agree[rate][min(next-e, farthest)])
		}
	}
	for _, e := range effects {
		g.unset(e.action)
	}
	return sum
}

// contains says whether k is a part of s, or of its complement.
func (s grown) contains(k grown) bool {
	found, flip := 0, false
	for _, e := range s.effects {
		i := slices.IndexFunc(k.effects, func(o effect) bool { return o.action == e.action })
		if i < 0 {
			continue
		}
		if turned := k.effects[i].adds != e.adds; found == 0 {
			flip = turned
		} else if turned != flip {
			return false
		}
		found++
	}
	return found == len(k.effects)
}

// from grows supports that begin with an action.
func (g *grower) from(a int) {
	g.set(a, 1)
	g.events = g.t.merged(g.support, g.events)
	g.measure(slices.Index(rates, 0.01))
	var second []int
	for _, c := range g.touched {
		if g.gains[0][c] > 0 {
			second = append(second, int(c))
		}
	}
	slices.SortStableFunc(second, func(x, y int) int {
		return cmp.Or(cmp.Compare(g.gains[0][y], g.gains[0][x]), x-y)
	})
	for _, c := range second[:min(starts, len(second))] {
		g.set(c, -1)
		g.climb()
		for _, x := range g.support {
			g.sign[x] = 0
		}
		g.support = g.support[:0]
		g.set(a, 1)
	}
	g.sign[a], g.support = 0, g.support[:0]
}

func (g *grower) set(a int, sign int8) { g.sign[a], g.support = sign, append(g.support, a) }

func (g *grower) unset(a int) {
	g.sign[a] = 0
	g.support = slices.DeleteFunc(g.support, func(x int) bool { return x == a })
}

// climb adds and removes actions as long as the support gets better.
func (g *grower) climb() {
	nats, rate := g.weigh()
	name := math.Log(float64(2 * len(g.t.ids))) // what it takes to name one more
	for g.work.left >= 0 {
		slices.Sort(g.support)
		key := g.key()
		if g.seen[key] {
			return
		}
		g.seen[key] = true
		g.measure(rate)
		action, sign, best, at := -1, int8(0), nats+name, 0
		for _, c := range g.candidates() {
			g.set(c.action, c.sign)
			if w, r := g.weigh(); w > best && r <= rate {
				action, sign, best, at = c.action, c.sign, w, r
			}
			g.unset(c.action)
		}
		if action < 0 && len(g.support) > 2 {
			best = nats - name
			for _, x := range slices.Clone(g.support) {
				s := g.sign[x]
				g.unset(x)
				if w, r := g.weigh(); w > best {
					action, sign, best, at = x, 0, w, r
				}
				g.set(x, s)
			}
			if action >= 0 {
				g.unset(action)
				nats, rate = best, at
				continue
			}
		}
		if action < 0 {
			break
		}
		g.set(action, sign)
		nats, rate = best, at
	}
	if nats > supports(len(g.t.ids), len(g.support)) {
		f := grown{nats: nats, rate: rate}
		for _, a := range g.support {
			f.effects = append(f.effects, effect{a, g.sign[a] > 0})
		}
		g.found = append(g.found, f)
	}
}

// key names the support, whatever all its signs are turned to.
func (g *grower) key() string {
	signs := make([]int, len(g.support))
	for i, a := range g.support {
		signs[i] = (a + 1) * int(g.sign[a]) * int(g.sign[g.support[0]])
	}
	return fmt.Sprint(signs)
}

// weigh returns the evidence for the support, in nats, at the rate that fits best.
func (g *grower) weigh() (nats float64, rate int) {
	g.events = g.t.merged(g.support, g.events)
	g.work.spend(16 * len(g.events))
	var counts [2][farthest + 1]int
	for i, e := range g.events[:max(len(g.events)-1, 0)] {
		next := g.events[i+1]
		if g.t.segment(e) == g.t.segment(next) {
			k := 0
			if g.sign[g.t.events[e].action] == g.sign[g.t.events[next].action] {
				k = 1
			}
			counts[k][min(next-e, farthest)]++
		}
	}
	for r := range rates {
		sum := 0.0
		for d := range counts[0] {
			sum += float64(counts[0][d])*g.agree[r][d] + float64(counts[1][d])*g.differ[r][d]
		}
		if r == 0 || sum > nats {
			nats, rate = sum, r
		}
	}
	return nats, rate
}

// measure sets what adding each action with each sign would give.
func (g *grower) measure(rate int) {
	for _, c := range g.touched {
		g.gains[0][c], g.gains[1][c] = 0, 0
	}
	g.touched = g.touched[:0]
	g.events = g.t.merged(g.support, g.events)
	pay := func(same bool, d int32) float64 {
		if same {
			return g.differ[rate][min(d, farthest)]
		}
		return g.agree[rate][min(d, farthest)]
	}
	for i, e := range g.events[:max(len(g.events)-1, 0)] {
		next := g.events[i+1]
		if g.t.segment(e) != g.t.segment(next) || next-e > near {
			continue
		}
		g.work.spend(8 * int(next-e))
		x, y := g.sign[g.t.events[e].action], g.sign[g.t.events[next].action]
		now := pay(x == y, next-e)
		for k := e + 1; k < next; k++ {
			c := g.t.events[k].action
			if g.gains[0][c] == 0 && g.gains[1][c] == 0 {
				g.touched = append(g.touched, c)
			}
			for s, sign := range []int8{-1, 1} {
				g.gains[s][c] += pay(x == sign, k-e) + pay(y == sign, next-k) - now
			}
		}
	}
}

type signed struct {
	action int
	sign   int8
}

// candidates are the three additions that promise most.
func (g *grower) candidates() []signed {
	var all []signed
	for _, c := range g.touched {
		for s, sign := range []int8{-1, 1} {
			if g.gains[s][c] > 0 && g.sign[c] == 0 {
				all = append(all, signed{int(c), sign})
			}
		}
	}
	gain := func(x signed) float64 { return g.gains[(x.sign+1)/2][x.action] }
	slices.SortStableFunc(all, func(x, y signed) int {
		return cmp.Or(cmp.Compare(gain(y), gain(x)), x.action-y.action, int(x.sign-y.sign))
	})
	return all[:min(3, len(all))]
}
