package scene_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"stripswm/nodes/sim/scene"
)

func glyph(t testing.TB, r rune) *scene.Glyph {
	t.Helper()
	g, err := scene.NewGlyph(r, 0.4)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A distance never grows faster than the way walked, and what is inside is inside the box.
func TestFiguresAreDistances(t *testing.T) {
	for name, f := range map[string]scene.Figure{
		"rectangle": scene.Rect{HalfX: 0.3, HalfY: 0.1}, "rounded": scene.Rect{HalfX: 0.2, HalfY: 0.3,
			Round: 0.1},
		"disc": scene.Ring{Pen: 0.2}, "ring": scene.Ring{Radius: 0.2, Pen: 0.05}, "digit": glyph(t, '8'),
	} {
		t.Run(name, func(t *testing.T) {
			inside := 0
			rapid.Check(t, func(t *rapid.T) {
				at := rapid.Float64Range(-0.5, 0.5)
				x, y, u, v := at.Draw(t, "x"), at.Draw(t, "y"), at.Draw(t, "u"), at.Draw(t, "v")
				d, e := f.Distance(x, y), f.Distance(u, v)
				if math.Abs(d-e) > math.Hypot(x-u, y-v)+1e-9 {
					t.Fatalf("%f at (%f, %f) and %f at (%f, %f)", d, x, y, e, u, v)
				}
				if d >= 0 {
					return
				}
				inside++
				if h := f.Half(); math.Abs(x) > h.X || math.Abs(y) > h.Y {
					t.Fatalf("(%f, %f) is inside the figure and outside its box %v", x, y, h)
				}
			})
			if inside == 0 {
				t.Error("no point was inside")
			}
		})
	}
}

// The holes of digits are outside of them, and their strokes inside.
func TestGlyphs(t *testing.T) {
	for _, c := range []struct {
		digit  rune
		x, y   float64
		inside bool
	}{
		{'1', 0, 0, true}, {'8', 0, 0, true}, {'8', 0, 0.09, false}, {'8', 0, -0.09, false},
		{'4', 0.06, 0, true}, {'4', -0.02, 0, false},
	} {
		if d := glyph(t, c.digit).Distance(c.x, c.y); (d < 0) != c.inside {
			t.Errorf("%c at (%.2f, %.2f): distance %.3f", c.digit, c.x, c.y, d)
		}
	}
	if h := glyph(t, '5').Half(); math.Abs(h.Y-0.2) > 1e-9 || h.X < 0.08 || h.X > 0.2 {
		t.Errorf("a digit 0.4 high has half sides %v", h)
	}
	for _, r := range []rune{' ', '\U0010ffff'} {
		if _, err := scene.NewGlyph(r, 0.4); err == nil {
			t.Errorf("%q can be printed", r)
		}
	}
}

// A group is its marks, turned as one.
func TestGroup(t *testing.T) {
	at := scene.Vec{X: 1, Y: 2}
	marks := scene.Group(at, math.Pi/2, scene.Mark{}, scene.Mark{At: scene.Vec{X: 3}, Turn: 0.5})
	if marks[0].At != at || marks[1].At.Sub(scene.Vec{X: 1, Y: 5}).Len() > 1e-9 ||
		marks[1].Turn != math.Pi/2+0.5 {
		t.Errorf("%+v", marks)
	}
}
