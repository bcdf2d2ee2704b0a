package report

import (
	"fmt"
	"os"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Figure is one line chart as a file of its own, in the manner of a report's.
type Figure struct {
	Name    string // of the files, without ending
	X, Y    string // axes' labels
	Percent bool   // Y goes from 0 to 100
	Curves  []Curve
}

// Curve is one line of a figure.
type Curve struct {
	Name      string // at its right end
	Reference bool   // what the others are held against: grey and dashed
	Points    []Point
}

// Point is a place on a curve, and the interval of its Y; a curve whose ends are all 0 has none.
type Point struct{ X, Y, Low, High float64 }

// WriteFigure writes the figure to NAME.svg and NAME.png in dir. One without points is not drawn.
func WriteFigure(dir string, f Figure) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	w := writer{dir: dir}
	var page markup
	if err := w.chart(f.Name, f.Y+" over "+f.X, f.chart(), &page); err != nil {
		return fmt.Errorf("figure %s: %w", dir, err)
	}
	return nil
}

func (f Figure) chart() chart {
	c := chart{x: f.X, y: f.Y, percent: f.Percent}
	glyphs := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{},
		draw.PyramidGlyph{}}
	drawn := 0
	for _, curve := range f.Curves {
		l := line{name: curve.Name, colour: grey, dashed: true}
		if !curve.Reference {
			l.colour, l.dashed, l.glyph = palette[drawn%len(palette)], false, glyphs[drawn%len(glyphs)]
			drawn++
		}
		for _, p := range curve.Points {
			l.points = append(l.points, plotter.XY{X: p.X, Y: p.Y})
		}
		if slices.ContainsFunc(curve.Points, func(p Point) bool { return p.Low != 0 || p.High != 0 }) {
			for _, p := range curve.Points {
				l.bars = append(l.bars, interval{p.Low, p.High})
			}
		}
		c.lines = append(c.lines, l)
	}
	return c
}
