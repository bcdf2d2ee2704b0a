package report

import (
	"fmt"

	"stripswm/models/strips"
)

// A matrix drawing is at most about this wide where its rows can stand in several blocks, side by
// side.
const matrixWidth = 1000.0

// matrixDrawing draws the predicate vector of each learned state: a row a state, a column a
// predicate, dark where it holds. Rows with the same vector as an earlier one name it.
func matrixDrawing(m *strips.Model) string {
	d := matrix{cell: 18, model: m, first: map[strips.State]strips.StateID{}}
	blocks := 1
	if n := len(m.States); n > 40 {
		d.cell = 11
		blocks = max(1, min(int(matrixWidth/d.width()), (n+29)/30))
	}
	rows := (len(m.States) + blocks - 1) / blocks
	size := point{d.width() * float64(blocks), matrixTop + d.cell*float64(rows) + 4}
	d.open(point{}, size, fmt.Sprintf("%d states by %d predicates", len(m.States), m.Predicates))
	for i, k := range m.States {
		corner := point{d.width()*float64(i/rows) + matrixLeft, matrixTop + d.cell*float64(i%rows)}
		if i%rows == 0 {
			d.head(corner)
		}
		d.row(corner, k)
	}
	return d.close()
}

// Room for labels on three sides of a block.
const matrixLeft, matrixTop, matrixRight = 44.0, 26.0, 50.0

type matrix struct {
	svg
	cell  float64
	model *strips.Model
	first map[strips.State]strips.StateID // by vector
}

func (d *matrix) width() float64 {
	return matrixLeft + d.cell*float64(d.model.Predicates) + matrixRight
}

func (d *matrix) head(at point) {
	d.label(at.add(point{-8, -7}), "end", black, "state")
	for p := range d.model.Predicates {
		d.label(at.add(point{d.cell * (float64(p) + 0.5), -7}), "middle", black, fmt.Sprint(p))
	}
}

func (d *matrix) row(at point, k strips.Known) {
	line := at.add(point{0, d.cell * 0.72})
	d.label(line.add(point{-8, 0}), "end", black, fmt.Sprintf("s%d", k.Node))
	for p := range d.model.Predicates {
		fill := "#f3f3f3"
		if k.Code.Get(strips.Predicate(p)) {
			fill = blue
		}
		d.rect(at.add(point{d.cell*float64(p) + 0.5, 0.5}), point{d.cell - 1, d.cell - 1},
			fmt.Sprintf("fill=%q", fill))
	}
	if s, seen := d.first[k.Code]; seen {
		d.label(line.add(point{d.cell*float64(d.model.Predicates) + 6, 0}), "start", vermilion,
			fmt.Sprintf("= s%d", s))
		return
	}
	d.first[k.Code] = k.Node
}

func (d *matrix) label(at point, anchor, colour, words string) {
	d.text(at, fmt.Sprintf(`font-size="%s" text-anchor=%q fill=%q`, num(d.cell*0.6+1), anchor, colour), words)
}
