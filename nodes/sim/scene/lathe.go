package scene

import (
	"math"
	"slices"
)

// Lathe is a wall of even thickness turned about the z axis: plates, bowls, glasses.
type Lathe struct {
	profile []Vec
	wall    float64
	pieces  []piece
	half    Vec
}

// piece is a straight part of a profile, made ready for distances.
type piece struct {
	x, z, dx, dz float64
	inv          float64 // one over its squared length
}

// NewLathe turns a profile, a line of points with radius in X and height in Z; wall is half the
// thickness. The profile should be centred on z = 0, so that the box that holds it is tight.
func NewLathe(wall float64, profile ...Vec) Lathe {
	l := Lathe{profile: profile, wall: wall}
	for i, b := range profile {
		l.half.X, l.half.Z = max(l.half.X, b.X+wall), max(l.half.Z, math.Abs(b.Z)+wall)
		if i > 0 && b != profile[i-1] {
			a := profile[i-1]
			d := b.Sub(a)
			l.pieces = append(l.pieces, piece{a.X, a.Z, d.X, d.Z, 1 / (d.X*d.X + d.Z*d.Z)})
		}
	}
	l.half.Y = l.half.X
	return l
}

// Half implements Shape.
func (l Lathe) Half() Vec { return l.half }

// Profile returns what NewLathe was given.
func (l Lathe) Profile() (wall float64, profile []Vec) { return l.wall, slices.Clone(l.profile) }

// Distance implements Field.
func (l Lathe) Distance(p Vec) float64 {
	r := math.Sqrt(p.X*p.X + p.Y*p.Y)
	best := math.MaxFloat64
	for i := range l.pieces {
		s := &l.pieces[i]
		x, z := r-s.x, p.Z-s.z
		t := (x*s.dx + z*s.dz) * s.inv
		if t > 1 {
			t = 1
		}
		if t < 0 {
			t = 0
		}
		x -= t * s.dx
		z -= t * s.dz
		if d := x*x + z*z; d < best {
			best = d
		}
	}
	return math.Sqrt(best) - l.wall
}

// Hulls implements Shape: the hull of the rings that the profile's points make.
func (l Lathe) Hulls() [][]Vec {
	var points []Vec
	for _, p := range l.profile {
		if p.X > 0 {
			points = ring(points, p.X+l.wall, p.Z)
		}
	}
	return [][]Vec{points}
}

// Loop is part of a torus in the xz plane, such as a cup's handle: the half with X > 0 of a ring
// round the origin, drawn out to the sides of the box that holds it.
type Loop struct {
	Radius float64 // of the ring's middle line
	Rod    float64 // radius of the rod
}

// Half implements Shape.
func (l Loop) Half() Vec { return Vec{l.Radius + l.Rod, l.Rod, l.Radius + l.Rod} }

// Distance implements Field.
func (l Loop) Distance(p Vec) float64 {
	if p.X < 0 {
		z := math.Abs(p.Z) - l.Radius
		return math.Sqrt(p.X*p.X+p.Y*p.Y+z*z) - l.Rod
	}
	r := math.Sqrt(p.X*p.X+p.Z*p.Z) - l.Radius
	return math.Sqrt(r*r+p.Y*p.Y) - l.Rod
}

// Hulls implements Shape: the rod in four straight pieces.
func (l Loop) Hulls() [][]Vec {
	var hulls [][]Vec
	const pieces = 4
	for i := range pieces {
		var points []Vec
		for k := range 2 {
			s, c := math.Sincos(math.Pi * (float64(i+k)/pieces - 0.5))
			at := Vec{l.Radius * c, 0, l.Radius * s}
			for _, d := range [...]Vec{{0, l.Rod, 0}, {0, -l.Rod, 0}, {l.Rod * c, 0, l.Rod * s},
				{-l.Rod * c, 0, -l.Rod * s}} {
				points = append(points, at.Add(d))
			}
		}
		hulls = append(hulls, points)
	}
	return hulls
}
