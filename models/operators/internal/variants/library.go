package variants

import (
	"math"
	"slices"

	"stripswm/models/internal/bitset"
)

// library keeps small machines of a graph, each coded on its own: in a machine of
// few states good regions are found in no time. The best are put together.
type library struct {
	*encoder
	entries []*entry
	known   map[uint64]bool // partitions that were drawn
	made    []stage         // the composition that is being made
	path    []stage         // of the best composition
	barren  int             // abstractions drawn since one brought a machine
	all     partition       // what the machines distinguish together
}

// entry is a machine of the graph and the best codes found for it.
type entry struct {
	on    partition
	n     *encoder
	codes []code
}

// code is regions of the graph that are constant on the blocks of a machine.
type code struct {
	regions []bitset.Set
	pieces  int // variants of the machine
	changes int // of regions on its edges
}

func newLibrary(n *encoder) *library {
	return &library{encoder: n, known: map[uint64]bool{}, all: trivial(n.g.States)}
}

// worth is the bits that a machine tells for a variant.
func (e *entry) worth() float64 { return e.on.bits() / float64(e.codes[0].pieces+1) }

// pick draws an entry, rather one of more worth.
func (l *library) pick(of []*entry) *entry {
	best := of[l.rng.IntN(len(of))]
	for range 2 {
		if e := of[l.rng.IntN(len(of))]; e.worth() > best.worth() {
			best = e
		}
	}
	return best
}

// small is how many states a machine may have: that of two of this size could
// already be put together to the graph.
func (l *library) small() int { return int(2 * math.Sqrt(float64(l.g.States))) }

// complete says that the machines together tell all states apart, rich that there
// are many, or that no new ones come.
func (l *library) complete() bool { return l.all.blocks == l.g.States }
func (l *library) rich() bool     { return len(l.entries) >= manyEntries || l.barren >= 20 }

// collect takes in small machines, and looks for a better code of one.
func (l *library) collect() {
	l.barren++
	s, t := l.together(trivial(l.g.States))
	abstractions(l.w, l.g, s, t, l.rng, l.take)
	if len(l.entries) > 0 {
		l.solve(l.pick(l.entries), true)
	}
}

// take keeps a machine if it is small and new, with a first code. If there are too many, the one of
// least worth goes.
func (l *library) take(p partition) {
	key := p.hash()
	if p.blocks > l.small() || l.known[key] {
		return
	}
	l.known[key] = true
	e := &entry{on: p, n: &encoder{g: l.g.machine(p), w: l.w, rng: l.rng, toggles: l.toggles}}
	l.solve(e, false)
	if len(e.codes) == 0 {
		return
	}
	l.entries = append(l.entries, e)
	l.barren = 0
	l.all = l.all.meet(p)
	if len(l.entries) <= mostEntries {
		return
	}
	worst := 0
	for i, e := range l.entries {
		if e.worth() < l.entries[worst].worth() {
			worst = i
		}
	}
	l.entries = append(l.entries[:worst], l.entries[worst+1:]...)
}

// solve looks for a code of a machine, and may trim it. Half of the time it begins
// with that of a coarser machine: regions that several share cost once.
func (l *library) solve(e *entry, trim bool) {
	c := newCoding(e.n.g, l.toggles)
	if len(l.entries) > 0 && l.rng.IntN(2) == 0 {
		if f := l.entries[l.rng.IntN(len(l.entries))]; f.on.blocks < e.on.blocks &&
			e.on.meet(f.on).blocks == e.on.blocks {
			for _, x := range f.codes[l.rng.IntN(len(f.codes))].regions {
				c.add(e.on.lower(x))
			}
		}
	}
	on := discrete(e.on.blocks)
	if !e.n.distinguish(c, on, on, math.MaxInt) {
		return
	}
	s := e.n.cut(c, on)
	if trim {
		s = e.n.trim(c, on, on)
	}
	found := code{pieces: len(s.pieces)}
	for _, x := range s.c.regions {
		found.regions = append(found.regions, e.on.lift(x))
		for _, edge := range e.n.g.Edges {
			if x.Has(edge.Source) != x.Has(edge.Target) {
				found.changes++
			}
		}
	}
	e.keep(found)
}

// keep inserts a code, the best first.
func (e *entry) keep(found code) {
	e.codes = append(e.codes, found)
	for i := len(e.codes) - 1; i > 0; i-- {
		a, b := e.codes[i-1], e.codes[i]
		if a.pieces < b.pieces || a.pieces == b.pieces && a.changes <= b.changes {
			break
		}
		e.codes[i-1], e.codes[i] = b, a
	}
	e.codes = e.codes[:min(len(e.codes), mostCodes)]
}

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

// finer are the machines that tell states of one block of a partition apart.
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

// try tells the blocks of a partition apart by regions that are constant on those of another.
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
	for idle := 0; idle < polishIdle && !l.w.Over(); idle++ {
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
