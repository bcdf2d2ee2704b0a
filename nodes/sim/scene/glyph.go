package scene

import (
	"fmt"
	"math"
	"sync"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Glyph is a printed character (Go Bold), its middle at the origin.
type Glyph struct {
	half  Vec
	lines [][2]Vec
}

var font = sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(gobold.TTF) })

// NewGlyph returns the character as high as given. It fails on characters that the font has not.
func NewGlyph(r rune, height float64) (*Glyph, error) {
	f, err := font()
	if err != nil {
		return nil, fmt.Errorf("font: %w", err)
	}
	var buf sfnt.Buffer
	index, err := f.GlyphIndex(&buf, r)
	if err != nil || index == 0 {
		return nil, fmt.Errorf("the font has no character %q (%v)", r, err)
	}
	path, err := f.LoadGlyph(&buf, index, fixed.I(int(f.UnitsPerEm())), nil)
	if err != nil {
		return nil, fmt.Errorf("character %q: %w", r, err)
	}
	g := &Glyph{lines: flatten(path)}
	if len(g.lines) == 0 {
		return nil, fmt.Errorf("character %q shows nothing", r)
	}
	g.fit(height)
	return g, nil
}

// flatten draws the outline with straight lines, Y up. The font's curves are quadratic.
func flatten(path sfnt.Segments) (lines [][2]Vec) {
	const pieces = 6 // of a curve: finer is not to be seen
	point := func(p fixed.Point26_6) Vec { return Vec{X: float64(p.X), Y: -float64(p.Y)} }
	var at, begin Vec
	to := func(p Vec) {
		lines = append(lines, [2]Vec{at, p})
		at = p
	}
	for _, s := range path {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if at != begin {
				to(begin)
			}
			at = point(s.Args[0])
			begin = at
		case sfnt.SegmentOpLineTo:
			to(point(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			a, b, c := at, point(s.Args[0]), point(s.Args[1])
			for k := range pieces {
				t := float64(k+1) / pieces
				to(a.Mix(b, t).Mix(b.Mix(c, t), t))
			}
		}
	}
	if at != begin {
		to(begin)
	}
	return lines
}

// fit centres the outline and scales it.
func (g *Glyph) fit(height float64) {
	low, high := g.lines[0][0], g.lines[0][0]
	for _, l := range g.lines {
		low = Vec{X: min(low.X, l[0].X), Y: min(low.Y, l[0].Y)}
		high = Vec{X: max(high.X, l[0].X), Y: max(high.Y, l[0].Y)}
	}
	scale, middle := height/(high.Y-low.Y), low.Mix(high, 0.5)
	for i := range g.lines {
		for k := range 2 {
			g.lines[i][k] = g.lines[i][k].Sub(middle).Scale(scale)
		}
	}
	g.half = high.Sub(low).Scale(scale / 2)
}

// Distance is Figure's.
func (g *Glyph) Distance(x, y float64) float64 {
	p, nearest, inside := Vec{X: x, Y: y}, math.Inf(1), false
	for _, l := range g.lines {
		along, from := l[1].Sub(l[0]), p.Sub(l[0])
		t := 0.0
		if n := along.Dot(along); n > 0 {
			t = min(1, max(0, from.Dot(along)/n))
		}
		off := from.Sub(along.Scale(t))
		nearest = min(nearest, off.Dot(off))
		// Each line that a ray to the right crosses changes sides.
		if l[0].Y > y != (l[1].Y > y) && x < l[0].X+(y-l[0].Y)/along.Y*along.X {
			inside = !inside
		}
	}
	if inside {
		return -math.Sqrt(nearest)
	}
	return math.Sqrt(nearest)
}

// Half is Figure's.
func (g *Glyph) Half() Vec { return g.half }
