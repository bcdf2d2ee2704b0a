package variants

import "stripswm/models/internal/bitset"

// effects is a set of what a variant may do to a region.
type effects uint8

const (
	inert effects = 1 << iota
	adds
	deletes
	toggles
)

// allowed are the effects that variants may have.
func allowed(toggling bool) effects {
	if toggling {
		return inert | adds | deletes | toggles
	}
	return inert | adds | deletes
}

// fitting are the effects that fit one edge.
func fitting(x bitset.Set, e Edge) effects {
	from, to := x.Has(e.Source), x.Has(e.Target)
	switch {
	case from && to:
		return inert | adds
	case to:
		return adds | toggles
	case from:
		return deletes | toggles
	}
	return inert | deletes
}

// fitted is a region and the effects on it that fit all edges of each variant.
type fitted struct {
	x    bitset.Set
	does []effects
}

// fit works out the effects; the second result says whether each variant has one.
func (g *Graph) fit(x bitset.Set, of []int, variants int, any effects) (fitted, bool) {
	f := fitted{x, make([]effects, variants)}
	for v := range f.does {
		f.does[v] = any
	}
	for e, v := range of {
		if f.does[v] &= fitting(x, g.Edges[e]); f.does[v] == 0 {
			return f, false
		}
	}
	return f, true
}

// agreeing leaves in a set the states that agree with all of some sources in a
// region, if that is constant on them.
func agreeing(set, sources, x bitset.Set) {
	switch {
	case sources.Within(x):
		set.Keep(x)
	case !sources.Meets(x):
		set.Remove(x)
	}
}
