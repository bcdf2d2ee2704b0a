package scene

import "math"

// Figure is the outline of a Mark around its own origin.
type Figure interface {
	// Distance returns how far the point is from the outline, negative inside.
	Distance(x, y float64) float64
	// Half returns half the sides of a box around the origin that holds the figure.
	Half() Vec
}

// Rect is a rectangle with rounded corners.
type Rect struct{ HalfX, HalfY, Round float64 }

// Distance is Figure's.
func (r Rect) Distance(x, y float64) float64 {
	dx, dy := math.Abs(x)-r.HalfX+r.Round, math.Abs(y)-r.HalfY+r.Round
	return math.Hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - r.Round
}

// Half is Figure's.
func (r Rect) Half() Vec { return Vec{X: r.HalfX, Y: r.HalfY} }

// Ring is a circle drawn with a round pen: a disc where Radius is 0.
type Ring struct {
	Radius float64
	Pen    float64 // half the line's width
}

// Distance is Figure's.
func (r Ring) Distance(x, y float64) float64 {
	return math.Abs(math.Hypot(x, y)-r.Radius) - r.Pen
}

// Half is Figure's.
func (r Ring) Half() Vec { return Vec{X: r.Radius + r.Pen, Y: r.Radius + r.Pen} }
