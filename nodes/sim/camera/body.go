package camera

import (
	"math"

	"stripswm/nodes/sim/scene"
)

type kind uint8

const (
	boxKind kind = iota
	cylinderKind
	fieldKind
)

// body is a scene.Body made ready for one image: the eye in its frame, its bounding sphere.
type body struct {
	kind     kind
	at       scene.Vec
	rot      scene.Rot
	half     scene.Vec
	eye      scene.Vec // in the body's frame
	radius   float64   // of the bounding sphere
	bevel    float64
	field    scene.Field
	hollow   bool // may shade itself
	unseen   bool
	pixel    float64 // width of a pixel one metre away
	material *scene.Material
	key      uint32
}

// prepare tells whether the body has a shape that can be drawn.
func (b *body) prepare(src *scene.Body, v *view, index int) bool {
	if src.Shape == nil {
		return false
	}
	*b = body{at: src.At, rot: src.Rot, half: src.Shape.Half(), material: &src.Material,
		key: uint32(index+1) << 24, unseen: src.Unseen, pixel: 1 / v.focal}
	b.eye = b.rot.Inverse(v.eye.Sub(b.at))
	b.radius = b.half.Len()
	switch s := src.Shape.(type) {
	case scene.Box:
		b.kind, b.bevel = boxKind, s.Bevel
	case scene.Cylinder:
		b.kind, b.bevel = cylinderKind, s.Bevel
		b.radius = math.Hypot(s.Radius, s.Height)
	case scene.Field:
		b.kind, b.field = fieldKind, s
		_, turned := s.(scene.Lathe)
		b.hollow = turned && b.half.Z > 0.3*b.half.X
	default:
		return false
	}
	return true
}

// hit is where a ray meets a body, in the body's frame.
type hit struct {
	t      float64
	at     scene.Vec
	normal scene.Vec
}

// slab returns where the ray o + t d is inside the box of half extents h; enter > leave when it
// misses. axis tells which pair of faces it enters through.
func slab(o, d, h scene.Vec) (enter, leave float64, axis int) {
	inv := 1 / d.X
	a, b := (-h.X-o.X)*inv, (h.X-o.X)*inv
	if a > b {
		a, b = b, a
	}
	enter, leave = a, b
	inv = 1 / d.Y
	a, b = (-h.Y-o.Y)*inv, (h.Y-o.Y)*inv
	if a > b {
		a, b = b, a
	}
	if a > enter {
		enter, axis = a, 1
	}
	if b < leave {
		leave = b
	}
	inv = 1 / d.Z
	a, b = (-h.Z-o.Z)*inv, (h.Z-o.Z)*inv
	if a > b {
		a, b = b, a
	}
	if a > enter {
		enter, axis = a, 2
	}
	if b < leave {
		leave = b
	}
	return enter, leave, axis
}

// intersect finds the nearest point of the body on the camera's ray d (world frame) before limit.
func (b *body) intersect(d scene.Vec, limit float64, h *hit) bool {
	d = b.rot.Inverse(d)
	enter, leave, axis := slab(b.eye, d, b.half)
	if enter > leave || enter >= limit || leave < 0 {
		return false
	}
	switch b.kind {
	case boxKind:
		h.t, h.at = enter, b.eye.Add(d.Scale(enter))
		h.normal = boxNormal(h.at, b.half, b.bevel, axis)
		return enter > 0
	case cylinderKind:
		return b.cylinder(b.eye, d, limit, h)
	}
	return b.march(b.eye, d, max(enter, 0), min(leave, limit), h)
}

