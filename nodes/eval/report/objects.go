package report

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"math"
	"slices"
	"strings"

	"golang.org/x/image/draw"

	"stripswm/models/bundle"
	"stripswm/models/facts"
	"stripswm/models/pixels"
	"stripswm/models/schemas"
	"stripswm/models/strips"
)

// Objects draws the objects of a bundle of facts, as a JPEG file: the schemas, and for each
// predicate of two objects a table of what the bundle knows of its looks. It is nil where there is
// no such predicate, and for a bundle of a task graph. Without lifted, names are those of the
// bundle.
func Objects(b *bundle.Bundle, lifted *schemas.Lifted) ([]byte, error) {
	if _, has := b.Part(bundle.Facts); !has {
		return nil, nil
	}
	if lifted == nil {
		model, err := b.Operators()
		if err != nil {
			return nil, err
		}
		if lifted, err = schemas.Lift(model); err != nil {
			return nil, nil // it has no schemas
		}
	}
	looks, err := bundle.Decode(b, bundle.Facts, func(r io.Reader) (*facts.Recognizer, error) {
		return facts.Read(r, nil)
	})
	if err != nil {
		return nil, err
	}
	sheet, err := objectsSheet(lifted, looks)
	if err != nil || sheet == nil {
		return nil, err
	}
	var data bytes.Buffer
	err = jpeg.Encode(&data, sheet, &jpeg.Options{Quality: 92})
	return data.Bytes(), err
}

// looksTable is a predicate of two objects. Those of the columns are each seen at one place,
// whatever the row is.
type looksTable struct {
	name          string
	rows, columns []string
	cells         map[[2]string]strips.Literal // by row and column
}

// looksTables are those of predicates of two objects of different sorts that images show.
func looksTables(l *schemas.Lifted, looks *facts.Appearance) (all []*looksTable) {
	sorts := map[string]schemas.Sort{} // by object
	for _, s := range l.Sorts {
		for _, o := range s.Objects {
			sorts[o] = s
		}
	}
	of := map[string]*looksTable{}
	for p, a := range l.Atoms {
		if len(a.Objects) != 2 || sorts[a.Objects[0]].Name == sorts[a.Objects[1]].Name {
			continue
		}
		t := of[a.Symbol]
		if t == nil {
			t = &looksTable{cells: map[[2]string]strips.Literal{},
				rows:    slices.Sorted(slices.Values(sorts[a.Objects[0]].Objects)),
				columns: slices.Sorted(slices.Values(sorts[a.Objects[1]].Objects))}
			t.name = fmt.Sprintf("%s(%s, %s)", a.Symbol, sorts[a.Objects[0]].Name, sorts[a.Objects[1]].Name)
			of[a.Symbol], all = t, append(all, t)
		}
		t.cells[[2]string(a.Objects)] = strips.Literal{Predicate: strips.Predicate(p), Negated: a.Negated}
	}
	for _, t := range all {
		turned := &looksTable{name: t.name, rows: t.columns, columns: t.rows,
			cells: map[[2]string]strips.Literal{}}
		for at, l := range t.cells {
			turned.cells[[2]string{at[1], at[0]}] = l
		}
		if turned.spread(looks) < t.spread(looks) {
			*t = *turned
		}
	}
	return slices.DeleteFunc(all, func(t *looksTable) bool { return math.IsNaN(t.spread(looks)) })
}

// spread is how far a cell is seen from the middle of its column, on average, in shares of the
// image; NaN if none is seen.
func (t *looksTable) spread(looks *facts.Appearance) float64 {
	sum, n := 0.0, 0
	for _, column := range t.columns {
		middle, of := t.seen(looks, column)
		for _, r := range of {
			sum += math.Hypot(r.x-middle.x, r.y-middle.y)
			n++
		}
	}
	return sum / float64(n)
}

// spot is a square part of the image, by its middle, in shares of the image.
type spot struct{ x, y, side float64 }

