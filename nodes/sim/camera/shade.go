package camera

import (
	"math"

	"stripswm/nodes/sim/scene"
)

const floorDepth = -0.74 // the ground below the table, metres

// mat is a scene.Mat made ready: its own axes on the table.
type mat struct {
	x, y, sin, cos float64
	src            *scene.Mat
}

func (f *frame) layMats() {
	f.mats = resize(f.mats, len(f.scene.Mats))
	for i := range f.scene.Mats {
		m := &f.scene.Mats[i]
		sin, cos := math.Sincos(m.Yaw)
		f.mats[i] = mat{m.At.X, m.At.Y, sin, cos, m}
	}
}

// ground returns how far along the ray d the table or, past it, the floor is.
func (f *frame) ground(d scene.Vec) float64 {
	if d.Z >= 0 {
		return math.Inf(1)
	}
	eye := &f.view.eye
	t := -eye.Z / d.Z
	if f.onTable(eye.X+t*d.X, eye.Y+t*d.Y) {
		return t
	}
	if edge, ok := f.frontEdge(d); ok {
		return edge
	}
	return (floorDepth - eye.Z) / d.Z
}

func (f *frame) onTable(x, y float64) bool {
	t := &f.scene.Table
	return x >= t.Min.X && x <= t.Max.X && y >= t.Min.Y && y <= t.Max.Y
}

// frontEdge meets the side of the table that faces the camera.
func (f *frame) frontEdge(d scene.Vec) (float64, bool) {
	t := &f.scene.Table
	k := (t.Min.Y - f.view.eye.Y) / d.Y
	x, z := f.view.eye.X+k*d.X, f.view.eye.Z+k*d.Z
	return k, k > 0 && z <= 0 && z >= -t.Thickness && x >= t.Min.X && x <= t.Max.X
}

// shadeGround returns the light from the table or what lies beyond it.
func (f *frame) shadeGround(d scene.Vec, t float64, line int) (texel, uint32) {
	p := f.view.eye.Add(d.Scale(min(t, 20)))
	switch {
	case p.Z < floorDepth+1e-6 || t > 20:
		return f.shadeFloor(p), floorKey
	case p.Z < -1e-6:
		r, g, b := f.table.sample(p.X, f.scene.Table.Min.Y-p.Z, f.levels[line])
		s := &f.scene.Light
		k := scene.Vec{X: float64(r), Y: float64(g), Z: float64(b)}.Times(
			s.Ambient.Scale(0.8).Add(s.Key.Scale(0.25)))
		return pack(k), edgeKey
	}
	key, room, gloss := f.lights.at(p.X, p.Y)
	for i := range f.mats {
		m := &f.mats[i]
		dx, dy := p.X-m.x, p.Y-m.y
		u, v := math.Abs(m.cos*dx+m.sin*dy), math.Abs(m.cos*dy-m.sin*dx)
		if u > m.src.HalfX || v > m.src.HalfY {
			continue
		}
		return f.shadeMat(m, dx, dy, min(m.src.HalfX-u, m.src.HalfY-v), key, room, gloss),
			matKey + uint32(i)<<8
	}
	r, g, b := f.table.sample(p.X, p.Y, f.levels[line])
	l := &f.scene.Light
	const varnish = 0.05
	return texel{
		r*(key*float32(l.Key.X)+room*float32(l.Ambient.X)) + varnish*gloss*float32(l.Key.X),
		g*(key*float32(l.Key.Y)+room*float32(l.Ambient.Y)) + varnish*gloss*float32(l.Key.Y),
		b*(key*float32(l.Key.Z)+room*float32(l.Ambient.Z)) + varnish*gloss*float32(l.Key.Z),
	}, tableKey
}

// shadeMat returns the light from a mat: woven, with a darker hem.
func (f *frame) shadeMat(m *mat, x, y, inside float64, key, room, gloss float32) texel {
	c := m.src.Material.Color
	k := 1.0
	if m.src.Material.Mottle > 0 {
		k += m.src.Material.Mottle * valueNoise(x*260, y*260, 31)
	}
	if inside < 0.0035 {
		k *= 0.72
	}
	l := &f.scene.Light
	light := l.Key.Scale(float64(key)).Add(l.Ambient.Scale(float64(room)))
	return pack(c.Scale(k).Times(light).Add(l.Key.Scale(m.src.Material.Gloss * float64(gloss))))
}

