package report

import (
	"fmt"

	"stripswm/models/strips"
)

// matrixDrawing draws the predicate vector of each learned state: a row a state, a column a predicate, dark where it holds.
// Lines with the same vector as an earlier one are marked.
func matrixDrawing(m *strips.Model) string {
	cell := 18.0
	if len(m.States) > 40 {
		cell = 11
	}
	const left, top = 44.0, 26.0
	var d svg
	size := point{left + cell*float64(m.Predicates) + 60, top + cell*float64(len(m.States)) + 4}
	d.open(point{}, size, fmt.Sprintf("%d states by %d predicates", len(m.States), m.Predicates))
	small := fmt.Sprintf(`font-size="%s" fill=%q`, num(cell*0.6+1), black)
	for p := range m.Predicates {
		d.text(point{left + cell*(float64(p)+0.5), top - 7}, small+` text-anchor="middle"`, fmt.Sprint(p))
	}
	d.text(point{left - 8, top - 7}, small+` text-anchor="end"`, "state")
	first := map[strips.State]strips.StateID{}
	for i, k := range m.States {
		y := top + cell*float64(i)
		d.text(point{left - 8, y + cell*0.72}, small+` text-anchor="end"`, fmt.Sprintf("s%d", k.Node))
		for p := range m.Predicates {
			fill := "#f3f3f3"
			if k.Code.Get(strips.Predicate(p)) {
				fill = blue
			}
			d.rect(point{left + cell*float64(p) + 0.5, y + 0.5}, point{cell - 1, cell - 1}, fmt.Sprintf("fill=%q", fill))
		}
		if s, seen := first[k.Code]; seen {
			d.text(point{left + cell*float64(m.Predicates) + 6, y + cell*0.72}, fmt.Sprintf(`font-size="%s" fill=%q`, num(cell*0.6+1), vermilion), fmt.Sprintf("= s%d", s))
		} else {
			first[k.Code] = k.Node
		}
	}
	return d.close()
}
