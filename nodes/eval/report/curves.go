package report

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/plot/vg/draw"

	"stripswm/nodes/eval"
)

// maxPoints is how many points a curve of training keeps; more would only be noise and bytes.
const maxPoints = 300

// lossChart draws the losses of stage 1, "total" in black.
func lossChart(in Input) Figure {
	f := Figure{X: "training step", Y: "loss", log: true}
	names := map[string]bool{}
	for _, p := range in.Stage1 {
		for name := range p.Losses {
			names[name] = true
		}
	}
	coloured := 0
	for _, name := range slices.Sorted(maps.Keys(names)) {
		c := Curve{Name: name, colour: black}
		for _, p := range in.Stage1 {
			if v, ok := p.Losses[name]; ok && v > 0 && !math.IsInf(v, 0) {
				c.Points = append(c.Points, Point{X: float64(p.Step), Y: v})
			}
		}
		if len(c.Points) == 0 {
			continue
		}
		if name != "total" {
			c.colour = palette[coloured%(len(palette)-1)]
			coloured++
		}
		c.Points = thin(c.Points)
		f.Curves = append(f.Curves, c)
	}
	return f.marked(in.Selected)
}

// marked has a vertical line at the training step of the checkpoint that was kept.
func (f Figure) marked(step int) Figure {
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range f.Curves {
		for _, p := range c.Points {
			low, high = min(low, p.Y), max(high, p.Y)
		}
	}
	if step > 0 && low <= high {
		x := float64(step)
		f.Curves = append(f.Curves, Curve{Name: "checkpoint kept", Reference: true,
			Points: []Point{{X: x, Y: low}, {X: x, Y: high}}})
	}
	return f
}

// codesChart draws what evaluations during stage 1 counted.
func codesChart(in Input) Figure {
	f := Figure{X: "training step", Y: "count"}
	var codes, branches, states []Point
	for _, p := range in.Stage1 {
		x := float64(p.Step)
		codes = append(codes, Point{X: x, Y: float64(p.Codes)})
		branches = append(branches, Point{X: x, Y: float64(p.Nondeterministic)})
		if in.Table != nil && in.Table.TrueStates > 0 {
			states = append(states, Point{X: x, Y: float64(in.Table.TrueStates)})
		}
	}
	f.Curves = []Curve{
		{Name: "codes", colour: blue, Points: codes, glyph: draw.CircleGlyph{}},
		{Name: "nondeterministic", colour: vermilion, Points: branches, glyph: draw.SquareGlyph{}},
		{Name: "true states", Reference: true, Points: states},
	}
	return f.marked(in.Selected)
}

// classifierChart draws the accuracy of stage 3.
func classifierChart(in Input) Figure {
	var bits, exact []Point
	for _, p := range in.Stage3 {
		bits = append(bits, Point{X: float64(p.Step), Y: 100 * p.Bits})
		exact = append(exact, Point{X: float64(p.Step), Y: 100 * p.Exact})
	}
	return Figure{X: "training step", Y: "right, %", Percent: true, Curves: []Curve{
		{Name: "whole vectors", colour: blue, Points: thin(exact)},
		{Name: "predicate values", colour: sky, Points: thin(bits), dashed: true},
	}}
}

// successChart draws the share of solved queries by horizon. Where the world and the graph agree,
// the ring of the one lies around the dot of the other.
func successChart(in Input) Figure {
	f := Figure{X: "shortest-path length, actions", Y: "solved, %", Percent: true}
	if len(in.Horizons) == 0 {
		return f
	}
	graph := Curve{Name: "in the true graph", Points: solved(in.Horizons), colour: blue,
		glyph: draw.CircleGlyph{}}
	if len(in.Methods) > 0 {
		graph.Name = "STRIPS-WM"
	}
	f.Curves = []Curve{graph}
	if !in.Recorded() {
		world := Curve{Name: "in closed loop", colour: vermilion, glyph: draw.RingGlyph{}, radius: 4}
		for _, h := range in.Horizons {
			world.Points = append(world.Points, rate(float64(h.Horizon), h.Reached, h.Executed))
		}
		f.Curves = append(f.Curves, world)
	}
	for i, m := range in.Methods {
		f.Curves = append(f.Curves, Curve{Name: m.Name, Points: solved(m.Horizons), dashed: true,
			colour: palette[2+i%(len(palette)-2)], glyph: draw.TriangleGlyph{}})
	}
	return f
}

