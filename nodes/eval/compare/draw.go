package compare

import (
	"strings"

	"stripswm/nodes/eval/report"
)

// across is the most panels in a row.
const across = 4

// Draw writes success-by-AXIS.svg and .png to dir: a panel for each world, those of few
// skills in rows of their own.
func Draw(dir string, worlds []World, over Axis) error {
	x := "shortest-path length, actions"
	if over == Transitions {
		x = "recorded transitions"
	}
	var fixed, dependent []report.Figure
	for _, w := range worlds {
		f := report.Figure{Name: w.Name, X: x, Y: "pairs solved, %", Percent: true}
		for _, m := range w.Methods {
			c := report.Curve{Name: m.Name}
			for _, p := range m.Points {
				c.Points = append(c.Points, report.Point{X: float64(p.X), Y: p.Percent(), Low: p.Low,
					High: p.High})
			}
			f.Curves = append(f.Curves, c)
		}
		if strings.HasSuffix(w.Name, "coarse") {
			dependent = append(dependent, f)
		} else {
			fixed = append(fixed, f)
		}
	}
	return report.WritePanels(dir, "success-by-"+string(over), append(rows(fixed), rows(dependent)...))
}

func rows(figures []report.Figure) [][]report.Figure {
	var all [][]report.Figure
	for len(figures) > 0 {
		n := min(across, len(figures))
		all, figures = append(all, figures[:n]), figures[n:]
	}
	return all
}