// seen is the square in which all cells of a column are seen, and the squares of these.
func (t *looksTable) seen(looks *facts.Appearance, column string) (all spot, of []spot) {
	var x, y []float64
	for _, row := range t.rows {
		l, has := t.cells[[2]string{row, column}]
		if r := looks.Region(l.Predicate); has && r.Width > 0 {
			of = append(of, spot{r.X + r.Width/2, r.Y + r.Height/2, max(r.Width, r.Height)})
			x, y = append(x, r.X, r.X+r.Width), append(y, r.Y, r.Y+r.Height)
		}
	}
	if len(of) == 0 {
		return spot{}, nil
	}
	left, right, top, bottom := slices.Min(x), slices.Max(x), slices.Min(y), slices.Max(y)
	return spot{(left + right) / 2, (top + bottom) / 2, max(right-left, bottom-top)}, of
}

// objectsSheet is nil where there are no tables.
func objectsSheet(l *schemas.Lifted, looks *facts.Recognizer) (image.Image, error) {
	all := looksTables(l, looks.Appearance)
	if len(all) == 0 {
		return nil, nil
	}
	const side, words, least = 64, 72, 400 // pixels: of a cell, of the names of rows, of the sheet
	const around = 1.15                    // of what is seen, and all in one scale
	step := side + gap
	width, height := least, 2*margin+len(l.Schemas)*lineStep
	for _, t := range all {
		width = max(width, 2*margin+words+len(t.columns)*step)
		height += 3*lineStep + (len(t.rows)+1)*step
	}
	c, err := newCanvas(width, height)
	if err != nil {
		return nil, err
	}
	y := margin
	line := func(text, colour string) {
		y += lineStep
		c.write(text, margin, y, width-2*margin, colour)
	}
	for _, s := range l.Schemas {
		line(fmt.Sprintf("%s(%s): %d skills", s.Name, strings.Join(s.Sorts, ", "), s.Operators), black)
	}
	for _, t := range all {
		y += lineStep
		line(t.name, blue)
		y += lineStep
		widest := 0.0
		for _, column := range t.columns {
			at, _ := t.seen(looks.Appearance, column)
			widest = max(widest, around*at.side)
		}
		for i, column := range t.columns {
			box := image.Rect(0, 0, side, side).Add(image.Pt(margin+words+i*step, y+gap))
			c.write(column, box.Min.X, y, side, black)
			at, _ := t.seen(looks.Appearance, column)
			at.side = widest
			var none []strips.Literal
			for k, row := range t.rows {
				if l, has := t.cells[[2]string{row, column}]; has {
					c.look(looks, at, box.Add(image.Pt(0, (k+1)*step)), l)
					l.Negated = !l.Negated
					none = append(none, l)
				}
			}
			c.look(looks, at, box, none...)
		}
		for _, row := range append([]string{"none"}, t.rows...) {
			c.write(row, margin, y+step/2, words-gap, black)
			y += step
		}
	}
	return c, nil
}

// look draws what a spot of the image looks like if literals hold; nothing where they do not hold
// together.
func (c *canvas) look(looks *facts.Recognizer, at spot, to image.Rectangle,
	literals ...strips.Literal,
) {
	pix, side, ok := looks.Scene(literals...)
	if !ok || at.x == 0 {
		c.fill(to, color.RGBA{0xee, 0xee, 0xee, 0xff})
		return
	}
	wide := int(math.Ceil(at.side * float64(side)))
	corner := func(middle float64) int {
		return min(max(int(middle*float64(side))-wide/2, 0), side-wide)
	}
	from := image.Rect(0, 0, wide, wide).Add(image.Pt(corner(at.x), corner(at.y)))
	m := pixels.RGB{Width: side, Height: side, Pix: pix}.Image()
	draw.CatmullRom.Scale(c, to, m, from, draw.Src, nil)
}
