package scene_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"stripswm/nodes/sim/scene"
)

var fields = map[string]scene.Field{
	"bowl": scene.NewLathe(0.003, scene.Vec{Z: -0.03}, scene.Vec{X: 0.04, Z: -0.03},
		scene.Vec{X: 0.07, Z: 0.03}),
	"handle": scene.Loop{Radius: 0.02, Rod: 0.005},
	"fork": scene.Outline{Thick: 0.003, Mirrored: true, Strokes: []scene.Stroke{
		{A: scene.Vec{X: -0.1}, B: scene.Vec{X: 0.05}, RA: 0.007, RB: 0.005},
		{A: scene.Vec{X: 0.05, Y: 0.008}, B: scene.Vec{X: 0.1, Y: 0.008}, RA: 0.003, RB: 0.002},
	}},
	"spoon": scene.Outline{Thick: 0.004, Strokes: []scene.Stroke{
		{A: scene.Vec{X: 0.05}, B: scene.Vec{X: 0.07}, RA: 0.02, RB: 0.018},
	}, Dish: scene.Dish{At: scene.Vec{X: 0.06, Z: 0.04}, R: 0.04}},
}

func vec(t *rapid.T, r float64, label string) scene.Vec {
	d := rapid.Float64Range(-r, r)
	return scene.Vec{X: d.Draw(t, label), Y: d.Draw(t, label), Z: d.Draw(t, label)}
}

// A distance never grows faster than the way walked, and what is inside is inside the box.
func TestFieldsAreDistances(t *testing.T) {
	for name, f := range fields {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := vec(t, 0.15, "p")
				q := p.Add(vec(t, 0.02, "step"))
				dp, dq := f.Distance(p), f.Distance(q)
				if math.Abs(dp-dq) > 1.05*q.Sub(p).Len()+1e-12 {
					t.Fatalf("distance %v at %v and %v at %v", dp, p, dq, q)
				}
				h := f.Half()
				if dp < 0 && (math.Abs(p.X) > h.X || math.Abs(p.Y) > h.Y || math.Abs(p.Z) > h.Z) {
					t.Fatalf("%v is inside the shape and outside its box %v", p, h)
				}
			})
		})
	}
}

// Hulls reach as far as the box does, give or take what a polygon cuts off a circle.
func TestHullsFillTheBox(t *testing.T) {
	shapes := map[string]scene.Shape{
		"box": scene.Box{Size: scene.Vec{X: 1, Y: 2, Z: 3}}, "can": scene.Cylinder{Radius: 1, Height: 2},
	}
	for name, f := range fields {
		shapes[name] = f
	}
	for name, s := range shapes {
		var reach scene.Vec
		for _, hull := range s.Hulls() {
			for _, p := range hull {
				reach = scene.Vec{X: max(reach.X, math.Abs(p.X)), Y: max(reach.Y, math.Abs(p.Y)),
					Z: max(reach.Z, math.Abs(p.Z))}
			}
		}
		h := s.Half()
		if reach.X < 0.85*h.X || reach.Y < 0.8*h.Y || reach.Z < 0.85*h.Z || reach.X > 1.01*h.X ||
			reach.Y > 1.01*h.Y || reach.Z > 1.01*h.Z {
			t.Errorf("%s: the hulls reach %v, the box %v", name, reach, h)
		}
	}
}

func TestRotations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		angle := rapid.Float64Range(-4, 4)
		first, second := scene.Yaw(angle.Draw(t, "yaw")), scene.Pitch(angle.Draw(t, "pitch"))
		v := vec(t, 2, "v")
		both := first.Then(second)
		near := cmpopts.EquateApprox(0, 1e-12)
		if d := cmp.Diff(second.Apply(first.Apply(v)), both.Apply(v), near); d != "" {
			t.Fatal(d)
		}
		if d := cmp.Diff(v, both.Inverse(both.Apply(v)), near); d != "" {
			t.Fatal(d)
		}
	})
}

// Draws stay within bounds that grow with the strength, and repeat with the seed.
func TestJitter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		strength := rapid.Float64Range(0, 4).Draw(t, "strength")
		a, b := scene.NewJitter(seed, strength), scene.NewJitter(seed, strength)
		for range 20 {
			u, s, p, f := a.Uniform(3), a.Shift(3), a.Positive(3), a.Factor(0.5)
			if u != b.Uniform(3) || s != b.Shift(3) || p != b.Positive(3) || f != b.Factor(0.5) {
				t.Fatal("two draws of one seed differ")
			}
			bound := 1 + 0.5*strength
			if math.Abs(u) > 3*strength || math.Abs(s) > 3*1.6 || math.Abs(s) > 3*strength || p < 0 ||
				p > 3*strength || f > bound || f < 1/bound {
				t.Fatalf("drew %v %v %v %v at strength %v", u, s, p, f, strength)
			}
		}
	})
	for _, strength := range []float64{-1, math.NaN(), math.Inf(-1)} {
		if u := scene.NewJitter(1, strength).Uniform(1); u != 0 {
			t.Errorf("strength %v draws %v", strength, u)
		}
	}
	if u := scene.NewJitter(1, math.Inf(1)).Uniform(1); math.IsInf(u, 0) {
		t.Error("unbounded strength draws infinity")
	}
}

func Example() {
	glass := scene.NewLathe(0.002, scene.Vec{Z: -0.05}, scene.Vec{X: 0.03, Z: -0.05},
		scene.Vec{X: 0.04, Z: 0.05})
	fmt.Printf("half extents %.3f m\n", glass.Half())
	fmt.Printf("from the wall to a point on the axis: %.3f m\n", glass.Distance(scene.Vec{}))

	none, some := scene.NewJitter(7, 0), scene.NewJitter(7, 1)
	fmt.Println(none.Shift(0.01) == 0, some.Shift(0.01) == 0)
	// Output:
	// half extents {0.042 0.042 0.052} m
	// from the wall to a point on the axis: 0.033 m
	// true false
}
