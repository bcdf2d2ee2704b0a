package exploration

import "slices"

const (
	searched = 200  // states: a larger world has more tests near by, not farther away
	safe     = 0.85 // probability that a step of a plan applies
)

// node is a state that a plan leads to.
type node struct {
	values values
	recent recent
	before int // node
	by     int // action
	path   test
}

// search is a breadth-first search for a state with a test of a larger gain per second than here,
// the way there included. It returns the actions, the test last; nil where there is none.
func (e *Explorer) search(here float64) []int {
	nodes := []node{{values: e.values, recent: e.recent, before: -1, path: test{applies: 1}}}
	seen := map[string]bool{e.state: true}
	best, from, last := here, -1, -1
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		state := n.values.key()
		for _, a := range e.order() {
			if e.excluded[a] || i == 0 && e.tried[a] {
				continue
			}
			t := e.evaluate(a, n.values, &n.recent, state)
			if per := n.path.then(t).perSecond(); i > 0 && per > best {
				best, from, last = per, i, a
			}
			op := e.beliefs.skills[a].operator
			if op == nil || t.applies < safe || len(nodes) >= searched {
				continue
			}
			next := node{values: slices.Clone(n.values), before: i, by: a, path: n.path.then(t)}
			next.values.apply(op)
			if k := next.values.key(); !seen[k] {
				seen[k] = true
				next.recent = n.recent.clone()
				e.succeed(a, &next.recent)
				nodes = append(nodes, next)
			}
		}
	}
	if from < 0 {
		return nil
	}
	plan := []int{last}
	for i := from; i > 0; i = nodes[i].before {
		plan = append(plan, nodes[i].by)
	}
	slices.Reverse(plan)
	return plan
}
