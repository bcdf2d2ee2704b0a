package variants

import (
	"math"
	"slices"
)

// drawnEntries is how many machines are tried for one that is taken.
const drawnEntries = 6

// stage is a coding, and its variants cut to pieces whose preconditions exclude
// what they have to.
type stage struct {
	c      *coding
	pieces [][]int
}

// compose goes on with a composition: machines are put together until all states
// have codes of their own. It returns a coding when one is complete. One with more
// pieces than the limit is given up.
func (l *library) compose(limit int) *coding {
	if len(l.made) == 0 {
		l.begin()
	}
	path := l.made
	l.made = nil
	next := l.extend(path[len(path)-1], limit)
	if next.c == nil || len(next.pieces) > limit || l.behind(next) {
		return nil
	}
	path = append(path, next)
	if next.c.codes.blocks < l.g.States {
		l.made = path
		return nil
	}
	if l.path == nil || len(next.pieces) <= len(l.path[len(l.path)-1].pieces) {
		l.path = path
	}
	next = l.polish(next)
	out := *next.c
	out.variants = next.pieces
	return &out
}

// behind says that the best composition told as much with far fewer pieces.
func (l *library) behind(s stage) bool {
	for _, then := range l.path {
		if then.c.codes.bits() >= s.c.codes.bits() && 6*len(then.pieces) < 5*len(s.pieces) {
			return true
		}
	}
	return false
}

// begin begins a composition, half of the time with a part of the best so far.
func (l *library) begin() {
	c := newCoding(l.g, l.toggles)
	l.made = []stage{{c, c.variants}}
	if len(l.path) > 1 && l.rng.IntN(2) == 0 {
		l.made = slices.Clone(l.path[:1+l.rng.IntN(len(l.path)-1)])
	}
}

// extend adds a machine to a composition: of some drawn the one that tells most
// bits for the pieces that it costs. Its regions are looked for where they are
// used: those that share changes with the regions there are cost less.
func (l *library) extend(s stage, limit int) stage {
	before := l.w.Left()
	x := &extension{library: l, from: s, limit: 3 * limit / 2}
	finer := l.finer(s.c.codes)
	for range drawnEntries {
		if len(finer) == 0 || l.w.Over() {
			break
		}
		e := l.pick(finer)
		to := s.c.codes.meet(e.on)
		switch {
		case len(s.c.regions) == 0:
			x.consider(s.c.with(e.codes[l.rng.IntN(len(e.codes))].regions), e.on, to)
		case to.blocks <= l.small():
			x.try(to, to)
		default:
			x.try(e.on, to)
		}
	}
	whole := discrete(l.g.States)
	if len(finer) == 0 {
		x.try(whole, whole)
	} else if len(s.c.regions) > 0 && l.rng.IntN(2) == 0 {
		l.w.AtMost((before-l.w.Left())/2, func() { x.try(whole, whole) })
	}
	if x.best.c == nil || l.w.Over() {
		return stage{}
	}
	return l.trim(x.best.c, x.on, x.best.c.codes)
}

// finer are the machines that tell some of the blocks of a partition distinct.
func (l *library) finer(than partition) (finer []*entry) {
	for _, e := range l.entries {
		if than.meet(e.on).blocks > than.blocks {
			finer = append(finer, e)
		}
	}
	l.w.Spend(int64(len(l.entries) * l.g.States))
	return finer
}

// extension is the best way found to go on with a composition.
type extension struct {
	*library
	from  stage
	limit int // of variants
	best  stage
	on    partition
	worth float64 // bits for a piece
}

// try tells the blocks of a partition distinct by regions that are constant on those
// of another.
func (x *extension) try(on, to partition) {
	most := x.limit
	if x.best.c != nil {
		most = min(most, len(x.from.pieces)+int((to.bits()-x.from.c.codes.bits())/x.worth-0.1))
	}
	if c := x.from.c.clone(); x.distinguish(c, on, to, most) {
		x.consider(c, on, to)
	}
}

func (x *extension) consider(c *coding, on, to partition) {
	next := x.cut(c, to)
	pieces := math.Abs(float64(len(next.pieces) - len(x.from.pieces)))
	if worth := (to.bits() - x.from.c.codes.bits()) / (pieces + 0.1); x.best.c == nil ||
		worth > x.worth {
		x.best, x.on, x.worth = next, on, worth
	}
}

// polish adds codes of machines and takes regions out, while that saves pieces.
func (l *library) polish(s stage) stage {
	for idle := 0; idle < 15 && !l.w.Over(); idle++ {
		var c *coding
		if l.rng.IntN(2) == 0 {
			c = s.c.without(l.rng.IntN(len(s.c.regions)))
		} else {
			e := l.pick(l.entries)
			c = s.c.with(e.codes[l.rng.IntN(len(e.codes))].regions)
		}
		l.w.Spend(int64(len(l.g.Edges) * len(c.regions)))
		if c.codes.blocks < l.g.States || len(c.regions) == len(s.c.regions) {
			continue
		}
		next := l.cut(c, c.codes)
		switch {
		case len(next.pieces) < len(s.pieces):
			s, idle = next, -1
		case len(next.pieces) == len(s.pieces) && len(c.regions) < len(s.c.regions):
			s = next
		}
	}
	return s
}
