package camera

import (
	"image"
	"math"
	"testing"

	"pgregory.net/rapid"

	"stripswm/nodes/sim/scene"
)

// shown sums the red light of an image of the sheet, pixel by pixel.
func shown(t *rapid.T, sheet scene.Sheet, side int) float64 {
	f := new(frame)
	if err := f.paint(&scene.Scene{Sheet: &sheet}, side, side); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, p := range f.pixels {
		sum += float64(p[0])
	}
	return sum
}

// Wherever a figure is, and however it is turned, it shows as much light as its area says, to a few
// hundredths.
func TestMarksCover(t *testing.T) {
	figures := map[string]struct {
		figure scene.Figure
		area   float64
	}{
		"rectangle": {scene.Rect{HalfX: 0.3, HalfY: 0.1}, 0.12},
		"disc":      {scene.Ring{Pen: 0.2}, 0.04 * math.Pi},
		"rounded":   {scene.Rect{HalfX: 0.2, HalfY: 0.2, Round: 0.2}, 0.04 * math.Pi},
		"ring":      {scene.Ring{Radius: 0.2, Pen: 0.05}, 0.04 * math.Pi},
	}
	for name, c := range figures {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				const side = 64
				place, turn := rapid.Float64Range(-0.3, 0.3), rapid.Float64Range(-4, 4)
				sheet := scene.Sheet{
					Zoom: rapid.Float64Range(0.9, 1.1).Draw(t, "zoom"), Turn: turn.Draw(t, "turn of the sheet"),
					At: scene.Vec{X: place.Draw(t, "right"), Y: place.Draw(t, "up")},
					Marks: []scene.Mark{{
						Figure: c.figure, At: scene.Vec{X: place.Draw(t, "x"), Y: place.Draw(t, "y")},
						Turn:  turn.Draw(t, "turn"),
						Paint: scene.Paint{Color: scene.Vec{X: 1}},
					}},
				}
				want := c.area * sheet.Zoom * sheet.Zoom * side * side / 4
				if got := shown(t, sheet, side); math.Abs(got-want) > 0.03*want {
					t.Fatalf("%.1f pixels where %.1f are covered", got, want)
				}
			})
		})
	}
}

// Both colours of a chessboard have half of a large mark, and its borders no colour of their own.
func TestChecks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Float64Range(-3, 3)
		squares := scene.Paint{Color: scene.Vec{X: 1}, Other: scene.Vec{X: 3}, Pattern: scene.Checks,
			Size: rapid.Float64Range(0.1, 0.25).Draw(t, "size")}
		sheet := scene.Sheet{Zoom: 1, Marks: []scene.Mark{{
			Figure: scene.Rect{HalfX: 9, HalfY: 9}, At: scene.Vec{X: at.Draw(t, "x"), Y: at.Draw(t, "y")},
			Paint: squares,
		}}}
		if mean := shown(t, sheet, 64) / (64 * 64); math.Abs(mean-2) > 0.1 {
			t.Fatalf("mean %.3f, half of 1 and half of 3 are 2", mean)
		}
	})
}

// A glow adds to what is there, and shade tilts the light about the image's middle.
func TestGlowAndShade(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ground := rapid.Float64Range(0, 1).Draw(t, "ground")
		lamp := scene.Mark{Figure: scene.Ring{Pen: 0.3}, Paint: scene.Paint{Color: scene.Vec{X: 0.5}},
			Glow: true}
		dark := scene.Sheet{Zoom: 1, Ground: scene.Vec{X: ground}}
		lit, shaded := dark, dark
		lit.Marks = []scene.Mark{lamp}
		shaded.Shade = scene.Vec{X: rapid.Float64Range(-0.4, 0.4).Draw(t, "right"),
			Y: rapid.Float64Range(-0.4, 0.4).Draw(t, "up")}
		want := 0.5 * 0.09 * math.Pi * 64 * 64 / 4
		if got := shown(t, lit, 64) - shown(t, dark, 64); math.Abs(got-want) > 0.03*want {
			t.Fatalf("the lamp adds %.1f, not %.1f", got, want)
		}
		if a, b := shown(t, dark, 64), shown(t, shaded, 64); math.Abs(a-b) > 0.01 {
			t.Fatalf("shade %v changes all light from %.2f to %.2f", shaded.Shade, a, b)
		}
	})
}

func TestBadSheets(t *testing.T) {
	dst := image.NewRGBA(image.Rect(0, 0, 64, 64))
	for what, sheet := range map[string]scene.Sheet{
		"without zoom": {}, "upside down": {Zoom: -1}, "of no size": {Zoom: math.NaN()},
		"with a mark without figure": {Zoom: 1, Marks: []scene.Mark{{}}},
	} {
		if err := New(64, 64).Draw(dst, &scene.Scene{Sheet: &sheet}, 1); err == nil {
			t.Errorf("drew a sheet %s", what)
		}
	}
}