// ablationChart draws the same for operators learned under other conditions.
func ablationChart(in Input) Figure {
	f := Figure{X: "shortest-path length, actions", Y: "solved in the true graph, %", Percent: true}
	glyphs := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.TriangleGlyph{}, draw.SquareGlyph{}}
	for i, k := range in.Ablation {
		f.Curves = append(f.Curves, Curve{Name: k.Condition, Points: solved(k.Horizons), dashed: i > 0,
			colour: palette[i%len(palette)], glyph: glyphs[i%len(glyphs)]})
	}
	return f
}

// solved is the share of queries by horizon whose plan reaches the goal in the true graph.
func solved(success []eval.Horizon) []Point {
	var all []Point
	for _, h := range success {
		all = append(all, rate(float64(h.Horizon), h.SolvedGraph, h.Queries))
	}
	return all
}

// reliabilityChart draws how often predicates hold by how likely the classifier says they are:
// under the nuisance trained with and under all that is stronger, there also each predicate on its
// own.
func reliabilityChart(in Input) Figure {
	f := Figure{X: "probability that the classifier gives, %", Y: "predicate holds, %", Percent: true,
		square: true}
	if len(in.Calibration) == 0 {
		return f
	}
	trained, stronger := in.Calibration[0], in.Calibration[1:]
	var bins []eval.Bin
	for _, k := range stronger {
		bins = append(bins, k.Together.Bins...)
	}
	f.Curves = []Curve{
		{Name: "as trained", Points: pooled(trained.Together.Bins), loose: true, colour: blue,
			glyph: draw.CircleGlyph{}},
		{Name: "stronger nuisance", Points: pooled(bins), loose: true, colour: vermilion,
			glyph: draw.SquareGlyph{}},
		{Name: "ideal", Reference: true, Points: []Point{{}, {X: 100, Y: 100}}},
	}
	for p := range trained.Predicates {
		bins = nil
		for _, k := range stronger {
			if p < len(k.Predicates) {
				bins = append(bins, k.Predicates[p].Bins...)
			}
		}
		dots := pooled(bins)
		for i := range dots {
			dots[i].Low, dots[i].High = 0, 0
		}
		f.Curves = append(f.Curves, Curve{Points: dots, loose: true, colour: faint,
			glyph: draw.CircleGlyph{}, radius: 1.8})
	}
	return f
}

// tenths is how finely a reliability chart divides probability.
const tenths = 10

// pooled joins bins of the same tenth, weighed by their images.
func pooled(bins []eval.Bin) []Point {
	var images, predicted, holds [tenths]float64
	for _, b := range bins {
		k := max(0, min(int(b.Predicted*tenths), tenths-1))
		n := float64(b.Images)
		images[k], predicted[k], holds[k] = images[k]+n, predicted[k]+n*b.Predicted, holds[k]+n*b.Holds
	}
	var all []Point
	for k, n := range images {
		if n == 0 {
			continue
		}
		p := rate(100*predicted[k]/n, int(math.Round(holds[k])), int(n))
		p.Y = 100 * holds[k] / n
		all = append(all, p)
	}
	return all
}

// mistakesChart draws which images are not recognized as their state, by strength of the nuisance.
func mistakesChart(in Input) Figure {
	f := Figure{X: "nuisance, times that of the recording", Y: "images, %", Curves: []Curve{
		{Name: "certain of another", colour: vermilion, glyph: draw.CircleGlyph{}},
		{Name: "another state", colour: orange, glyph: draw.RingGlyph{}, radius: 4},
		{Name: "not recognized", colour: grey, glyph: draw.TriangleGlyph{}},
	}}
	for _, k := range in.Calibration {
		for i, n := range []int{k.WrongCertain, k.Wrong, k.Unrecognized} {
			f.Curves[i].Points = append(f.Curves[i].Points, rate(k.Strength, n, k.Images))
		}
	}
	return f
}

func percent(part, all int) float64 {
	if all <= 0 {
		return 0
	}
	return 100 * float64(part) / float64(all)
}

// thin averages neighbouring points until at most maxPoints are left. The last point stays as it
// is.
func thin(all []Point) []Point {
	size := (len(all) + maxPoints - 1) / maxPoints
	if size <= 1 {
		return all
	}
	var out []Point
	for bin := range slices.Chunk(all, size) {
		var mean Point
		for _, p := range bin {
			mean.X += p.X / float64(len(bin))
			mean.Y += p.Y / float64(len(bin))
		}
		out = append(out, mean)
	}
	return append(out, all[len(all)-1])
}
