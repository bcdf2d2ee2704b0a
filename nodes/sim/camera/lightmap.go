package camera

import (
	"math"
	"math/bits"

	"stripswm/nodes/sim/scene"
)

// lightMap is the light on the visible part of the table, computed once an image. Each cell
// collects in a bit mask which of 16 points of the lamp and which of 16 directions of the room
// some body hides from it: the shadow of a convex hull is a convex polygon, filled line by line.
type lightMap struct {
	w, h   int
	origin scene.Vec // table coordinates of cell (0, 0)
	scale  float64   // cells a metre
	hidden []uint32  // low half: the lamp; high half: the room
	cells  []light
	spare  []light
	points []point
	hull   []point
}

// light is what reaches a cell: the lamp's share, the room's share and the lamp's gloss.
type light [3]float32

// rays is how many points stand for the lamp, and how many directions for the room.
const rays = 16

// domeRays are directions of the room's light, as many as the cosine law wants from each height.
var domeRays = func() (d [rays]scene.Vec) {
	for i := range d {
		x, y := sunflower(i, rays)
		d[i] = scene.Vec{X: x, Y: y, Z: math.Sqrt(max(0.02, 1-x*x-y*y))}
	}
	return d
}()

func (m *lightMap) compute(f *frame) {
	m.cover(f)
	for i := range f.scene.Bodies {
		b := &f.scene.Bodies[i]
		for _, hull := range b.Shape.Hulls() {
			m.cast(f, b, hull)
		}
	}
	m.shade(f)
	m.blur(1)
}

// cover lays the map over the part of the table that the image shows.
func (m *lightMap) cover(f *frame) {
	t := f.scene.Table
	lo, hi := t.Max, t.Min
	w, h := float64(f.w), float64(f.h)
	for _, c := range [...]point{{0, 0}, {w, 0}, {0, h}, {w, h}} {
		d := f.view.ray(c.x, c.y)
		k := 1e3 // a ray above the horizon sees as far as the table goes
		if d.Z < 0 {
			k = -f.view.eye.Z / d.Z
		}
		p := f.view.eye.Add(d.Scale(k))
		lo.X, lo.Y = min(lo.X, p.X), min(lo.Y, p.Y)
		hi.X, hi.Y = max(hi.X, p.X), max(hi.Y, p.Y)
	}
	lo.X, lo.Y = max(lo.X, t.Min.X), max(lo.Y, t.Min.Y)
	hi.X, hi.Y = min(hi.X, t.Max.X), min(hi.Y, t.Max.Y)
	wide, deep := max(hi.X-lo.X, 0.01), max(hi.Y-lo.Y, 0.01)
	cells := min(320, max(80, 0.8*w))
	m.origin, m.scale = lo, cells/max(wide, deep)
	m.w, m.h = int(wide*m.scale)+2, int(deep*m.scale)+2
	n := m.w * m.h
	m.hidden = resize(m.hidden, n)
	clear(m.hidden)
	m.cells, m.spare = resize(m.cells, n), resize(m.spare, n)
}

// cast marks the cells that one convex part of a body hides from each ray.
func (m *lightMap) cast(f *frame, b *scene.Body, hull []scene.Vec) {
	if len(hull) < 3 {
		return
	}
	var world [64]scene.Vec
	hull = hull[:min(len(hull), len(world))]
	for i, p := range hull {
		world[i] = b.At.Add(b.Rot.Apply(p))
		world[i].Z = max(0, world[i].Z)
	}
	m.points, m.hull = resize(m.points, len(hull)), resize(m.hull, len(hull)+1)
	for r := range 2 * rays {
		for i, p := range world[:len(hull)] {
			var away scene.Vec // from the light, as it falls one metre
			if r < rays {
				away = p.Sub(f.lamp[r])
				away = away.Scale(1 / max(0.05, -away.Z))
			} else {
				away = domeRays[r-rays].Scale(-1 / domeRays[r-rays].Z)
			}
			m.points[i] = point{
				(p.X + p.Z*away.X - m.origin.X) * m.scale,
				(p.Y + p.Z*away.Y - m.origin.Y) * m.scale,
			}
		}
		m.fill(convexHull(m.points, m.hull), 1<<r)
	}
}

