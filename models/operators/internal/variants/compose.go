package variants

import (
	"math"
	"slices"
)

// drawnEntries is how many machines are tried for one that is taken.
const drawnEntries = 12

// stage is a coding, and its variants cut to pieces whose preconditions exclude
// what they have to.
type stage struct {
	c      *coding
	pieces [][]int
}

// compose puts machines together until all states have codes of their own: of some
// drawn it takes the one that tells most bits for the pieces that it costs. Mostly
// it begins with a part of the best composition so far.
func (l *library) compose(limit int) *coding {
	if len(l.entries) == 0 {
		return nil
	}
	c := newCoding(l.g, l.toggles)
	path := []stage{{c, c.variants}}
	if len(l.path) > 1 && l.rng.IntN(3) > 0 {
		path = slices.Clone(l.path[:1+l.rng.IntN(len(l.path)-1)])
	}
	for {
		last := path[len(path)-1]
		if last.c.codes.blocks == l.g.States {
			break
		}
		next := l.extend(last, limit)
		if next.c == nil || len(next.c.variants) > limit {
			return nil
		}
		path = append(path, next)
	}
	last := path[len(path)-1]
	if l.path == nil || len(last.pieces) <= len(l.path[len(l.path)-1].pieces) {
		l.path = path
	}
	last = l.polish(last)
	out := *last.c
	out.variants = last.pieces
	return &out
}

// extend adds a machine to a composition. Its columns are looked for where they are
// used: those that share changes with the columns there are cost less.
func (l *library) extend(s stage, limit int) stage {
	var best stage
	var on partition
	worth := 0.0
	consider := func(at, to partition, most int) bool {
		c := s.c.clone()
		if !l.tellApart(c, at, to, most) {
			return false
		}
		next := l.cut(c, to)
		value := (to.bits() - s.c.codes.bits()) / (math.Abs(float64(len(next.pieces)-len(s.pieces))) + 0.1)
		if best.c == nil || value > worth {
			best, worth, on = next, value, at
		}
		return true
	}
	for range drawnEntries {
		e := l.pick()
		to := s.c.codes.meet(e.on)
		bits := to.bits() - s.c.codes.bits()
		if to.blocks == s.c.codes.blocks || l.w.Over() {
			continue
		}
		at, most := e.on, limit
		if to.blocks <= l.small() {
			at = to
		}
		if best.c != nil {
			most = min(most, len(s.pieces)+int(bits/worth-0.1))
		}
		if len(s.c.columns) > 0 {
			consider(at, to, most)
			continue
		}
		c := s.c.with(e.codes[l.rng.IntN(len(e.codes))].columns)
		next := l.cut(c, to)
		if value := bits / (math.Abs(float64(len(next.pieces)-len(s.pieces))) + 0.1); best.c == nil || value > worth {
			best, worth, on = next, value, at
		}
	}
	if best.c == nil {
		consider(discrete(l.g.States), discrete(l.g.States), limit)
	}
	if best.c == nil || l.w.Over() {
		return stage{}
	}
	return l.trim(best.c, on, best.c.codes)
}

// polish adds codes of machines and takes columns out, while that saves pieces.
func (l *library) polish(s stage) stage {
	for idle := 0; idle < 15 && !l.w.Over(); idle++ {
		var c *coding
		if l.rng.IntN(2) == 0 {
			c = s.c.without(l.rng.IntN(len(s.c.columns)))
		} else {
			e := l.pick()
			c = s.c.with(e.codes[l.rng.IntN(len(e.codes))].columns)
		}
		l.w.Spend(int64(len(l.g.Edges) * len(c.columns)))
		if c.codes.blocks < l.g.States || len(c.columns) == len(s.c.columns) {
			continue
		}
		next := l.cut(c, c.codes)
		switch {
		case len(next.pieces) < len(s.pieces):
			s, idle = next, -1
		case len(next.pieces) == len(s.pieces) && len(c.columns) < len(s.c.columns):
			s = next
		}
	}
	return s
}
