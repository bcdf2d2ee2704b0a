package effects

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// foretold leaves out the variables of which the skill does not tell the next look, by the look
// before and the looks of a few others, and sets the evidence of the rest.
func (c *changes) foretold(ctx context.Context, all []Variable) ([]Variable, error) {
	f := c.newForeteller(all)
	for {
		for i := range all {
			if f.in[i] && !f.known[i] {
				f.foretell(i)
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		// The worst third goes first: what others do may depend on a variable that is none.
		var order []int
		for i := range all {
			if f.in[i] && all[i].wrong > mostSurprises {
				order = append(order, i)
			}
		}
		if len(order) == 0 {
			break
		}
		slices.SortStableFunc(order, func(x, y int) int {
			return cmp.Compare(all[y].wrong, all[x].wrong)
		})
		for _, i := range order[:(len(order)+2)/3] {
			f.in[i] = false
		}
		for i := range all {
			f.known[i] = f.known[i] && !slices.ContainsFunc(f.by[i], func(k int) bool { return !f.in[k] })
		}
	}
	var rest []Variable
	for i, v := range all {
		if f.in[i] {
			rest = append(rest, v)
		}
	}
	return rest, nil
}

// foreteller tells the next looks of variables by skills and the looks of others.
type foreteller struct {
	*evidence
	of            [][]int // by skill: successes
	all           []Variable
	before, after [][]int8 // by variable, attempt; as small as can be, since this takes most time
	price         float64  // of each way to tell, in nats
	in            []bool   // by variable: it is not left out
	known         []bool   // by variable: its evidence is set
	by            [][]int  // by variable: the others that tell it
}

func (c *changes) newForeteller(all []Variable) *foreteller {
	f := &foreteller{evidence: c.evidence, of: c.of, all: all, known: make([]bool, len(all)),
		by: make([][]int, len(all))}
	ways := 1 // to tell by
	for _, v := range all {
		ways += v.Looks + 2
	}
	f.price = math.Log(float64(ways) / falsePlaces)
	small := func(looks []int) []int8 {
		all := make([]int8, len(looks))
		for i, look := range looks {
			all[i] = int8(look)
		}
		return all
	}
	for _, v := range all {
		f.before, f.after = append(f.before, small(v.Before)), append(f.after, small(v.After))
		f.in = append(f.in, true)
	}
	return f
}

// foretell sets the evidence that a variable is told, and the share of its changes that is not. A
// few skills may do by chance what others do surely, such as to sweep something to any place.
func (f *foreteller) foretell(i int) {
	v := &f.all[i]
	var byLook tables
	var surprising, changed, skills [2]int // of skills that tell, of those that do not
	nats := 0.0
	f.by[i], f.known[i] = nil, true
	for _, own := range f.of {
		events, changes, surprises, n := make([][]int, v.Looks), 0, 0, 0
		for _, e := range own {
			b, a := v.Before[e], v.After[e]
			if b < 0 || a < 0 {
				continue
			}
			events[b] = append(events[b], e)
			byLook.add([4]int{b}, a, v.Looks)
			changes += number(b != a)
			n++
		}
		for look, some := range events {
			if len(some) > 0 {
				wrong, told := f.surprises(i, look, some)
				surprises, nats = surprises+wrong, nats+told
			}
		}
		kind := number(float64(surprises) > mostSurprises*float64(n))
		surprising[kind], changed[kind] = surprising[kind]+surprises, changed[kind]+changes
		if float64(changes) > mostSurprises*float64(n) {
			skills[kind]++
		}
	}
	v.Nats = nats
	for k, counts := range byLook.counts {
		v.Nats -= f.likelihood(counts, byLook.keys[k][0])
	}
	v.surprised = float64(surprising[0]+surprising[1]) / float64(max(changed[0]+changed[1], 1))
	if float64(skills[1]) > mostByChance*float64(skills[0]+skills[1]) {
		surprising[0], changed[0] = surprising[0]+surprising[1], changed[0]+changed[1]
	}
	v.wrong = float64(surprising[0]) / float64(max(changed[0], 1))
}

// surprises is how many successes, all after one look of a variable, have another next look than
// most, and the log likelihood: in each part of them, where the looks of others before them tell
// more, or that one has a certain look (a decision tree).
func (f *foreteller) surprises(i, look int, events []int) (wrong int, nats float64) {
	looks, after := f.all[i].Looks, f.after[i]
	counts := make([]float64, looks)
	for _, e := range events {
		counts[after[e]]++
	}
	wrong, nats = len(events)-int(slices.Max(counts)), f.likelihood(counts, look)
	if wrong == 0 {
		return wrong, nats
	}
	best, by, most := -1, -1, nats+f.price
	table, rest := make([]float64, (mostLooks+1)*looks), make([]float64, looks)
	for k, before := range f.before {
		if k == i || !f.in[k] {
			continue
		}
		rows := f.all[k].Looks + 1
		clear(table[:rows*looks])
		for _, e := range events {
			table[(int(before[e])+1)*looks+int(after[e])]++
		}
		all := 0.0
		for m := range rows {
			row := table[m*looks:][:looks]
			floats.SubTo(rest, counts, row)
			told := f.likelihood(row, look)
			all += told
			if two := told + f.likelihood(rest, look); two > most {
				best, by, most = k, m, two
			}
		}
		if all > most {
			best, by, most = k, -1, all
		}
	}
	if best < 0 {
		return wrong, nats
	}
	f.by[i] = append(f.by[i], best)
	parts := make([][]int, f.all[best].Looks+1)
	for _, e := range events {
		row := int(f.before[best][e]) + 1
		if by >= 0 {
			row = number(row == by)
		}
		parts[row] = append(parts[row], e)
	}
	wrong, nats = 0, -f.price
	for _, part := range parts {
		if len(part) > 0 {
			n, told := f.surprises(i, look, part)
			wrong, nats = wrong+n, nats+told
		}
	}
	return wrong, nats
}

// told is the evidence, in nats, that the skill tells the next look of a variable beyond what the
// look before tells, unless blind, and the looks of another variable, which may be nil, before and
// after.
func (c *changes) told(v, other *Variable, blind bool) float64 {
	var byLook, bySkill tables
	for k, own := range c.of {
		for _, i := range own {
			key := [4]int{v.Before[i]}
			if other != nil {
				key[1], key[2] = other.Before[i], other.After[i]
			}
			next, known := v.After[i], min(v.After[i], key[0], key[1], key[2]) >= 0
			if blind {
				key[0] = 0
			}
			if known {
				byLook.add(key, next, v.Looks)
				key[3] = 1 + k
				bySkill.add(key, next, v.Looks)
			}
		}
	}
	// Skills may tell the looks after some looks only: after each, they do or do not.
	tell := make([]float64, len(byLook.keys))
	for i, key := range bySkill.keys {
		key[3] = 0
		tell[byLook.at[key]] += c.evidence.likelihood(bySkill.counts[i], key[0])
	}
	nats := 0.0
	for i, counts := range byLook.counts {
		more := tell[i] - c.evidence.likelihood(counts, byLook.keys[i][0])
		nats += max(0, more) + math.Log1p(math.Exp(-math.Abs(more))) - math.Ln2
	}
	return nats
}

// tables count next looks by some key that begins with the look before. They are kept in the order
// in which they occur, so that sums are the same each time.
type tables struct {
	at     map[[4]int]int
	keys   [][4]int
	counts [][]float64
}

func (t *tables) add(key [4]int, next, looks int) {
	i, has := t.at[key]
	if !has {
		if t.at == nil {
			t.at = map[[4]int]int{}
		}
		i = len(t.keys)
		t.at[key] = i
		t.keys, t.counts = append(t.keys, key), append(t.counts, make([]float64, looks))
	}
	t.counts[i][next]++
}

// evidence has log likelihoods of next looks (Dirichlet-multinomial), by a prior that mostly keeps
// a look: by count, the logarithms of rising factorials, since these take most time.
type evidence struct {
	all, keep []float64
	move      [mostLooks + 1][]float64 // by looks
}

// newEvidence is for so many successes.
func newEvidence(n int) *evidence {
	rising := func(prior float64) []float64 {
		logs := make([]float64, n+1)
		for i := range n {
			logs[i+1] = logs[i] + math.Log(prior+float64(i))
		}
		return logs
	}
	e := &evidence{all: rising(priorMass), keep: rising(priorMass * keepShare)}
	for looks := 2; looks < len(e.move); looks++ {
		e.move[looks] = rising(priorMass * (1 - keepShare) / float64(looks-1))
	}
	return e
}

// likelihood is the log likelihood of counts of next looks after one look.
func (e *evidence) likelihood(counts []float64, look int) (sum float64) {
	total, move := 0, e.move[len(counts)]
	for next, n := range counts {
		total += int(n)
		if next == look {
			sum += e.keep[int(n)]
		} else {
			sum += move[int(n)]
		}
	}
	return sum - e.all[total]
}