// fill sets the bit in all cells whose centre lies in the convex polygon.
func (m *lightMap) fill(polygon []point, bit uint32) {
	if len(polygon) < 3 {
		return
	}
	lo, hi := polygon[0].y, polygon[0].y
	for _, p := range polygon[1:] {
		lo, hi = min(lo, p.y), max(hi, p.y)
	}
	first, last := max(0, int(math.Ceil(lo))), min(m.h-1, int(math.Floor(hi)))
	for j := first; j <= last; j++ {
		y := float64(j)
		left, right := math.Inf(1), math.Inf(-1)
		a := polygon[len(polygon)-1]
		for _, b := range polygon {
			if (a.y <= y) != (b.y <= y) {
				x := a.x + (y-a.y)*(b.x-a.x)/(b.y-a.y)
				left, right = min(left, x), max(right, x)
			}
			a = b
		}
		if !(left <= right) {
			continue
		}
		from, to := max(0, int(math.Ceil(left))), min(m.w-1, int(math.Floor(right)))
		for i := from; i <= to; i++ {
			m.hidden[j*m.w+i] |= bit
		}
	}
}

// shade turns masks into light.
func (m *lightMap) shade(f *frame) {
	lamp := f.scene.Light.At
	reference := lamp.Dot(lamp)
	for j := range m.h {
		y := m.origin.Y + float64(j)/m.scale
		for i := range m.w {
			x := m.origin.X + float64(i)/m.scale
			mask := m.hidden[j*m.w+i]
			key := float64(rays-bits.OnesCount32(mask&0xffff)) / rays
			room := float64(rays-bits.OnesCount32(mask>>16)) / rays
			l := scene.Vec{X: lamp.X - x, Y: lamp.Y - y, Z: lamp.Z}
			dd := l.Dot(l)
			inv := 1 / math.Sqrt(dd)
			e := f.view.eye
			v := scene.Vec{X: e.X - x, Y: e.Y - y, Z: e.Z}
			half := l.Scale(inv).Add(v.Scale(1 / v.Len()))
			g := half.Z * half.Z / half.Dot(half)
			g *= g
			g *= g
			g *= g
			m.cells[j*m.w+i] = light{
				float32(key * l.Z * inv * reference / dd),
				float32(room),
				float32(key * g * g),
			}
		}
	}
}

// blur smooths the steps between the rays with a small tent filter, along rows and then columns.
func (m *lightMap) blur(passes int) {
	for range passes {
		for j := range m.h {
			smooth(m.spare[j*m.w:], m.cells[j*m.w:], m.w, 1)
		}
		for i := range m.w {
			smooth(m.cells[i:], m.spare[i:], m.h, m.w)
		}
	}
}

// smooth writes n values, stride apart, each mixed with its two neighbours on either side.
func smooth(dst, src []light, n, stride int) {
	for i := range n {
		a, b := max(i-1, 0)*stride, min(i+1, n-1)*stride
		aa, bb := max(i-2, 0)*stride, min(i+2, n-1)*stride
		c := i * stride
		for k := range 3 {
			dst[c][k] = (src[aa][k]+src[bb][k])*(1./9) + (src[a][k]+src[b][k])*(2./9) + src[c][k]*(3./9)
		}
	}
}

// at interpolates the light at table coordinates (x, y).
func (m *lightMap) at(x, y float64) (key, room, gloss float32) {
	u, v := (x-m.origin.X)*m.scale, (y-m.origin.Y)*m.scale
	u, v = min(max(u, 0), float64(m.w)-1.001), min(max(v, 0), float64(m.h)-1.001)
	i, j := int(u), int(v)
	fu, fv := float32(u-float64(i)), float32(v-float64(j))
	top := m.cells[j*m.w+i : j*m.w+i+2 : j*m.w+i+2]
	low := m.cells[(j+1)*m.w+i : (j+1)*m.w+i+2 : (j+1)*m.w+i+2]
	a, b, c, d := &top[0], &top[1], &low[0], &low[1]
	w0, w1, w2, w3 := (1-fu)*(1-fv), fu*(1-fv), (1-fu)*fv, fu*fv
	return a[0]*w0 + b[0]*w1 + c[0]*w2 + d[0]*w3,
		a[1]*w0 + b[1]*w1 + c[1]*w2 + d[1]*w3,
		a[2]*w0 + b[2]*w1 + c[2]*w2 + d[2]*w3
}

// resize returns s with n elements, whatever they hold.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
