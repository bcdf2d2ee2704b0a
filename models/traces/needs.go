package traces

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// needs are what literals cost as preconditions that an action does not change, in nats: the
// logarithm of the odds against each before one looks at the action. At first all literals of all
// actions are equally unlikely, such that one by coincidence is expected in a world of any size. A
// literal that other actions need, such as that a vehicle is at a place, costs less; if images show
// the fact, such as what is at a place, that counts among actions that change another fact of its
// variable, such as to place something there, and among the rest, each by itself. One more costs
// more where few actions need so many. And where actions that undo each other need the same, the
// evidence that both have counts.
type needs struct {
	actions, regions int
	of               map[need]int // by how many actions it is needed
	kin              [][]bool     // by action and region: it changes another fact of its variable
	kins             []int        // by region: how many do
	several          []int        // how many actions need so many literals, or more
	total            int          // how many literals all actions need
	undo             []int        // by action: the one that undoes it, or -1
	both             float64      // share of needed literals that the action that undoes needs, too
	nats             [][]float64  // by action and literal, beside its other needs; -Inf: it failed
}

// need is a literal as a precondition of actions that change another fact of its variable, or of
// the others.
type need struct {
	literal
	kin bool
}

// newNeeds weighs literals beside what actions change. How many actions need one is what names it
// and these actions at the least cost: those with the most evidence.
func newNeeds(t *trace, regions []*region, required [][]requirement) *needs {
	p := &needs{actions: len(t.ids), regions: len(regions), of: map[need]int{},
		undo: undoing(len(t.ids), regions), kins: make([]int, len(regions))}
	p.relate(regions)
	p.weigh(t, regions, required)
	for i := range 4 * len(regions) {
		l := need{literal{i / 4, i%2 == 1}, i/2%2 == 1}
		var nats []float64
		for a, all := range p.nats {
			if x := all[2*l.region+i%2]; x > 0 && p.kin[a][l.region] == l.kin {
				nats = append(nats, x)
			}
		}
		slices.SortFunc(nats, func(x, y float64) int { return cmp.Compare(y, x) })
		sum, best := 0.0, math.Log(float64(2*p.regions))
		for n, x := range nats {
			sum += x
			if gain := sum - logChoose(p.among(l), n+1); gain > best {
				best, p.of[l] = gain, n+1
			}
		}
	}
	return p
}

// relate finds which actions change other facts of the variables of regions.
func (p *needs) relate(regions []*region) {
	p.kin = make([][]bool, p.actions)
	for a := range p.kin {
		p.kin[a] = make([]bool, len(regions))
	}
	for i, r := range regions {
		for k, other := range regions {
			if k == i || r.variable == 0 || other.variable != r.variable {
				continue
			}
			for _, e := range other.effects {
				p.kin[e.action][i] = true
			}
		}
		for a := range p.kin {
			if p.kin[a][i] {
				p.kins[i]++
			}
		}
	}
}

// among is how many actions may have a need.
func (p *needs) among(l need) int {
	if l.kin {
		return p.kins[l.region]
	}
	return p.actions - p.kins[l.region]
}

// undoing finds for each action the only one with the opposite effects on facts, if no other one
// has its own.
func undoing(actions int, regions []*region) []int {
	effects := make([][2]string, actions) // its own, and the opposite ones
	for i, r := range regions {
		for _, e := range r.effects {
			if r.members == nil {
				effects[e.action][0] += fmt.Sprint(i, e.adds, " ")
				effects[e.action][1] += fmt.Sprint(i, !e.adds, " ")
			}
		}
	}
	of := map[string][]int{}
	for a, x := range effects {
		of[x[0]] = append(of[x[0]], a)
	}
	undo := make([]int, actions)
	for a, x := range effects {
		undo[a] = -1
		if b := of[x[1]]; x[0] != "" && len(b) == 1 && len(of[x[0]]) == 1 {
			undo[a] = b[0]
		}
	}
	return undo
}

// weigh finds the evidence of each action for each literal beside what else it needs.
func (p *needs) weigh(t *trace, regions []*region, required [][]requirement) {
	p.nats = make([][]float64, p.actions)
	for a, c := range contexts(t) {
		for _, q := range required[a] {
			c.require(q.where(regions))
		}
		p.nats[a] = make([]float64, 2*len(regions))
		for i := range p.nats[a] {
			l := literal{i / 2, i%2 == 1}
			if e, ok := c.weigh(l.where(regions)); ok {
				p.nats[a][i] = e.Nats
			} else {
				p.nats[a][i] = math.Inf(-1)
			}
		}
		for _, q := range required[a] {
			if i := 2 * q.region; q.negated {
				p.nats[a][i+1] = q.Nats
			} else {
				p.nats[a][i] = q.Nats
			}
			if q.changes { // which says nothing of what other actions need
				p.nats[a][2*q.region], p.nats[a][2*q.region+1] = 0, 0
			}
		}
	}
}

// learn counts what actions need and do not change.
func (p *needs) learn(required [][]requirement) {
	p.of, p.several, p.total = map[need]int{}, make([]int, 1), 0
	pairs, both := 0, 0
	for a, all := range required {
		n := 0
		for _, q := range all {
			if q.changes {
				continue
			}
			if n++; n == len(p.several) {
				p.several = append(p.several, 0)
			}
			p.several[n]++
			p.total++
			p.of[need{q.literal, p.kin[a][q.region]}]++
			if b := p.undo[a]; b >= 0 {
				pairs++
				if slices.ContainsFunc(required[b], func(o requirement) bool {
					return o.literal == q.literal
				}) {
					both++
				}
			}
		}
	}
	p.both = float64(both) / float64(pairs+1)
}

// price is that of a literal for an action that needs so many others that it does not change.
func (p *needs) price(a int, l literal, others int) float64 {
	of := need{l, p.kin[a][l.region]}
	odds := (float64(p.of[of]) + 1/float64(2*p.regions)) / float64(p.among(of))
	if others > 0 && p.several != nil {
		with, more := p.several[min(others, len(p.several)-1)], 0
		if others+1 < len(p.several) {
			more = p.several[others+1]
		}
		odds *= float64(p.actions) / float64(p.total+1) * (float64(more) + 0.5) / float64(with+1)
	}
	odds = min(odds, 0.5) // of one that more actions need the evidence decides
	if p.both == 0 || p.undo[a] < 0 || p.undo[a] == a {
		return -math.Log(odds)
	}
	// the other action may need it, too, and its evidence is more or less likely then
	i := 2 * l.region
	if l.negated {
		i++
	}
	other := math.Exp(min(p.nats[p.undo[a]][i], certain))
	return -math.Log(odds * (p.both*other + 1 - p.both) / (1 - odds + odds*(1-p.both)*other))
}

// certain is evidence that more of changes nothing, in nats: it bounds an exponential.
const certain = 50
