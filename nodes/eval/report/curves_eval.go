package report

import (
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// successChart draws the share of solved queries by horizon. Where the world and the graph agree,
// the ring of the one lies around the dot of the other.
func successChart(in Input) chart {
	world := successLine("in closed loop", vermilion, in.Success, func(h Horizon) (reached, of int) {
		return h.Reached, h.Executed
	})
	world.glyph, world.radius = draw.RingGlyph{}, 4.6
	graph := successLine("in the true graph", blue, in.Success, solvedGraph)
	graph.glyph = draw.CircleGlyph{}
	if len(in.Baselines) > 0 {
		graph.name = "STRIPS-WM"
	}
	c := chart{x: "shortest-path length, actions", y: "solved, %", percent: true}
	for i, m := range in.Baselines {
		l := successLine(m.Name, palette[2+i%(len(palette)-2)], m.Success, solvedGraph)
		l.dashed, l.glyph = true, draw.TriangleGlyph{}
		c.lines = append(c.lines, l)
	}
	if !in.Recorded {
		c.lines = append(c.lines, world)
	}
	c.lines = append(c.lines, graph)
	return c
}

// ablationChart draws the same for operators learned under other conditions.
func ablationChart(conditions []Condition) chart {
	c := chart{x: "shortest-path length, actions", y: "solved in the true graph, %", percent: true}
	glyphs := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.TriangleGlyph{}, draw.SquareGlyph{}}
	for i, k := range conditions {
		l := successLine(k.Name, palette[i%len(palette)], k.Success, solvedGraph)
		l.glyph, l.dashed = glyphs[i%len(glyphs)], i > 0
		c.lines = append(c.lines, l)
	}
	return c
}

func solvedGraph(h Horizon) (n, of int) { return h.SolvedGraph, h.Queries }

// successLine is a share of the queries, with its interval, by horizon.
func successLine(name, colour string, success []Horizon, solved func(Horizon) (n, of int)) line {
	l := line{name: name, colour: colour}
	for _, h := range success {
		n, of := solved(h)
		low, high := Wilson(n, of)
		l.points = append(l.points, plotter.XY{X: float64(h.Horizon), Y: percent(n, of)})
		l.bars = append(l.bars, interval{low, high})
	}
	return l
}

// reliabilityChart draws how often predicates hold by how likely the classifier says they are:
// under the nuisance trained with and under all that is stronger, there also each predicate on its
// own.
func reliabilityChart(all []Calibration) chart {
	c := chart{x: "probability that the classifier gives, %", y: "predicate holds, %", percent: true,
		square: true}
	c.lines = append(c.lines, line{name: "ideal", colour: grey, dashed: true, points: plotter.XYs{
		{X: 0, Y: 0}, {X: 100, Y: 100}}})
	stronger := all[1:]
	for p := range all[0].Predicates {
		var bins []Bin
		for _, k := range stronger {
			if p < len(k.Predicates) {
				bins = append(bins, k.Predicates[p].Bins...)
			}
		}
		dots := reliabilityLine("", faint, bins)
		dots.bars, dots.glyph, dots.radius = nil, draw.CircleGlyph{}, 1.8
		c.lines = append(c.lines, dots)
	}
	var bins []Bin
	for _, k := range stronger {
		bins = append(bins, k.Together.Bins...)
	}
	held := reliabilityLine("stronger nuisance", vermilion, bins)
	held.glyph = draw.SquareGlyph{}
	trained := reliabilityLine("as trained", blue, all[0].Together.Bins)
	trained.glyph = draw.CircleGlyph{}
	c.lines = append(c.lines, held, trained)
	return c
}

// tenths is how finely a reliability chart divides probability.
const tenths = 10

// reliabilityLine is the points of bins, those of the same tenth as one.
func reliabilityLine(name, colour string, bins []Bin) line {
	var images, predicted, holds [tenths]float64
	for _, b := range bins {
		k := max(0, min(int(b.Predicted*tenths), tenths-1))
		n := float64(b.Images)
		images[k], predicted[k], holds[k] = images[k]+n, predicted[k]+n*b.Predicted, holds[k]+n*b.Holds
	}
	l := line{name: name, colour: colour, loose: true}
	for k, n := range images {
		if n == 0 {
			continue
		}
		low, high := Wilson(int(math.Round(holds[k])), int(n))
		l.points = append(l.points, plotter.XY{X: 100 * predicted[k] / n, Y: 100 * holds[k] / n})
		l.bars = append(l.bars, interval{low, high})
	}
	return l
}

// mistakesChart draws which images are not recognised as their state, by strength of the nuisance.
func mistakesChart(all []Calibration) chart {
	c := chart{x: "nuisance, times that of the recording", y: "images, %"}
	lines := []struct {
		line
		of func(Calibration) int
	}{
		{line{name: "not recognised", colour: grey, glyph: draw.TriangleGlyph{}},
			func(c Calibration) int { return c.Unrecognized }},
		{line{name: "another state", colour: orange, glyph: draw.RingGlyph{}, radius: 4.6},
			func(c Calibration) int { return c.Wrong }},
		{line{name: "and certain of it", colour: vermilion, glyph: draw.CircleGlyph{}},
			func(c Calibration) int { return c.WrongCertain }},
	}
	for _, l := range lines {
		for _, k := range all {
			low, high := Wilson(l.of(k), k.Images)
			l.points = append(l.points, plotter.XY{X: k.Strength, Y: percent(l.of(k), k.Images)})
			l.bars = append(l.bars, interval{low, high})
		}
		c.lines = append(c.lines, l.line)
	}
	return c
}
