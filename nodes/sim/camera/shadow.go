package camera

import (
	"math"

	"stripswm/nodes/sim/scene"
)

const (
	// rimSamples is how many points on the lamp's rim usually settle whether it is seen.
	rimSamples = 4
	// unknownShare stands for a share of the lamp that has yet to be found.
	unknownShare = -1
)

// lit returns the share of the lamp that is seen from p, whose surface normal is n, on body self.
// Bodies that are not hollow do not shade themselves where they face the lamp.
func (f *frame) lit(p, n scene.Vec, self int) float64 {
	var near [scene.MaxBodies]uint8
	count := 0
	share := 1.0
	start := p.Add(n.Scale(1e-3))
	toLamp := f.scene.Light.At.Sub(p)
	distance := toLamp.Len()
	along := toLamp.Scale(1 / distance)
	spread := f.scene.Light.Radius / distance
	for i := range f.bodies {
		b := &f.bodies[i]
		if i == self && !b.hollow {
			continue
		}
		c := b.at.Sub(p)
		s := c.Dot(along)
		if s < -b.radius {
			continue
		}
		reach := b.radius + spread*max(s, 0)
		if c.Dot(c)-s*s >= reach*reach {
			continue
		}
		if b.kind == fieldKind {
			share *= b.pass(start, f.scene.Light.At.Sub(start), spread)
			continue
		}
		near[count] = uint8(i)
		count++
	}
	if count == 0 || share == 0 {
		return share
	}
	open := 0
	for k := rays - 1; k >= 0; k-- {
		if k == rays-1-rimSamples && (open == 0 || open == rimSamples) {
			return share * float64(open) / rimSamples
		}
		if !f.blocked(start, f.lamp[k].Sub(start), near[:count]) {
			open++
		}
	}
	return share * float64(open) / rays
}

func (f *frame) blocked(p, d scene.Vec, near []uint8) bool {
	for _, i := range near {
		if f.bodies[i].blocks(p, d) {
			return true
		}
	}
	return false
}

// blocks tells whether the box or cylinder meets the segment from p to p + d (world frame).
func (b *body) blocks(p, d scene.Vec) bool {
	o := b.rot.Inverse(p.Sub(b.at))
	d = b.rot.Inverse(d)
	enter, leave, _ := slab(o, d, b.half)
	if enter > leave || enter >= 1 || leave < 0 {
		return false
	}
	if b.kind == boxKind {
		return true
	}
	var h hit
	return b.cylinder(o, d, 1, &h)
}

// pass returns the share of the lamp, seen under the half angle spread, that one walk from p along
// d makes out: the closest the ray comes to the field, measured against the lamp's width there.
func (b *body) pass(p, d scene.Vec, spread float64) float64 {
	o := b.rot.Inverse(p.Sub(b.at))
	d = b.rot.Inverse(d)
	margin := b.half.Add(scene.Vec{X: 0.01, Y: 0.01, Z: 0.01})
	enter, leave, _ := slab(o, d, margin)
	if enter > leave || enter >= 1 || leave < 0 {
		return 1
	}
	length := d.Len()
	share := 1.0
	t := max(enter, 0) + 2e-3/length
	for range 24 {
		dist := b.field.Distance(o.Add(d.Scale(t)))
		if dist < marchNear {
			return 0
		}
		share = min(share, dist/(spread*t*length+1e-3))
		// A shadow may be a little coarse: take no steps as short as the image's own.
		t += max(dist, 1.5e-3) / length
		if t >= leave {
			break
		}
	}
	return fade(share)
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
