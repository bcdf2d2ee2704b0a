package camera

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"stripswm/nodes/sim/scene"
)

// boxField and canField are a box and a cylinder given by distance alone.
type boxField struct{ scene.Box }

func (b boxField) Distance(p scene.Vec) float64 {
	x, y, z := math.Abs(p.X)-b.Size.X, math.Abs(p.Y)-b.Size.Y, math.Abs(p.Z)-b.Size.Z
	outside := scene.Vec{X: max(x, 0), Y: max(y, 0), Z: max(z, 0)}
	return outside.Len() + min(0, max(x, y, z))
}

type canField struct{ scene.Cylinder }

func (c canField) Distance(p scene.Vec) float64 {
	r, z := math.Hypot(p.X, p.Y)-c.Radius, math.Abs(p.Z)-c.Height
	return math.Hypot(max(r, 0), max(z, 0)) + min(0, max(r, z))
}

func drawVec(t *rapid.T, r float64, label string) scene.Vec {
	d := rapid.Float64Range(-r, r)
	return scene.Vec{X: d.Draw(t, label), Y: d.Draw(t, label), Z: d.Draw(t, label)}
}

// The formulas for boxes and cylinders agree with a policy along the ray by their distance.
func TestFormulasAgreeWithDistances(t *testing.T) {
	size := rapid.Float64Range(0.02, 0.1)
	rapid.Check(t, func(t *rapid.T) {
		shape, field := scene.Shape(nil), scene.Shape(nil)
		if rapid.Bool().Draw(t, "box") {
			b := scene.Box{Size: scene.Vec{X: size.Draw(t, "x"), Y: size.Draw(t, "y"), Z: size.Draw(t, "z")}}
			shape, field = b, boxField{b}
		} else {
			c := scene.Cylinder{Radius: size.Draw(t, "r"), Height: size.Draw(t, "h")}
			shape, field = c, canField{c}
		}
		eye := drawVec(t, 1, "eye").Add(scene.Vec{Z: 1.3})
		aim := drawVec(t, 0.1, "aim")
		rot := scene.Yaw(rapid.Float64Range(-3, 3).Draw(t, "yaw")).Then(scene.Pitch(rapid.Float64Range(-3,
			3).Draw(t, "pitch")))
		var a, b body
		v := view{eye: eye, focal: 1e4}
		a.prepare(&scene.Body{Shape: shape, Rot: rot}, &v, 0)
		b.prepare(&scene.Body{Shape: field, Rot: rot}, &v, 0)
		d := aim.Sub(eye)
		var exact, marched hit
		hitA, hitB := a.intersect(d, 10, &exact), b.intersect(d, 10, &marched)
		if hitA != hitB {
			// At grazing incidence the policy may stop at its tolerance.
			if p := b.eye.Add(b.rot.Inverse(d).Scale(marched.t)); hitB && b.field.Distance(p) < 2*marchNear {
				return
			}
			// A policy may also run out of steps along a wall; the formula must then be touching.
			if hitA && math.Abs(exact.normal.Dot(a.rot.Inverse(d).Unit())) < 0.1 {
				return
			}
			t.Fatalf("by formula %v at %v, by walking %v at %v", hitA, exact, hitB, marched)
		}
		if hitA && b.field.Distance(exact.at) > 1e-9 {
			t.Fatalf("the formula's point %v is off the surface", exact.at)
		}
		if hitA && marched.t > exact.t+1e-9 {
			t.Fatalf("the policy passes the surface: %v > %v", marched.t, exact.t)
		}
	})
}

// All points lie in their hull, whose corners are among them and turn left only.
func TestConvexHull(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.Float64Range(-9, 9)
		n := rapid.IntRange(3, 30).Draw(t, "n")
		points := make([]point, n)
		for i := range points {
			points[i] = point{coordinate.Draw(t, "x"), coordinate.Draw(t, "y")}
		}
		hull := convexHull(points, make([]point, n+1))
		for i, a := range hull {
			b := hull[(i+1)%len(hull)]
			for _, p := range points {
				if turn(a, b, p) < -1e-9 {
					t.Fatalf("%v is outside the side %v %v of %v", p, a, b, hull)
				}
			}
		}
	})
}
