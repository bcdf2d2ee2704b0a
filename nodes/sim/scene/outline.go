package scene

import "math"

// Outline is a flat thing cut from sheet, such as cutlery: the union of strokes in the xy plane,
// with rounded borders. Mirrored outlines have each stroke on both sides of the x axis.
type Outline struct {
	Strokes  []Stroke
	Thick    float64 // half the thickness
	Mirrored bool
	Dish     Dish
}

// Stroke is a line from A to B, as wide as RA at one end and RB at the other (half widths).
type Stroke struct {
	A, B   Vec
	RA, RB float64
}

// Dish is a ball that presses a hollow into the sheet, such as a spoon's; none if R is 0.
type Dish struct {
	At Vec
	R  float64
}

// Half implements Shape. The outline should be centred for the box to be tight.
func (o Outline) Half() Vec {
	h := Vec{Z: o.Thick}
	for _, s := range o.Strokes {
		h.X = max(h.X, math.Abs(s.A.X)+s.RA, math.Abs(s.B.X)+s.RB)
		h.Y = max(h.Y, math.Abs(s.A.Y)+s.RA, math.Abs(s.B.Y)+s.RB)
	}
	return h
}

// Distance implements Field.
func (o Outline) Distance(p Vec) float64 {
	y := p.Y
	if o.Mirrored {
		y = math.Abs(y)
	}
	flat := math.MaxFloat64
	for i := range o.Strokes {
		s := &o.Strokes[i]
		dx, dy := s.B.X-s.A.X, s.B.Y-s.A.Y
		px, py := p.X-s.A.X, y-s.A.Y
		t := min(1, max(0, (px*dx+py*dy)/(dx*dx+dy*dy)))
		px -= t * dx
		py -= t * dy
		flat = min(flat, math.Sqrt(px*px+py*py)-s.RA-t*(s.RB-s.RA))
	}
	// The sheet: its border is rounded with half the thickness.
	round := 0.8 * o.Thick
	a, b := flat+round, math.Abs(p.Z)-o.Thick+round
	out := math.Sqrt(sq(max(a, 0))+sq(max(b, 0))) + min(0, max(a, b)) - round
	if o.Dish.R > 0 {
		out = max(out, o.Dish.R-p.Sub(o.Dish.At).Len())
	}
	return out
}

func sq(x float64) float64 { return x * x }

// Hulls implements Shape: a hull for each stroke.
func (o Outline) Hulls() [][]Vec {
	var hulls [][]Vec
	for _, s := range o.Strokes {
		hulls = append(hulls, o.stroke(s, 1))
		if o.Mirrored && (s.A.Y != 0 || s.B.Y != 0) {
			hulls = append(hulls, o.stroke(s, -1))
		}
	}
	return hulls
}

func (o Outline) stroke(s Stroke, side float64) []Vec {
	var points []Vec
	const n = 6
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		points = append(points,
			Vec{s.A.X + s.RA*cos, side*s.A.Y + s.RA*sin, o.Thick},
			Vec{s.B.X + s.RB*cos, side*s.B.Y + s.RB*sin, o.Thick})
	}
	return points
}
