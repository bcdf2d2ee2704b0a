package variants

import (
	"slices"

	"stripswm/models/operators/internal/work"
)

// Explanation says why an action needs several variants, while those of the other actions
// stay as they were found: edges that cannot all be in one, and what there would be no
// region for then. No edge is named in vain; if there are several such reasons, it
// is one with few edges. Without edges there is none, or the work did not suffice.
func Explanation(w *work.Work, g *Graph, found *Found, toggling bool,
	action int,
) (edges []int, lack Lack) {
	r := newRefuter(g, w, toggling)
	var groups [][]int
	of := make([][]int, found.Variants)
	for e, v := range found.Of {
		if g.Edges[e].Action != action {
			of[v] = append(of[v], e)
		}
	}
	of = append(of, r.others[action])
	for _, edges := range of {
		if len(edges) > 1 {
			groups = append(groups, edges)
		}
	}
	r.others[action] = nil // they would all be in the one
	conflicts, _, _ := r.refute(groups, action)
	if len(conflicts) == 0 {
		return nil, lack
	}
	c := slices.MinFunc(conflicts, func(a, b conflict) int {
		return len(a.together[0]) - len(b.together[0])
	})
	return c.together[0], c.lack
}
