package scene

import "math"

// Vec is a point or a direction, in metres: X to the right of the table, Y away from the camera,
// Z up from the table top. It also carries linear-light colours, as X red, Y green and Z blue.
type Vec struct{ X, Y, Z float64 }

// Add returns v + w.
func (v Vec) Add(w Vec) Vec { return Vec{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }

// Sub returns v - w.
func (v Vec) Sub(w Vec) Vec { return Vec{v.X - w.X, v.Y - w.Y, v.Z - w.Z} }

// Scale returns k v.
func (v Vec) Scale(k float64) Vec { return Vec{k * v.X, k * v.Y, k * v.Z} }

// Times returns the product of v and w, component by component: light of one colour on another.
func (v Vec) Times(w Vec) Vec { return Vec{v.X * w.X, v.Y * w.Y, v.Z * w.Z} }

// Dot returns the scalar product of v and w.
func (v Vec) Dot(w Vec) float64 { return v.X*w.X + v.Y*w.Y + v.Z*w.Z }

// Cross returns the vector product of v and w.
func (v Vec) Cross(w Vec) Vec {
	return Vec{v.Y*w.Z - v.Z*w.Y, v.Z*w.X - v.X*w.Z, v.X*w.Y - v.Y*w.X}
}

// Len returns the length of v.
func (v Vec) Len() float64 { return math.Sqrt(v.Dot(v)) }

// Unit returns v scaled to length one; the zero vector stays as it is.
func (v Vec) Unit() Vec {
	n := v.Len()
	if n == 0 {
		return v
	}
	return v.Scale(1 / n)
}

// Mix returns v at k = 0, w at k = 1, and the straight line between.
func (v Vec) Mix(w Vec, k float64) Vec { return v.Add(w.Sub(v).Scale(k)) }

// RGB converts an sRGB colour, 0 to 255 a channel, to linear light, 0 to 1.
func RGB(r, g, b uint8) Vec { return Vec{linear(r), linear(g), linear(b)} }

func linear(c uint8) float64 {
	v := float64(c) / 255
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// Rot is a rotation: the body's own x, y and z axes as directions in the world.
type Rot struct{ X, Y, Z Vec }

// Level is the rotation that changes nothing.
var Level = Rot{Vec{X: 1}, Vec{Y: 1}, Vec{Z: 1}}

// Yaw turns by angle (radians, counter-clockwise seen from above) about the vertical.
func Yaw(angle float64) Rot {
	s, c := math.Sincos(angle)
	return Rot{Vec{c, s, 0}, Vec{-s, c, 0}, Vec{0, 0, 1}}
}

// Pitch turns by angle (radians) about the x axis, raising the y axis.
func Pitch(angle float64) Rot {
	s, c := math.Sincos(angle)
	return Rot{Vec{1, 0, 0}, Vec{0, c, s}, Vec{0, -s, c}}
}

// Apply turns a direction of the body into one of the world.
func (r Rot) Apply(v Vec) Vec {
	return r.X.Scale(v.X).Add(r.Y.Scale(v.Y)).Add(r.Z.Scale(v.Z))
}

// Inverse turns a direction of the world into one of the body.
func (r Rot) Inverse(v Vec) Vec { return Vec{r.X.Dot(v), r.Y.Dot(v), r.Z.Dot(v)} }

// Then returns the rotation that turns by r first and by q after.
func (r Rot) Then(q Rot) Rot { return Rot{q.Apply(r.X), q.Apply(r.Y), q.Apply(r.Z)} }
