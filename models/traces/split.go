package traces

import (
	"math"
	"slices"
)

// split divides a region by what its actions go with: those that make it true and those that follow
// and make it false again are of one part, if that was so once, or likewise those that make it
// false and those that follow. What is in the hand is divided so by object, since an object that is
// picked up is put down next. Parts have to save more, where it is told by its part what follows,
// than it takes to name them.
func split(t *trace, r *region) (parts []*region) {
	adds := map[int32]bool{}
	var actions []int
	for _, e := range r.effects {
		adds[int32(e.action)] = e.adds
		actions = append(actions, e.action)
	}
	events := t.cancel(t.merged(actions, nil), func(x, y int32) bool { return adds[x] == adds[y] })
	for _, first := range []bool{true, false} {
		parent := map[int]int{}
		root := func(a int) int {
			for p, joined := parent[a]; joined; p, joined = parent[a] {
				a = p
			}
			return a
		}
		var next []int // the actions that follow
		for i := 1; i < len(events); i++ {
			x, y := t.events[events[i-1]], t.events[events[i]]
			if adds[x.action] != first || adds[y.action] == first ||
				t.segment(events[i-1]) != t.segment(events[i]) {
				continue
			}
			next = append(next, int(y.action))
			if a, b := root(int(x.action)), root(int(y.action)); a != b {
				parent[a] = b
			}
		}
		var found []*region
		of, ends := map[int]*region{}, map[int]float64{}
		following := 0.0
		for _, e := range r.effects {
			a := root(e.action)
			if of[a] == nil {
				of[a] = &region{part: true}
				found = append(found, of[a])
			}
			of[a].effects = append(of[a].effects, e)
			if e.adds != first {
				ends[a], following = ends[a]+1, following+1
			}
		}
		nats := 0.0
		for _, a := range next {
			nats += math.Log(following / ends[root(a)])
		}
		for _, p := range found {
			n := float64(len(p.effects))
			nats -= n * math.Log(float64(len(r.effects))/n)
		}
		if nats < math.Log(float64(len(r.effects))) {
			continue
		}
		found = slices.DeleteFunc(found, func(p *region) bool {
			return len(p.effects) == 2 || !p.evaluate(t)
		})
		if len(found) > 1 { // one is the rest
			parts = append(parts, found...)
		}
	}
	return parts
}
