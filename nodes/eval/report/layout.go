package report

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
	"gonum.org/v1/gonum/graph/traverse"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/mds"

	"stripswm/models/taskgraph"
)

// point is a place in a drawing, y downwards.
type point struct{ X, Y float64 }

func (p point) add(q point) point            { return point{p.X + q.X, p.Y + q.Y} }
func (p point) sub(q point) point            { return point{p.X - q.X, p.Y - q.Y} }
func (p point) times(f float64) point        { return point{p.X * f, p.Y * f} }
func (p point) length() float64              { return math.Hypot(p.X, p.Y) }
func (p point) mix(q point, t float64) point { return p.times(1 - t).add(q.times(t)) }

// layout places the nodes of g so that their distance on paper is near to their distance in steps,
// whatever the direction of the edges (stress majorisation, Gansner, Koren and North 2004).
// Neighbours are about unit apart; boxes of the given size do not overlap. Components lie side by
// side. It is a function of the graph alone.
func layout(g *taskgraph.Graph, unit float64, box point) []point {
	at := make([]point, g.NumStates())
	undirected := simple.NewUndirectedGraph()
	for s := range at {
		undirected.AddNode(simple.Node(s))
	}
	for _, e := range g.Edges {
		if e.Source != e.Target {
			undirected.SetEdge(simple.Edge{F: simple.Node(e.Source), T: simple.Node(e.Target)})
		}
	}
	var right float64
	for _, nodes := range components(undirected) {
		steps := distances(undirected, nodes)
		part := scale(steps)
		relax(part, steps)
		for i := range part {
			part[i] = part[i].times(unit)
		}
		settle(part)
		separate(part, box)
		low, high := bounds(part)
		for i, n := range nodes {
			at[n.ID()] = point{part[i].X - low.X + right, part[i].Y - (low.Y+high.Y)/2}
		}
		right += high.X - low.X + unit
	}
	return at
}

// components lists the nodes of each connected part by id, the largest part first.
func components(g graph.Undirected) [][]graph.Node {
	parts := topo.ConnectedComponents(g)
	for _, part := range parts {
		slices.SortFunc(part, func(a, b graph.Node) int { return cmp.Compare(a.ID(), b.ID()) })
	}
	slices.SortFunc(parts, func(a, b []graph.Node) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0].ID(), b[0].ID()))
	})
	return parts
}

// distances is the number of steps between the nodes of one component.
func distances(g graph.Undirected, nodes []graph.Node) *mat.SymDense {
	index := make(map[int64]int, len(nodes))
	for i, n := range nodes {
		index[n.ID()] = i
	}
	steps := mat.NewSymDense(len(nodes), nil)
	for i, from := range nodes {
		var search traverse.BreadthFirst
		search.Walk(g, from, func(n graph.Node, depth int) bool {
			steps.SetSym(i, index[n.ID()], float64(depth))
			return false
		})
	}
	return steps
}

// scale is classical multidimensional scaling of distances.
func scale(d *mat.SymDense) []point {
	var axes mat.Dense
	k, _ := mds.TorgersonScaling(&axes, nil, d)
	at := make([]point, d.SymmetricDim())
	for i := range at {
		// The terms part nodes that no distance distinguishes.
		at[i] = point{1e-3 * math.Sin(float64(i)), 1e-3 * math.Cos(float64(i))}
		if k > 0 {
			at[i].X += axes.At(i, 0)
		}
		if k > 1 {
			at[i].Y += axes.At(i, 1)
		}
	}
	return at
}

// relax lowers the stress: each node in turn goes to where the others want it, near ones weighing
// more. Large graphs get fewer rounds, to bound the time.
func relax(at []point, d *mat.SymDense) {
	for range max(30, min(300, 200_000_000/(len(at)*len(at)))) {
		var moved float64
		for i := range at {
			var sum point
			var weights float64
			for j := range at {
				if i == j {
					continue
				}
				offset := at[i].sub(at[j])
				steps := d.At(i, j)
				w := 1 / (steps * steps)
				want := at[j]
				if l := offset.length(); l > 1e-9 {
					want = want.add(offset.times(steps / l))
				}
				sum = sum.add(want.times(w))
				weights += w
			}
			if weights == 0 {
				return
			}
			to := sum.times(1 / weights)
			moved = max(moved, to.sub(at[i]).length())
			at[i] = to
		}
		if moved < 1e-4 {
			return
		}
	}
}

// settle turns the drawing so that it is as flat as can be, since pages are wider than high, with
// its first node above and to the left of the middle, where reading begins.
func settle(at []point) {
	var c point
	for _, p := range at {
		c = c.add(p.times(1 / float64(len(at))))
	}
	best, turn := math.Inf(1), 0.0
	for k := range 720 {
		angle := float64(k) * math.Pi / 720
		low, high := bounds(turned(at, c, angle))
		if height := high.Y - low.Y; height < best-1e-6 {
			best, turn = height, angle
		}
	}
	copy(at, turned(at, c, turn))
	low, high := bounds(at)
	first, middle := at[0], low.mix(high, 0.5)
	for i := range at {
		if first.X > middle.X {
			at[i].X = -at[i].X
		}
		if first.Y > middle.Y {
			at[i].Y = -at[i].Y
		}
	}
}

func turned(at []point, c point, angle float64) []point {
	sin, cos := math.Sincos(angle)
	out := make([]point, len(at))
	for i, p := range at {
		p = p.sub(c)
		out[i] = point{p.X*cos - p.Y*sin, p.X*sin + p.Y*cos}
	}
	return out
}

// separate pushes boxes apart, along the axis where they overlap less, until none overlap or
// patience ends.
func separate(at []point, box point) {
	for range 200 {
		clear := true
		for i := range at {
			for j := range i {
				d := at[i].sub(at[j])
				ox, oy := box.X-math.Abs(d.X), box.Y-math.Abs(d.Y)
				if ox <= 0.01 || oy <= 0.01 {
					continue
				}
				clear = false
				push := point{math.Copysign(ox/2, d.X), 0}
				if oy < ox {
					push = point{0, math.Copysign(oy/2, d.Y)}
				}
				at[i], at[j] = at[i].add(push), at[j].sub(push)
			}
		}
		if clear {
			return
		}
	}
}

func bounds(at []point) (low, high point) {
	low, high = point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, p := range at {
		low = point{min(low.X, p.X), min(low.Y, p.Y)}
		high = point{max(high.X, p.X), max(high.Y, p.Y)}
	}
	return low, high
}
