package main

import (
	"fmt"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// dinnerTable is the full task graph of five objects on seven placements, one
// object a placement and at most one held: pick(o, p) = 1 + 7o + p and
// place(o, p) = 36 + 7o + p. With limit > 0 it stops after that many states,
// breadth first, and keeps the edges among them.
func dinnerTable(limit int) *taskgraph.Graph {
	labels := make([]string, 70)
	for o := range 5 {
		for p := range 7 {
			labels[7*o+p] = fmt.Sprintf("pick_%d_%d", o, p)
			labels[35+7*o+p] = fmt.Sprintf("place_%d_%d", o, p)
		}
	}
	type table [5]int8 // the placement of each object, -1 while held
	b := taskgraph.NewBuilder(labels)
	start := table{0, 1, 2, 3, 4}
	seen := map[table]bool{start: true}
	for queue := []table{start}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		held, taken := -1, [7]bool{}
		for o, p := range at {
			if p < 0 {
				held = o
			} else {
				taken[p] = true
			}
		}
		step := func(action, object int, p int8) {
			next := at
			next[object] = p
			if !seen[next] {
				if limit > 0 && len(seen) == limit {
					return
				}
				seen[next] = true
				queue = append(queue, next)
			}
			if err := b.Observe(fmt.Sprint(at), strips.ActionID(action+1), fmt.Sprint(next)); err != nil {
				panic(err)
			}
		}
		for o, p := range at {
			if held < 0 {
				step(7*o+int(p), o, -1)
			}
		}
		for p, t := range taken {
			if held >= 0 && !t {
				step(35+7*held+p, held, int8(p))
			}
		}
	}
	return b.Graph()
}
