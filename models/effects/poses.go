package effects

import (
	"context"
	"math"
	"slices"
)

// poses makes one look of those that one thing has at one place, such as a prism that the gripper
// turns on some ways to it. No skill changes one into the other there; one skill brings both; they
// exclude the same looks of other places, as a thing is at one place only, which looks of two
// things do not; and no skill does different things to them: they are of one class of the coarsest
// partition that tells all that skills do (bisimulation).
func (c *changes) poses(ctx context.Context, all []Variable) ([]Variable, error) {
	p := &poser{changes: c, all: all}
	for i := range all {
		p.class = append(p.class, make([]int, all[i].Looks))
		for look := range p.class[i] {
			p.class[i][look] = look
		}
	}
	p.price = math.Log(float64((len(all)+1)*max(mostLooks, len(c.skills))) / falsePlaces)
	found := false
	for i := range all {
		found = p.merge(i) || found
	}
	if !found {
		return all, nil
	}
	for p.refine() {
	}
	for i := range all {
		p.relabel(i)
	}
	return c.foretold(ctx, all)
}

// poser finds the looks of variables that are one.
type poser struct {
	*changes
	all   []Variable
	class [][]int // by variable, look: the most frequent look of its class
	price float64 // of each test, in nats
}

// merge puts the looks of a variable that may be one into classes, of which the most frequent look
// is the first.
func (p *poser) merge(i int) (found bool) {
	v := &p.all[i]
	seen, order := make([]int, v.Looks), make([]int, v.Looks)
	var meetings [][]meeting // measured where some looks come alike, which is seldom
	for _, look := range v.After {
		if look >= 0 {
			seen[look]++
		}
	}
	for look := range order {
		order[look] = look
	}
	slices.SortStableFunc(order, func(a, b int) int { return seen[b] - seen[a] })
	for n, b := range order {
		for _, a := range order[:n] {
			if p.class[i][a] != a || !p.comeAlike(v, a, b) {
				continue
			}
			if meetings == nil {
				meetings = p.shares(i)
			}
			if p.meetAlike(meetings, a, b) {
				p.class[i][b], found = a, true
				break
			}
		}
	}
	return found
}

// comeAlike says whether some skill brings two looks, and none changes one into the other.
func (p *poser) comeAlike(v *Variable, a, b int) bool {
	both, changes, direct := false, 0, 0
	for _, own := range p.of {
		var brings [2]int
		for _, e := range own {
			from, to := v.Before[e], v.After[e]
			if min(from, to) < 0 || from == to {
				continue
			}
			switch {
			case min(from, to) == min(a, b) && max(from, to) == max(a, b):
				direct++
			case to == a:
				brings[0]++
			case to == b:
				brings[1]++
			}
			changes += number(from == a || from == b)
		}
		both = both || min(brings[0], brings[1]) >= fewOfVariant
	}
	return both && float64(direct) <= misread*float64(changes)
}

// shares has, by each look of a variable, its meetings with all looks of all others.
func (p *poser) shares(i int) [][]meeting {
	all := make([][]meeting, p.all[i].Looks)
	for k := range p.all {
		if k == i {
			continue
		}
		for a, row := range p.meetings(&p.all[i], &p.all[k]) {
			all[a] = append(all[a], row...)
		}
	}
	return all
}

// meeting is how often two looks of two variables are seen together after a success, and how often
// they would be if one said nothing about the other.
type meeting struct{ seen, expected float64 }

func (m meeting) never() bool { return m.seen <= misread*m.expected }

// meetings are those of all looks of two variables.
func (c *changes) meetings(v, w *Variable) [][]meeting {
	all, n := make([][]meeting, v.Looks), 0.0
	for a := range all {
		all[a] = make([]meeting, w.Looks)
	}
	one, other := make([]float64, v.Looks), make([]float64, w.Looks)
	for _, own := range c.of {
		for _, e := range own {
			if a, b := v.After[e], w.After[e]; min(a, b) >= 0 {
				all[a][b].seen++
				one[a]++
				other[b]++
				n++
			}
		}
	}
	for a := range all {
		for b := range all[a] {
			all[a][b].expected = one[a] * other[b] / max(n, 1)
		}
	}
	return all
}

// meetAlike says whether two looks, of which the first is the more frequent, never meet the same
// looks of other variables.
func (p *poser) meetAlike(meetings [][]meeting, a, b int) bool {
	for _, pair := range [2][2]int{{a, b}, {b, a}} {
		var sum meeting
		for k, m := range meetings[pair[0]] {
			if !m.never() || m.expected < exclusive {
				continue
			}
			other := meetings[pair[1]][k]
			if other.expected > exclusive && 2*other.seen > other.expected {
				return false
			}
			sum.seen += other.seen
			sum.expected += other.expected
		}
		if sum.seen > seldom*sum.expected || pair[0] == a && sum.expected < p.price {
			return false
		}
	}
	return true
}

// refine takes looks out of classes whose next looks, of any variable, or whose refusals by a skill
// they tell, and says whether there were any. What a thing looks like at one place may be told in
// few successes, and that at all places in many: evidence is of all classes together.
func (p *poser) refine() (some bool) {
	var pairs [][3]int // variable, the first look of the class, another one of it
	for i, class := range p.class {
		for b, a := range class {
			if a != b {
				pairs = append(pairs, [3]int{i, a, b})
			}
		}
	}
	for k := -1; k < len(p.all); k++ {
		told, sums := make([]map[int]float64, len(pairs)), map[int]float64{}
		for n, pair := range pairs {
			told[n] = p.tells(pair, k)
			for skill, nats := range told[n] {
				sums[skill] += nats
			}
		}
		for n, pair := range pairs {
			for skill, nats := range told[n] {
				if sums[skill] > p.price && nats > 0 {
					p.class[pair[0]][pair[2]], some = pair[2], true
				}
			}
		}
	}
	return some
}

// tells is the evidence, by skill, that it leads elsewhere after the second of two looks of a class
// than after the first: to another class of variable k, or, of -1, to a refusal.
func (p *poser) tells(pair [3]int, k int) map[int]float64 {
	before := p.all[pair[0]].Before
	var apart, together tables
	for e, at := range p.attempts {
		if before[e] != pair[1] && before[e] != pair[2] {
			continue
		}
		from, to, looks := 1, number(at.Succeeded), 2
		if k >= 0 {
			w := &p.all[k]
			if !at.Succeeded || min(w.Before[e], w.After[e]) < 0 {
				continue
			}
			from, to, looks = p.class[k][w.Before[e]], p.class[k][w.After[e]], w.Looks
		}
		apart.add([4]int{from, at.Action, before[e]}, to, looks)
		together.add([4]int{from, at.Action}, to, looks)
	}
	nats := map[int]float64{}
	for n, counts := range apart.counts {
		nats[apart.keys[n][1]] += p.evidence.likelihood(counts, apart.keys[n][0])
	}
	for n, counts := range together.counts {
		nats[together.keys[n][1]] -= p.evidence.likelihood(counts, together.keys[n][0])
	}
	return nats
}

// relabel gives the looks of a class one number.
func (p *poser) relabel(i int) {
	v := &p.all[i]
	v.Before, v.After = slices.Clone(v.Before), slices.Clone(v.After)
	for _, of := range [][]int{v.Before, v.After} {
		for e, look := range of {
			if look >= 0 {
				of[e] = p.class[i][look]
			}
		}
	}
	v.compact()
}
