package variants

import (
	"math/rand/v2"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// grouping is variants, and regions that show that they are fine.
type grouping struct {
	of       []int // variant of each edge, with gaps
	variants int
	size     int // sum of the squares of the variants' edges
	regions  []bitset.Set
}

func (j *merger) grouping() grouping {
	out := grouping{of: j.of, variants: j.live}
	for _, edges := range j.members {
		out.size += len(edges) * len(edges)
	}
	for _, f := range j.regions {
		out.regions = append(out.regions, f.x)
	}
	return out
}

// grow joins what can be joined to each of the given variants, first those with
// which most regions survive: they are likelier to be of one kind.
func (j *merger) grow(variants []int) {
	refused := map[[2]int]bool{}
	for _, v := range variants {
		for j.members[v] != nil && !j.w.Over() {
			action := j.g.Edges[j.members[v][0]].Action
			best, most := -1, -1
			scanned := 0
			for _, u := range j.rng.Perm(len(j.members)) {
				if u == v || j.members[u] == nil || j.g.Edges[j.members[u][0]].Action != action ||
					refused[[2]int{v, u}] {
					continue
				}
				survive := 0
				scanned++
				for _, f := range j.regions {
					if f.does[v]&f.does[u] != 0 {
						survive++
					}
				}
				if survive > most {
					best, most = u, survive
				}
			}
			j.w.Spend(int64(len(j.members)/8 + scanned*len(j.regions)/16))
			if best < 0 {
				break
			}
			if !j.merge(v, best) {
				refused[[2]int{v, best}] = true
				refused[[2]int{best, v}] = true
			}
		}
	}
}

const idleRounds = 20

// improve is a large neighbourhood search: it takes some variants distinct to their
// edges, half of the time all of one action, and joins these again, until nothing
// has come of it so many times in a row.
func improve(g *Graph, w *work.Work, rng *rand.Rand, any effects, now grouping) grouping {
	best := now
	for idle := 0; idle < idleRounds && !w.Over(); idle++ {
		of, loose := distinct(g, now.of, rng)
		j := newMerger(g, w, rng, any, of, now.regions)
		j.grow(loose)
		if w.Over() {
			break
		}
		next := j.grouping()
		if next.variants < now.variants || next.variants == now.variants && next.size >= now.size ||
			next.variants == now.variants+1 && rng.IntN(50) == 0 {
			now = next
		}
		if next.variants < best.variants {
			idle = 0
		}
		if next.variants <= best.variants {
			best = next
		}
	}
	return best
}

// distinct takes two to four variants distinct and returns the edges that it made
// variants of their own.
func distinct(g *Graph, of []int, rng *rand.Rand) (out, loose []int) {
	members := make([][]int, len(of))
	for e, v := range of {
		members[v] = append(members[v], e)
	}
	var variants []int
	for v, edges := range members {
		if edges != nil {
			variants = append(variants, v)
		}
	}
	action := g.Edges[members[variants[rng.IntN(len(variants))]][0]].Action
	one := rng.IntN(2) == 0
	left := 2 + rng.IntN(3)
	taken := make([]bool, len(of))
	for _, i := range rng.Perm(len(variants)) {
		v := variants[i]
		if left > 0 && !(one && g.Edges[members[v][0]].Action != action) {
			taken[v] = true
			left--
		}
	}
	out = make([]int, len(of))
	for v, edges := range members {
		for _, e := range edges {
			if out[e] = edges[0]; taken[v] {
				out[e] = e
				loose = append(loose, e)
			}
		}
	}
	rng.Shuffle(len(loose), func(i, j int) { loose[i], loose[j] = loose[j], loose[i] })
	return out, loose
}

// first numbers variants by their first edges.
func first(variants [][]int, edges int) []int {
	of := make([]int, edges)
	for _, v := range variants {
		for _, e := range v {
			of[e] = v[0]
		}
	}
	return of
}

// variants are those that there are, in random order.
func (j *merger) variants() []int {
	var out []int
	for v, edges := range j.members {
		if edges != nil {
			out = append(out, v)
		}
	}
	j.rng.Shuffle(len(out), func(a, b int) { out[a], out[b] = out[b], out[a] })
	return out
}

// edgeByEdge has a variant for each edge. Any regions fit: they are the states'
// numbers in binary.
func edgeByEdge(g *Graph) grouping {
	of := discrete(len(g.Edges)).block
	n := grouping{of: of, variants: len(of), size: len(of)}
	for bit := 1; bit < g.States; bit *= 2 {
		x := bitset.New(g.States)
		for s := range g.States {
			if s&bit != 0 {
				x.Set(s)
			}
		}
		n.regions = append(n.regions, x)
	}
	return n
}

// found numbers the variants by action and first edge.
func (n grouping) found(g *Graph) *Found {
	f := &Found{Of: make([]int, len(n.of)), Regions: n.regions}
	for _, edges := range g.of() {
		number := map[int]int{}
		for _, e := range edges {
			k, seen := number[n.of[e]]
			if !seen {
				k = f.Variants
				number[n.of[e]] = k
				f.Variants++
			}
			f.Of[e] = k
		}
	}
	return f
}
