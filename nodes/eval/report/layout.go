package report

import (
	"math"
	"slices"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// point is a place in a drawing, y downwards.
type point struct{ x, y float64 }

func (p point) add(q point) point            { return point{p.x + q.x, p.y + q.y} }
func (p point) sub(q point) point            { return point{p.x - q.x, p.y - q.y} }
func (p point) times(f float64) point        { return point{p.x * f, p.y * f} }
func (p point) length() float64              { return math.Hypot(p.x, p.y) }
func (p point) mix(q point, t float64) point { return p.times(1 - t).add(q.times(t)) }

// layout places the nodes of g so that their distance on paper is near to their distance in steps, whatever the
// direction of the edges (stress majorisation, Gansner, Koren and North 2004). Neighbours are about unit apart; boxes of
// the given size do not overlap. Components lie side by side. It is a function of the graph alone.
func layout(g *taskgraph.Graph, unit float64, box point) []point {
	at := make([]point, g.NumStates())
	var right float64
	for _, nodes := range components(g) {
		steps := distances(g, nodes)
		part := spectral(steps)
		relax(part, steps)
		for i := range part {
			part[i] = part[i].times(unit)
		}
		settle(part)
		separate(part, box)
		low, high := bounds(part)
		for i, s := range nodes {
			at[s] = point{part[i].x - low.x + right, part[i].y - (low.y+high.y)/2}
		}
		right += high.x - low.x + unit
	}
	return at
}

// components lists the nodes of each connected part, the largest first.
func components(g *taskgraph.Graph) [][]strips.StateID {
	next := neighbours(g)
	seen := make([]bool, g.NumStates())
	var parts [][]strips.StateID
	for s := range seen {
		if seen[s] {
			continue
		}
		seen[s] = true
		part := []strips.StateID{strips.StateID(s)}
		for i := 0; i < len(part); i++ {
			for _, t := range next[part[i]] {
				if !seen[t] {
					seen[t] = true
					part = append(part, t)
				}
			}
		}
		slices.Sort(part)
		parts = append(parts, part)
	}
	slices.SortStableFunc(parts, func(a, b []strips.StateID) int { return len(b) - len(a) })
	return parts
}

func neighbours(g *taskgraph.Graph) [][]strips.StateID {
	next := make([][]strips.StateID, g.NumStates())
	for _, e := range g.Edges {
		next[e.Source] = append(next[e.Source], e.Target)
		next[e.Target] = append(next[e.Target], e.Source)
	}
	return next
}

// distances is the number of steps between the nodes of one component, edges taken both ways.
func distances(g *taskgraph.Graph, nodes []strips.StateID) [][]float64 {
	next := neighbours(g)
	index := make(map[strips.StateID]int, len(nodes))
	for i, s := range nodes {
		index[s] = i
	}
	all := make([][]float64, len(nodes))
	for i, s := range nodes {
		d := make([]float64, len(nodes))
		seen := map[strips.StateID]bool{s: true}
		queue := []strips.StateID{s}
		for len(queue) > 0 {
			u := queue[0]
			queue = queue[1:]
			for _, v := range next[u] {
				if !seen[v] {
					seen[v] = true
					d[index[v]] = d[index[u]] + 1
					queue = append(queue, v)
				}
			}
		}
		all[i] = d
	}
	return all
}

// spectral is classical multidimensional scaling: the two main axes of the doubly centred squared distances.
func spectral(d [][]float64) []point {
	n := len(d)
	b := make([][]float64, n)
	mean := make([]float64, n)
	var all float64
	for i := range d {
		for j := range d {
			mean[i] += d[i][j] * d[i][j] / float64(n)
		}
		all += mean[i] / float64(n)
	}
	for i := range d {
		b[i] = make([]float64, n)
		for j := range d {
			b[i][j] = (mean[i] + mean[j] - d[i][j]*d[i][j] - all) / 2
		}
	}
	x, size := mainAxis(b, nil)
	y, size2 := mainAxis(b, x)
	at := make([]point, n)
	for i := range at {
		// The last terms part nodes that no distance distinguishes.
		at[i] = point{x[i]*size + 1e-3*math.Sin(float64(i)), y[i]*size2 + 1e-3*math.Cos(float64(i))}
	}
	return at
}

// mainAxis finds the eigenvector of the largest eigenvalue at right angles to a given one, and the root of that
// eigenvalue, by power iteration.
func mainAxis(b [][]float64, other []float64) (axis []float64, size float64) {
	n := len(b)
	v := make([]float64, n)
	for i := range v {
		v[i] = math.Sin(float64(3*i + 1))
	}
	for range 100 {
		if other != nil {
			var dot float64
			for i := range v {
				dot += v[i] * other[i]
			}
			for i := range v {
				v[i] -= dot * other[i]
			}
		}
		next := make([]float64, n)
		var norm float64
		for i := range b {
			for j := range v {
				next[i] += b[i][j] * v[j]
			}
			norm += next[i] * next[i]
		}
		norm = math.Sqrt(norm)
		if norm == 0 {
			return next, 0
		}
		for i := range next {
			next[i] /= norm
		}
		v, size = next, math.Sqrt(norm)
	}
	return v, size
}

// relax lowers the stress: each node in turn goes to where the others want it, near ones weighing more. Large graphs get
// fewer rounds, to bound the time.
func relax(at []point, d [][]float64) {
	for range max(30, min(300, 200_000_000/(len(at)*len(at)))) {
		var moved float64
		for i := range at {
			var sum point
			var weights float64
			for j := range at {
				if i == j {
					continue
				}
				distinct := at[i].sub(at[j])
				w := 1 / (d[i][j] * d[i][j])
				want := at[j]
				if l := distinct.length(); l > 1e-9 {
					want = want.add(distinct.times(d[i][j] / l))
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

// settle turns the drawing so that it is as flat as can be, since pages are wider than high, with its first node above
// and to the left of the middle, where reading begins.
func settle(at []point) {
	var c point
	for _, p := range at {
		c = c.add(p.times(1 / float64(len(at))))
	}
	best, turn := math.Inf(1), 0.0
	for k := range 720 {
		angle := float64(k) * math.Pi / 720
		low, high := bounds(turned(at, c, angle))
		if height := high.y - low.y; height < best-1e-6 {
			best, turn = height, angle
		}
	}
	copy(at, turned(at, c, turn))
	low, high := bounds(at)
	first, middle := at[0], low.mix(high, 0.5)
	for i := range at {
		if first.x > middle.x {
			at[i].x = -at[i].x
		}
		if first.y > middle.y {
			at[i].y = -at[i].y
		}
	}
}

func turned(at []point, c point, angle float64) []point {
	sin, cos := math.Sincos(angle)
	out := make([]point, len(at))
	for i, p := range at {
		p = p.sub(c)
		out[i] = point{p.x*cos - p.y*sin, p.x*sin + p.y*cos}
	}
	return out
}

// separate pushes boxes apart, along the axis where they overlap less, until none overlap or patience ends.
func separate(at []point, box point) {
	for range 200 {
		clear := true
		for i := range at {
			for j := range i {
				d := at[i].sub(at[j])
				ox, oy := box.x-math.Abs(d.x), box.y-math.Abs(d.y)
				if ox <= 0.01 || oy <= 0.01 {
					continue
				}
				clear = false
				push := point{math.Copysign(ox/2, d.x), 0}
				if oy < ox {
					push = point{0, math.Copysign(oy/2, d.y)}
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
		low = point{min(low.x, p.x), min(low.y, p.y)}
		high = point{max(high.x, p.x), max(high.y, p.y)}
	}
	return low, high
}
