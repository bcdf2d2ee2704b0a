package scene

import "math"

// A Shape is a solid in its own frame.
type Shape interface {
	// Half returns the half extents of a box, centred on the origin, that holds the shape.
	Half() Vec
	// Hulls returns point sets whose convex hulls together approximate the shape. The camera
	// casts shadows on the table with them.
	Hulls() [][]Vec
}

// A Field is a shape given by its signed distance: negative inside, in metres. The camera policies
// along its rays by that distance, so it must never exceed the true one by much.
type Field interface {
	Shape
	Distance(p Vec) float64
}

// Box is a cuboid with half extents Size, its edges broken by a bevel of the given width.
type Box struct {
	Size  Vec
	Bevel float64
}

// Half implements Shape.
func (b Box) Half() Vec { return b.Size }

// Hulls implements Shape.
func (b Box) Hulls() [][]Vec {
	points := Corners(b.Size)
	return [][]Vec{points[:]}
}

// Corners are those of a box with half extents h.
func Corners(h Vec) (points [8]Vec) {
	for i := range points {
		p := h
		if i&1 != 0 {
			p.X = -p.X
		}
		if i&2 != 0 {
			p.Y = -p.Y
		}
		if i&4 != 0 {
			p.Z = -p.Z
		}
		points[i] = p
	}
	return points
}

// Cylinder stands along its z axis, from -Height to +Height (half the height), with a bevel
// round its two rims.
type Cylinder struct {
	Radius, Height float64
	Bevel          float64
}

// Half implements Shape.
func (c Cylinder) Half() Vec { return Vec{c.Radius, c.Radius, c.Height} }

// Hulls implements Shape.
func (c Cylinder) Hulls() [][]Vec {
	points := ring(nil, c.Radius, -c.Height)
	return [][]Vec{ring(points, c.Radius, c.Height)}
}

// ring appends a circle of points about the z axis.
func ring(points []Vec, radius, z float64) []Vec {
	const n = 14
	for i := range n {
		s, c := math.Sincos(2 * math.Pi * float64(i) / n)
		points = append(points, Vec{radius * c, radius * s, z})
	}
	return points
}
