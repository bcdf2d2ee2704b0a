package camera

import (
	"math"

	"stripswm/nodes/sim/scene"
)

// lampSamples is how many points stand for the round lamp when a body is shaded.
const lampSamples = 8

// lit returns the share of the lamp that is seen from p, whose surface normal is n, on body self.
// Convex bodies do not shade themselves where they face the lamp.
func (f *frame) lit(p, n scene.Vec, self int) float64 {
	var near [scene.MaxBodies]uint8
	count := 0
	toLamp := f.scene.Light.At.Sub(p)
	distance := toLamp.Len()
	along := toLamp.Scale(1 / distance)
	spread := f.scene.Light.Radius / distance
	for i := range f.bodies {
		b := &f.bodies[i]
		if i == self && b.kind != fieldKind {
			continue
		}
		c := b.at.Sub(p)
		s := c.Dot(along)
		if s < -b.radius {
			continue
		}
		reach := b.radius + spread*max(s, 0)
		if c.Dot(c)-s*s < reach*reach {
			near[count] = uint8(i)
			count++
		}
	}
	if count == 0 {
		return 1
	}
	start := p.Add(n.Scale(1e-3))
	open := 0
	for k := range f.lamp {
		d := f.lamp[k].Sub(start)
		if !f.blocked(start, d, near[:count]) {
			open++
		}
	}
	return float64(open) / lampSamples
}

func (f *frame) blocked(p, d scene.Vec, near []uint8) bool {
	for _, i := range near {
		if f.bodies[i].blocks(p, d) {
			return true
		}
	}
	return false
}

// blocks tells whether the body meets the segment from p to p + d (world frame).
func (b *body) blocks(p, d scene.Vec) bool {
	o := b.rot.Inverse(p.Sub(b.at))
	d = b.rot.Inverse(d)
	enter, leave, _ := slab(o, d, b.half)
	if enter > leave || enter >= 1 || leave < 0 {
		return false
	}
	switch b.kind {
	case boxKind:
		return true
	case cylinderKind:
		var h hit
		return b.cylinder(o, d, 1, &h)
	}
	length := d.Len()
	t := max(enter, 0)
	for range 20 {
		dist := b.field.Distance(o.Add(d.Scale(t)))
		if dist < 2*marchNear {
			return true
		}
		// A shadow may be a little coarse: take longer steps than the picture itself does.
		t += (dist + 4*marchNear) / length
		if t >= leave {
			return false
		}
	}
	return false
}

// sunflower spreads n points evenly over the unit disc.
func sunflower(i, n int) (x, y float64) {
	r := math.Sqrt((float64(i) + 0.5) / float64(n))
	s, c := math.Sincos(float64(i) * 2.399963229728653)
	return r * c, r * s
}

// lampPoint returns the i-th of n points on the lamp, which faces the table's middle.
func lampPoint(l scene.Light, i, n int) scene.Vec {
	axis := l.At.Unit()
	side := axis.Cross(scene.Vec{Y: 1}).Unit()
	x, y := sunflower(i, n)
	return l.At.Add(side.Scale(l.Radius * x)).Add(axis.Cross(side).Scale(l.Radius * y))
}
