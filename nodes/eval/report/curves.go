package report

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// maxPoints is how many points a curve keeps; more would only be noise and bytes.
const maxPoints = 300

var palette = []string{blue, vermilion, green, purple, orange, sky, black}

// lossChart draws the losses of stage 1, "total" first and black.
func lossChart(s *Stage1) chart {
	names := map[string]bool{}
	for _, p := range s.Losses {
		for name := range p.Values {
			names[name] = true
		}
	}
	c := chart{x: "training step", y: "loss", log: true, mark: float64(s.Selected),
		marked: "checkpoint kept"}
	next := 0
	for _, name := range slices.Sorted(maps.Keys(names)) {
		var points plotter.XYs
		for _, p := range s.Losses {
			if v, ok := p.Values[name]; ok && v > 0 && !math.IsInf(v, 0) {
				points = append(points, plotter.XY{X: float64(p.Step), Y: v})
			}
		}
		if len(points) == 0 {
			continue
		}
		l := line{name: name, points: thin(points), colour: black}
		if name != "total" {
			l.colour = palette[next%(len(palette)-1)]
			next++
		}
		c.lines = append(c.lines, l)
	}
	return c
}

// codesChart draws what evaluations during stage 1 counted.
func codesChart(s *Stage1, trueStates int) chart {
	var codes, branches plotter.XYs
	for _, p := range s.Codes {
		codes = append(codes, plotter.XY{X: float64(p.Step), Y: float64(p.Codes)})
		branches = append(branches, plotter.XY{X: float64(p.Step), Y: float64(p.Nondeterministic)})
	}
	c := chart{x: "training step", y: "count", mark: float64(s.Selected), marked: "checkpoint kept"}
	if trueStates > 0 && len(codes) > 0 {
		y := float64(trueStates)
		c.lines = append(c.lines, line{name: "true states", colour: grey, dashed: true,
			points: plotter.XYs{{X: codes[0].X, Y: y}, {X: codes[len(codes)-1].X, Y: y}}})
	}
	c.lines = append(c.lines,
		line{name: "codes", colour: blue, points: codes, glyph: draw.CircleGlyph{}},
		line{name: "nondeterministic", colour: vermilion, points: branches, glyph: draw.SquareGlyph{}})
	return c
}

// classifierChart draws the accuracy of stage 3.
func classifierChart(points []ClassifierPoint) chart {
	var bits, exact plotter.XYs
	for _, p := range points {
		bits = append(bits, plotter.XY{X: float64(p.Step), Y: 100 * p.BitAccuracy})
		exact = append(exact, plotter.XY{X: float64(p.Step), Y: 100 * p.ExactMatch})
	}
	return chart{x: "training step", y: "right, %", percent: true, lines: []line{
		{name: "predicate values", colour: sky, points: thin(bits), dashed: true},
		{name: "whole vectors", colour: blue, points: thin(exact)},
	}}
}

func percent(part, all int) float64 {
	if all <= 0 {
		return 0
	}
	return 100 * float64(part) / float64(all)
}

// thin averages neighbouring points until at most maxPoints are left. The last point stays as it
// is.
func thin(points plotter.XYs) plotter.XYs {
	size := (len(points) + maxPoints - 1) / maxPoints
	if size <= 1 {
		return points
	}
	var out plotter.XYs
	for bin := range slices.Chunk(points, size) {
		var mean plotter.XY
		for _, p := range bin {
			mean.X += p.X / float64(len(bin))
			mean.Y += p.Y / float64(len(bin))
		}
		out = append(out, mean)
	}
	return append(out, points[len(points)-1])
}
