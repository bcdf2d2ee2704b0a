package paths

import "slices"

// Shortest is the edges of a shortest path between two nodes, breadth first; false where there is
// none. next reaches the nodes that edges out of a node lead to; of several shortest paths the one
// by edges that come first is taken. Memory: an entry a node.
func Shortest[N comparable, E any](from, to N, next func(at N, reach func(E, N))) (path []E,
	found bool) {
	type step struct {
		from N
		by   E
	}
	came := map[N]step{}
	reached := func(n N) bool { _, is := came[n]; return is || n == from }
	for queue := []N{from}; len(queue) > 0 && !reached(to); queue = queue[1:] {
		next(queue[0], func(by E, n N) {
			if !reached(n) {
				came[n] = step{queue[0], by}
				queue = append(queue, n)
			}
		})
	}
	if !reached(to) {
		return nil, false
	}
	for at := to; at != from; at = came[at].from {
		path = append(path, came[at].by)
	}
	slices.Reverse(path)
	return path, true
}
