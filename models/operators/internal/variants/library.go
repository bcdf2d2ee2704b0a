package variants

import (
	"encoding/binary"
	"hash/fnv"
	"math"

	"stripswm/models/internal/bitset"
)

const (
	manyEntries = 30
	mostEntries = 60
	mostCodes   = 3
)

// library keeps small machines of a graph, each coded on its own: in a machine of
// few states good regions are found in no time. The best are put together
// (compose.go).
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

// complete says that the machines together tell all states distinct, rich that there
// are many, or that no new ones come.
func (l *library) complete() bool { return l.all.blocks == l.g.States }
func (l *library) rich() bool     { return len(l.entries) >= manyEntries || l.barren >= 20 }

// collect takes small machines in and looks for a better code of one.
func (l *library) collect() {
	l.barren++
	s, t := l.together(trivial(l.g.States))
	abstractions(l.w, l.g, s, t, l.rng, l.take)
	if len(l.entries) > 0 {
		l.solve(l.pick(l.entries), true)
	}
}

// take takes a machine in if it is small and new, with a first code; the one of
// least worth has to go if there are too many.
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

func (p partition) hash() uint64 {
	h := fnv.New64a()
	for _, block := range p.block {
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], uint32(block))
		h.Write(b[:])
	}
	return h.Sum64()
}