// shadeFloor returns the light from the floor, darker under the table and farther away.
func (f *frame) shadeFloor(p scene.Vec) texel {
	t := &f.scene.Table
	dx := max(t.Min.X-p.X, p.X-t.Max.X, 0)
	dy := max(t.Min.Y-p.Y, p.Y-t.Max.Y, 0)
	near := math.Sqrt(dx*dx + dy*dy)
	shade := 0.45 + 0.55*smoothstep(-0.1, 0.9, near)
	l := &f.scene.Light
	v := l.At.Sub(p)
	lamp := l.At.Dot(l.At) / v.Dot(v)
	speck := 1 + 0.04*valueNoise(p.X*9, p.Y*9, 5)
	light := l.Ambient.Add(l.Key.Scale(0.8 * lamp)).Scale(shade * speck)
	return pack(f.scene.Floor.Times(light))
}

// shadeBody returns the light from a body: the lamp with its soft shadow, the room, the table's
// reflection from below, and a highlight. The share of the lamp may be known from a close point.
func (f *frame) shadeBody(d scene.Vec, h *hit, index int, share float32) (texel, uint32) {
	b := &f.bodies[index]
	m := b.material
	l := &f.scene.Light
	n := b.rot.Apply(h.normal)
	p := f.view.eye.Add(d.Scale(h.t))
	toLamp := l.At.Sub(p)
	dd := toLamp.Dot(toLamp)
	toLamp = toLamp.Scale(1 / math.Sqrt(dd))
	power := l.At.Dot(l.At) / dd

	lambert := n.Dot(toLamp)
	seen := float64(share)
	if share == unknownShare {
		seen = 0
		if lambert > 0 {
			seen = f.lit(p, n, index)
		}
	}
	lamp := max(0, lambert) * seen * power
	up := 0.5 + 0.5*n.Z
	// Close to the table a wall sees more wood and less room.
	contact := 0.55 + 0.45*smoothstep(-0.005, 0.05, p.Z+0.05*max(0, n.Z))
	wood := f.scene.Table.Wood.Early.Scale(0.55)
	room := l.Ambient.Scale(up).Add(l.Ambient.Add(l.Key.Scale(0.7)).Times(wood).Scale(1 - up)).Scale(
		contact)

	if b.hollow {
		// Hollows see less of the room: how far the surface's own walls are, a little way out.
		const out = 0.03
		contact *= 0.35 + 0.65*smoothstep(0, 1, b.field.Distance(h.at.Add(h.normal.Scale(out)))/out)
	}

	color := m.Color
	if m.Mottle > 0 {
		q := h.at
		color = color.Scale(1 + m.Mottle*valueNoise(q.X*90+q.Z*70, q.Y*90-q.Z*50, uint64(index)))
	}
	out := color.Times(l.Key.Scale(lamp).Add(room)).Scale(1 - m.Metal)
	view := d.Unit().Scale(-1)
	if m.Metal > 0 {
		out = out.Add(color.Times(f.mirror(view, n, toLamp, contact)).Scale(m.Metal))
	}
	if m.Gloss > 0 {
		half := toLamp.Add(view).Unit()
		if s := n.Dot(half); s > 0 && lambert > 0 {
			out = out.Add(l.Key.Scale(m.Gloss * seen * power * math.Pow(s, m.Shine)))
		}
		// A coat mirrors the room: a little everywhere, more at grazing views.
		grazing := 1 - max(0, n.Dot(view))
		grazing *= grazing
		out = out.Add(l.Ambient.Scale(m.Gloss * contact * (0.06 + 0.25*grazing*grazing*max(0, n.Z+0.3))))
	}
	c := pack(out)
	c[3] = float32(seen)
	return c, surfaceKey(b.key, h.normal.X, h.normal.Y, h.normal.Z)
}

// mirror returns what polished metal reflects: a bright ceiling, darker walls, the table.
func (f *frame) mirror(view, n, toLamp scene.Vec, contact float64) scene.Vec {
	l := &f.scene.Light
	r := n.Scale(2 * n.Dot(view)).Sub(view)
	if r.Z < 0 {
		wood := f.scene.Table.Wood.Early.Mix(scene.Vec{X: 0.5, Y: 0.5, Z: 0.5}, 0.5)
		return wood.Times(l.Ambient.Add(l.Key.Scale(0.6))).Scale(contact * (0.9 - 0.3*min(1, -r.Z)))
	}
	sky := l.Ambient.Scale(0.5 + 1.5*r.Z*r.Z)
	window := smoothstep(0.55, 0.95, r.Dot(toLamp))
	return sky.Add(l.Key.Scale(0.9 * window)).Scale(contact)
}

func pack(c scene.Vec) texel { return texel{float32(c.X), float32(c.Y), float32(c.Z)} }
