package effects

import (
	"math"
	"slices"
)

// Result is what was found.
type Result struct {
	Facts     []Fact
	Undecided []Undecided
}

// Fact is what a skill sets, whatever it was before.
type Fact struct {
	Sets   []int // actions after which it is true, ascending
	Clears []int // after which it is false
	Keeps  []int // which leave it where it is true; of all other actions that is not known
	Nats   float64
	Where  []Weight // the features it is seen in
}

// Weight is what a feature's change counts.
type Weight struct {
	Feature int
	Weight  float32
}

// Undecided is what too little is known of.
type Undecided struct {
	Action int     // whose effect it is
	Other  int     // the skill that may undo it; 0: the images of Action show no change that is alike
	Nats   float64 // evidence that it does
	Tries  int     // successes of Other while the effect was on, about
	Mixed  bool    // it does so at some successes and not at others
}

// answer to a question about a skill and an effect.
type answer int8

const (
	open answer = iota
	yes
	no
)

func answered(nats, price float64) answer {
	switch {
	case nats > price:
		return yes
	case nats < -price:
		return no
	}
	return open
}

// candidate is the effect of one part, or of several that are one fact.
type candidate struct {
	parts        []*part
	sets, clears []answer // by skill
	brings       []answer // whether it seems to bring the effect, however few attempts say so
	nats         float64
}

// candidate decides what skills do with a part's effect.
func (c *changes) candidate(p *part, all []meeting, price float64) (*candidate, []Undecided) {
	n := len(c.skills)
	f := &candidate{[]*part{p}, make([]answer, n), make([]answer, n), make([]answer, n), p.nats}
	var undecided []Undecided
	for k := range all {
		m := &all[k]
		if k == p.skill {
			f.sets[k], f.clears[k], f.brings[k] = yes, no, yes
			continue
		}
		f.brings[k], f.clears[k] = answered(min(m.brings, m.equal), 0), answered(m.undoes, price)
		if m.undoes < -keeping {
			f.clears[k] = no
		}
		if m.mixed > 2*price || f.clears[k] == yes && c.chance(p, k) >= float64(m.on.tries()) {
			f.clears[k] = open
		}
		switch f.clears[k] {
		case yes:
			f.nats += m.undoes
			f.sets[k] = no
		case open:
			undecided = append(undecided, Undecided{c.skills[p.skill], c.skills[k], m.undoes, m.on.tries(),
				m.mixed > 2*price})
		}
	}
	return f, undecided
}

// chance is how many successes of a skill while the effect is on may be wrong labels: where it is
// refused there, all are.
func (c *changes) chance(p *part, k int) float64 {
	expected := wrongShare * p.time * float64(len(c.of[k]))
	return expected + 2*math.Sqrt(expected)
}

// same says whether two effects are one: the same skills clear them, as far as is known, those that
// set one bring the other, and none sets one and clears the other.
func (f *candidate) same(o *candidate) bool {
	shared := false
	for k := range f.sets {
		if f.sets[k] == yes && (o.clears[k] == yes || o.brings[k] == no) ||
			o.sets[k] == yes && (f.clears[k] == yes || f.brings[k] == no) || f.differ(o, k) {
			return false
		}
		shared = shared || f.clears[k] == yes && o.clears[k] == yes
	}
	return shared
}

// differ says whether a skill clears one effect and keeps the other.
func (f *candidate) differ(o *candidate, k int) bool {
	return f.clears[k] == yes && o.clears[k] == no || f.clears[k] == no && o.clears[k] == yes
}

// negates says whether one effect is that the other is not: what sets one clears the other, and
// what clears one sets the other or, as far as is known, brings it.
func (f *candidate) negates(o *candidate) bool {
	for k := range f.sets {
		for _, x := range [2][2]*candidate{{f, o}, {o, f}} {
			if x[0].sets[k] == yes && x[1].clears[k] != yes ||
				x[0].clears[k] == yes && x[1].sets[k] != yes && x[1].brings[k] != yes {
				return false
			}
		}
	}
	return true
}

// join adds what is known of another effect that is the same, or the negation.
func (f *candidate) join(o *candidate, negated bool) {
	sets, clears := o.sets, o.clears
	if negated {
		sets, clears = clears, sets
	} else {
		f.parts = append(f.parts, o.parts...)
	}
	f.nats += o.nats
	for k := range f.sets {
		if sets[k] == yes || f.sets[k] == open {
			f.sets[k] = sets[k]
		}
		if clears[k] == yes || f.clears[k] == open {
			f.clears[k] = clears[k]
		}
		if !negated && f.brings[k] == open {
			f.brings[k] = o.brings[k]
		}
	}
}

// facts makes facts of parts, in the order of the first skill that sets them.
func (c *changes) facts(parts []*part, meetings [][]meeting) *Result {
	r := &Result{}
	price := 2 * math.Log(float64(max(len(c.skills), 2)))
	var all []*candidate
	seen := make([]bool, len(c.skills))
	for i, p := range parts {
		seen[p.skill] = true
		if len(p.from) < len(c.of[p.skill]) && meetings[i][p.skill].brings < price {
			seen[p.skill] = false // it does not always set the effect
			continue
		}
		f, undecided := c.candidate(p, meetings[i], price)
		r.Undecided = append(r.Undecided, undecided...)
		if g := first(all, func(g *candidate) bool { return g.same(f) }); g != nil {
			g.join(f, false)
		} else {
			all = append(all, f)
		}
	}
	var facts []*candidate // of those that negate each other, one
	for _, f := range all {
		if g := first(facts, func(g *candidate) bool { return g.negates(f) }); g != nil {
			g.join(f, true)
		} else {
			facts = append(facts, f)
		}
	}
	for a, is := range seen {
		if !is {
			r.Undecided = append(r.Undecided, Undecided{Action: c.skills[a]})
		}
	}
	for _, f := range facts {
		r.Facts = append(r.Facts, c.fact(f))
	}
	return r
}

// first is the first of some candidates that is so; nil if none is.
func first(all []*candidate, is func(*candidate) bool) *candidate {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i]
	}
	return nil
}

func (c *changes) fact(f *candidate) Fact {
	out := Fact{Nats: f.nats}
	for k, id := range c.skills {
		switch {
		case f.sets[k] == yes:
			out.Sets = append(out.Sets, id)
		case f.clears[k] == yes:
			out.Clears = append(out.Clears, id)
		case f.clears[k] == no:
			out.Keeps = append(out.Keeps, id)
		}
	}
	where := map[int]float32{}
	for _, p := range f.parts {
		for i, v := range p.cells {
			where[int(v)] += p.mean[i] * p.scale[i] / p.norm / float32(len(f.parts))
		}
	}
	for v, w := range where {
		out.Where = append(out.Where, Weight{v, w})
	}
	slices.SortFunc(out.Where, func(x, y Weight) int { return x.Feature - y.Feature })
	return out
}
