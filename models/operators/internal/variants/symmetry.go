package variants

import "stripswm/models/operators/internal/work"

// symmetry maps a graph to itself: what is true of some edges is true of those that
// they are mapped to.
type symmetry struct{ state, action, edge []int }

// manySymmetries is how many are made use of.
const manySymmetries = 24

// symmetries looks for some, besides the identity, in a graph whose states can all be
// reached from one: the image of that one and of the actions fixes all others.
func symmetries(w *work.Work, g *Graph) []symmetry {
	out := make([]map[int]int, g.States) // by state and action, the edge
	for s := range out {
		out[s] = map[int]int{}
	}
	for e, edge := range g.Edges {
		out[edge.Source][edge.Action] = e
	}
	var found []symmetry
	order, states := g.from(0)
	if states < g.States {
		return nil
	}
	for image := range g.States {
		if w.Over() || len(found) >= manySymmetries {
			break
		}
		w.Spend(int64(g.States+len(g.Edges)) / 8)
		m := &mapping{g: g, w: w, out: out, order: order}
		m.symmetry = symmetry{none(g.States), none(g.Actions), none(len(g.Edges))}
		m.taken, m.used = make([]bool, g.States), make([]bool, g.Actions)
		m.state[0], m.taken[image] = image, true
		m.extend(0, func() {
			if len(found) < manySymmetries && !m.identity() && m.keepsMissing() {
				found = append(found, m.copy())
			}
		})
	}
	return found
}

// from lists the edges that can be reached from a state, each after its source was,
// and counts the states.
func (g *Graph) from(state int) (order []int, states int) {
	leaving := make([][]int, g.States)
	for e, edge := range g.Edges {
		leaving[edge.Source] = append(leaving[edge.Source], e)
	}
	reached := make([]bool, g.States)
	reached[state] = true
	queue := []int{state}
	for len(queue) > 0 {
		states++
		for _, e := range leaving[queue[0]] {
			order = append(order, e)
			if t := g.Edges[e].Target; !reached[t] {
				reached[t] = true
				queue = append(queue, t)
			}
		}
		queue = queue[1:]
	}
	return order, states
}

// mapping is a symmetry in the making.
type mapping struct {
	symmetry
	g     *Graph
	w     *work.Work
	out   []map[int]int
	order []int
	taken []bool // states that are images
	used  []bool // actions that are
}

// extend maps the edges from the k-th on in every way there is.
func (m *mapping) extend(k int, done func()) {
	var undo []func()
	defer func() {
		for _, u := range undo {
			u()
		}
	}()
	for ; k < len(m.order) && !m.w.Over(); k++ {
		m.w.Spend(1)
		e := m.g.Edges[m.order[k]]
		from := m.out[m.state[e.Source]]
		if len(from) != len(m.out[e.Source]) {
			return
		}
		if m.action[e.Action] < 0 {
			for b := range m.g.Actions {
				if _, there := from[b]; there && !m.used[b] {
					m.action[e.Action], m.used[b] = b, true
					m.extend(k, done)
					m.action[e.Action], m.used[b] = -1, false
				}
			}
			return
		}
		image, there := from[m.action[e.Action]]
		if !there {
			return
		}
		to := m.g.Edges[image].Target
		switch {
		case m.state[e.Target] < 0 && !m.taken[to]:
			m.state[e.Target], m.taken[to] = to, true
			undo = append(undo, func() { m.state[e.Target], m.taken[to] = -1, false })
		case m.state[e.Target] != to:
			return
		}
		m.edge[m.order[k]] = image
	}
	if k == len(m.order) {
		done()
	}
}

func (m *mapping) identity() bool {
	for e, image := range m.edge {
		if e != image {
			return false
		}
	}
	return true
}

// keepsMissing says whether what must not apply is mapped to what must not.
func (m *mapping) keepsMissing() bool {
	for a, b := range m.action {
		if b < 0 || m.g.Missing[a].Count() != m.g.Missing[b].Count() {
			return false
		}
		for s := range m.g.Missing[a].Each {
			if !m.g.Missing[b].Has(m.state[s]) {
				return false
			}
		}
	}
	return true
}

func (m *mapping) copy() symmetry {
	return symmetry{append([]int(nil), m.state...), append([]int(nil), m.action...),
		append([]int(nil), m.edge...)}
}

func none(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = -1
	}
	return out
}

// conflict is a conflict's image.
func (s symmetry) conflict(c conflict) conflict {
	out := conflict{unless: c.unless}
	if c.unless >= 0 {
		out.unless = s.edge[c.unless]
	}
	for _, set := range c.together {
		var image []int
		for _, e := range set {
			image = append(image, s.edge[e])
		}
		out.together = append(out.together, image)
	}
	return out
}

// limits is the image of numbers of variants.
func (s symmetry) limits(of []int) []int {
	out := make([]int, len(of))
	for a, k := range of {
		out[s.action[a]] = k
	}
	return out
}