// boxNormal is the normal of the face, bent near its edges as if they were rounded.
func boxNormal(p, half scene.Vec, bevel float64, axis int) scene.Vec {
	var n scene.Vec
	x, y, z := 0.0, 0.0, 0.0
	if bevel > 0 {
		x = edge(p.X, half.X, bevel)
		y = edge(p.Y, half.Y, bevel)
		z = edge(p.Z, half.Z, bevel)
	}
	switch axis {
	case 0:
		n = scene.Vec{X: math.Copysign(1, p.X), Y: y, Z: z}
	case 1:
		n = scene.Vec{X: x, Y: math.Copysign(1, p.Y), Z: z}
	default:
		n = scene.Vec{X: x, Y: y, Z: math.Copysign(1, p.Z)}
	}
	if x == 0 && y == 0 && z == 0 {
		return n
	}
	return n.Unit()
}

// edge returns how far the normal leans towards a neighbouring face, 0 to 1 at the edge itself.
func edge(p, half, bevel float64) float64 {
	k := (math.Abs(p) - half + bevel) / bevel
	if k <= 0 {
		return 0
	}
	return math.Copysign(k*k, p)
}

func (b *body) cylinder(o, d scene.Vec, limit float64, h *hit) bool {
	r, height := b.half.X, b.half.Z
	// The side: |o + t d| = r in the horizontal plane.
	qa := d.X*d.X + d.Y*d.Y
	qb := o.X*d.X + o.Y*d.Y
	qc := o.X*o.X + o.Y*o.Y - r*r
	disc := qb*qb - qa*qc
	if disc < 0 {
		return false
	}
	t := (-qb - math.Sqrt(disc)) / qa
	if z := o.Z + t*d.Z; t > 0 && math.Abs(z) <= height {
		if t >= limit {
			return false
		}
		h.t, h.at = t, o.Add(d.Scale(t))
		h.normal = scene.Vec{X: h.at.X / r, Y: h.at.Y / r}
		if b.bevel > 0 {
			h.normal.Z = edge(z, height, b.bevel)
			h.normal = h.normal.Unit()
		}
		return true
	}
	// A cap: the one that faces the origin of the ray.
	cap := math.Copysign(height, o.Z)
	t = (cap - o.Z) / d.Z
	p := o.Add(d.Scale(t))
	rho := math.Hypot(p.X, p.Y)
	if !(t > 0) || t >= limit || rho > r {
		return false
	}
	h.t, h.at, h.normal = t, p, scene.Vec{Z: math.Copysign(1, o.Z)}
	if k := (rho - r + b.bevel) / b.bevel; b.bevel > 0 && k > 0 {
		h.normal.X, h.normal.Y = k*k*p.X/rho, k*k*p.Y/rho
		h.normal = h.normal.Unit()
	}
	return true
}

const (
	marchSteps = 64
	marchNear  = 2e-4 // metres from the surface that count as touching it
	marchPixel = 0.12 // and so many pixels' widths do
)

// march policies along the ray between enter and leave, each step as long as the distance field
// allows.
func (b *body) march(o, d scene.Vec, enter, leave float64, h *hit) bool {
	inv := 1 / d.Len()
	near := max(marchNear, marchPixel*b.pixel*enter)
	t := enter
	for range marchSteps {
		p := o.Add(d.Scale(t))
		dist := b.field.Distance(p)
		if dist < near {
			h.t, h.at, h.normal = t, p, gradient(b.field, p)
			return true
		}
		t += dist * inv
		if t >= leave {
			return false
		}
	}
	return false
}

// gradient estimates the normal from four samples at the corners of a tetrahedron.
func gradient(f scene.Field, p scene.Vec) scene.Vec {
	const e = 4e-4
	a := f.Distance(scene.Vec{X: p.X + e, Y: p.Y - e, Z: p.Z - e})
	b := f.Distance(scene.Vec{X: p.X - e, Y: p.Y - e, Z: p.Z + e})
	c := f.Distance(scene.Vec{X: p.X - e, Y: p.Y + e, Z: p.Z - e})
	d := f.Distance(scene.Vec{X: p.X + e, Y: p.Y + e, Z: p.Z + e})
	return scene.Vec{X: a - b - c + d, Y: -a - b + c + d, Z: -a + b - c + d}.Unit()
}
