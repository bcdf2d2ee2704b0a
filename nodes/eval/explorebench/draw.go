package explorebench

import (
	"slices"
	"strings"

	"stripswm/nodes/eval/report"
)

// across is the most panels in a row.
const across = 3

// Draw writes success-by-attempts.svg and .png to dir: a panel for each world, over all seeds.
func Draw(dir string, results []Result) error {
	var worlds []string
	for _, r := range results {
		if !slices.Contains(worlds, r.World) {
			worlds = append(worlds, r.World)
		}
	}
	slices.SortStableFunc(worlds, func(a, b string) int {
		return strings.Compare(skills(a), skills(b))
	})
	var rows [][]report.Figure
	for w := range slices.Chunk(worlds, across) {
		var row []report.Figure
		for _, name := range w {
			row = append(row, figure(name, slices.DeleteFunc(slices.Clone(results), func(r Result) bool {
				return r.World != name
			})))
		}
		rows = append(rows, row)
	}
	return report.WritePanels(dir, "success-by-attempts", rows)
}

// DrawCurve writes explored.svg and .png to dir: how many states were known after how many
// attempts, and expected, and between how many of all pairs a way was expected.
func DrawCurve(dir string, c Curve) error {
	const x = "attempts, refused ones counted"
	known, expected, success := report.Curve{Name: "known"}, report.Curve{
		Name: "expected in all"}, report.Curve{Name: "success"}
	for _, p := range c.Points {
		at := float64(p.Attempts)
		known.Points = append(known.Points, report.Point{X: at, Y: float64(p.Nodes)})
		expected.Points = append(expected.Points, report.Point{X: at, Y: float64(p.Nodes) + p.Unseen})
		success.Points = append(success.Points, report.Point{X: at, Y: 100 * p.Expected})
	}
	return report.WritePanels(dir, "explored", [][]report.Figure{{
		{Name: "states", X: x, Y: "states", Curves: []report.Curve{known, expected}},
		{Name: "success", X: x, Y: "success expected, %", Percent: true, Curves: []report.Curve{success}},
	}})
}

func skills(world string) string {
	if strings.HasSuffix(world, "coarse") {
		return "coarse"
	}
	return ""
}

// figure is of the results of one world.
func figure(name string, results []Result) report.Figure {
	f := report.Figure{Name: name, X: "attempts, refused ones counted", Y: "pairs solved, %",
		Percent: true, LogX: true}
	explorer := func(r Result) Curve { return r.Explorer }
	f.Curves = []report.Curve{
		curve("explorer", results, explorer, Point.Success),
		curve("as the explorer expects", results, explorer, func(p Point) float64 { return p.Expected }),
		curve("uniform policy", results, func(r Result) Curve { return r.Random }, Point.Success),
	}
	f.Curves[1].Reference = true
	return f
}

// curve is the mean over the seeds at every number of attempts after which one of them learned.
// Between two training rounds a robot has what it learned in the first; what it ended with, it
// keeps.
func curve(name string, results []Result, of func(Result) Curve,
	value func(Point) float64,
) report.Curve {
	var at []int
	for _, r := range results {
		for _, p := range of(r).Points {
			at = append(at, p.Attempts)
		}
	}
	slices.Sort(at)
	c := report.Curve{Name: name}
	for _, x := range slices.Compact(at) {
		sum, low, high := 0.0, 1.0, 0.0
		for _, r := range results {
			y := 0.0
			for _, p := range of(r).Points {
				if p.Attempts <= x {
					y = value(p)
				}
			}
			sum, low, high = sum+y, min(low, y), max(high, y)
		}
		c.Points = append(c.Points, report.Point{X: float64(x), Y: 100 * sum / float64(len(results)),
			Low: 100 * low, High: 100 * high})
	}
	return c
}
