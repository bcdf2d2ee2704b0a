package report

import (
	"bytes"
	"cmp"
	"fmt"
	"image/color"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// chart is one line chart.
type chart struct {
	x, y    string // axes' labels
	log     bool   // y is logarithmic
	percent bool   // y goes from 0 to 100
	square  bool   // so does x
	lines   []line
	mark    float64 // an x worth a vertical line; 0: none
	marked  string  // its name
}

// line is one series, named at its right end unless it has no name.
type line struct {
	name   string
	colour string
	points plotter.XYs
	dashed bool
	glyph  draw.GlyphDrawer // at each point; nil: none
	radius vg.Length        // of the glyph; 0: an ordinary one
	loose  bool             // points are not joined
	bars   []interval       // around each point; nil: none
}

// interval is a confidence interval of a y.
type interval struct{ low, high float64 }

// dashes of a line that others are held against.
var dashes = []vg.Length{4, 3}

const (
	chartWidth  = 5.05 * vg.Inch
	chartHeight = 2.7 * vg.Inch
	nameWidth   = 1.2 * vg.Inch // to the right of the data
	chartDPI    = 160
)

// empty says that there is nothing to draw.
func (c chart) empty() bool {
	return !slices.ContainsFunc(c.lines, func(l line) bool { return len(l.points) > 0 })
}

// draw gives the chart as SVG and as PNG.
func (c chart) draw() (svgText string, pngBytes []byte, err error) {
	p, err := c.plot()
	if err != nil {
		return "", nil, err
	}
	area := func(v vg.CanvasSizer) draw.Canvas { return draw.Crop(draw.New(v), 4, -nameWidth, 2, -8) }

	vector := vgsvg.New(chartWidth, chartHeight)
	p.Draw(area(vector))
	var b bytes.Buffer
	if _, err := vector.WriteTo(&b); err != nil {
		return "", nil, fmt.Errorf("draw chart: %w", err)
	}
	svgText = b.String()
	if i := strings.Index(svgText, "<svg"); i > 0 {
		svgText = svgText[i:] // a page takes no XML declaration inside
	}

	raster := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(chartWidth, chartHeight),
		vgimg.UseDPI(chartDPI))}
	p.Draw(area(raster))
	b.Reset()
	if _, err := raster.WriteTo(&b); err != nil {
		return "", nil, fmt.Errorf("draw chart: %w", err)
	}
	return svgText, b.Bytes(), nil
}

func (c chart) plot() (*plot.Plot, error) {
	p := plot.New()
	c.axes(p)
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal.Color = hex(pale)
	grid.Horizontal.Width = 0.5
	p.Add(grid)
	for _, l := range c.lines {
		if err := l.add(p); err != nil {
			return nil, err
		}
	}
	if c.percent {
		p.Y.Min, p.Y.Max = 0, 100
		if c.square {
			p.X.Min, p.X.Max = 0, 100
		}
	} else if !c.log {
		p.Y.Min = 0
	}
	if c.log && p.Y.Max <= p.Y.Min {
		p.Y.Min, p.Y.Max = p.Y.Min/2, p.Y.Max*2
	}
	if p.X.Max <= p.X.Min {
		p.X.Min, p.X.Max = p.X.Min-1, p.X.Max+1
	}
	if !c.log && p.Y.Max <= 0 {
		p.Y.Max = 1
	}
	p.Add(endNames{c.lines})
	if c.mark > 0 {
		p.Add(markLine{c.mark, c.marked})
	}
	return p, nil
}

func (c chart) axes(p *plot.Plot) {
	p.BackgroundColor = color.White
	p.X.Label.Text, p.Y.Label.Text = c.x, c.y
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font = sans(9)
		a.Label.TextStyle.Color = hex(black)
		a.Tick.Label.Font = sans(8.5)
		a.Tick.Label.Color = hex(black)
		a.Tick.Color = hex(grey)
		a.Tick.Length = 3
		a.LineStyle.Color = hex(grey)
		a.LineStyle.Width = 0.6
		a.Tick.LineStyle.Width = 0.6
		a.Padding = 2
	}
	p.Y.LineStyle.Width = 0
	p.Y.Tick.LineStyle.Width = 0
	p.X.Label.Padding = 3
	p.X.Tick.Marker, p.Y.Tick.Marker = round{most: 12}, round{most: 6}
	if c.log {
		p.Y.Scale = plot.LogScale{}
		p.Y.Tick.Marker = decades{}
	}
}

func (l line) add(p *plot.Plot) error {
	if len(l.points) == 0 {
		return nil
	}
	drawn, err := plotter.NewLine(l.points)
	if err != nil {
		return fmt.Errorf("chart line %s: %w", l.name, err)
	}
	drawn.Color = hex(l.colour)
	drawn.Width = 1.3
	if l.dashed {
		drawn.Dashes = dashes
		drawn.Width = 1
	}
	if !l.loose {
		p.Add(drawn)
	}
	if l.bars != nil {
		p.Add(barLines{l})
	}
	if l.glyph == nil {
		return nil
	}
	dots, err := plotter.NewScatter(l.points)
	if err != nil {
		return fmt.Errorf("chart line %s: %w", l.name, err)
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: hex(l.colour), Radius: cmp.Or(l.radius, 2.6),
		Shape: l.glyph}
	p.Add(dots)
	return nil
}

// endNames writes the name of each line at its right end, moved apart where ends are close.
type endNames struct{ lines []line }

func (e endNames) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	type name struct {
		l  line
		at vg.Length
	}
	var names []name
	for _, l := range e.lines {
		if n := len(l.points); n > 0 && l.name != "" {
			names = append(names, name{l, y(l.points[n-1].Y)})
		}
	}
	slices.SortStableFunc(names, func(a, b name) int {
		return int(math.Copysign(1, float64(a.at-b.at)))
	})
	const gap = 11
	for i := 1; i < len(names); i++ {
		names[i].at = max(names[i].at, names[i-1].at+gap)
	}
	if n := len(names); n > 0 && names[n-1].at > c.Max.Y {
		names[n-1].at = c.Max.Y
		for i := n - 2; i >= 0; i-- {
			names[i].at = min(names[i].at, names[i+1].at-gap)
		}
	}
	for _, n := range names {
		c.FillText(words(8.5, n.l.colour, text.XLeft, text.YCenter), vg.Point{X: c.Max.X + 8, Y: n.at},
			n.l.name)
	}
}

// barLines draws the intervals of a line.
type barLines struct{ line }

func (b barLines) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := draw.LineStyle{Color: hex(b.colour), Width: 0.6}
	for i, v := range b.bars {
		at := x(b.points[i].X)
		c.StrokeLine2(style, at, y(v.low), at, y(v.high))
	}
}

// DataRange makes room for the bars.
func (b barLines) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = plotter.XYRange(b.points)
	for _, v := range b.bars {
		ymin, ymax = min(ymin, v.low), max(ymax, v.high)
	}
	return xmin, xmax, ymin, ymax
}

// markLine is a thin vertical line with a name at its top.
type markLine struct {
	x    float64
	name string
}

func (m markLine) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	at := x(m.x)
	c.StrokeLine2(draw.LineStyle{Color: hex(grey), Width: 0.7, Dashes: []vg.Length{1.5, 2}}, at,
		c.Min.Y, at, c.Max.Y)
	align, aside := text.XRight, vg.Length(-4)
	if at < c.Center().X {
		align, aside = text.XLeft, 4
	}
	c.FillText(words(8, grey, align, text.YTop), vg.Point{X: at + aside, Y: c.Max.Y}, m.name)
}

// round marks whole numbers that are multiples of 1, 2 or 5 times a power of ten, with at most so
// many steps.
type round struct{ most float64 }

func (r round) Ticks(low, high float64) []plot.Tick {
	step := 1.0
	for k := 0; (high-low)/step > r.most; k++ {
		step *= []float64{2, 2.5, 2}[k%3]
	}
	var ticks []plot.Tick
	for v := math.Ceil(low/step) * step; v <= high; v += step {
		ticks = append(ticks, plot.Tick{Value: v, Label: thousands(int(v))})
	}
	return ticks
}

// decades marks 1, 2 and 5 times the powers of ten where they are few, and the powers alone where
// they are many.
type decades struct{}

func (decades) Ticks(low, high float64) []plot.Tick {
	steps := []float64{1, 2, 5}
	if high/low > 100 {
		steps = steps[:1]
	}
	var ticks []plot.Tick
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for _, s := range steps {
			if v := s * math.Pow(10, e); v >= low*0.999 && v <= high*1.001 {
				ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%.6g", v)})
			}
		}
	}
	return ticks
}

func sans(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Length(size)}
}

func words(size float64, colour string, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{Color: hex(colour), Font: sans(size), XAlign: x, YAlign: y,
		Handler: plot.DefaultTextHandler}
}

// hex reads one of this package's colours, "#rrggbb".
func hex(c string) color.RGBA {
	out := color.RGBA{A: 255}
	fmt.Sscanf(c, "#%02x%02x%02x", &out.R, &out.G, &out.B)
	return out
}

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

// mistakesChart draws which images are not recognized as their state, by strength of the nuisance.
func mistakesChart(all []Calibration) chart {
	c := chart{x: "nuisance, times that of the recording", y: "images, %"}
	lines := []struct {
		line
		of func(Calibration) int
	}{
		{line{name: "not recognized", colour: grey, glyph: draw.TriangleGlyph{}},
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

const (
	panelWidth  = 2.45 * vg.Inch
	panelHeight = 1.95 * vg.Inch
	legendStep  = 15 // points between its lines
)

// WritePanels writes figures to NAME.svg and NAME.png in dir, side by side in rows, each under its
// name. Curves at one place of their lists look alike in all of them; one legend names them, in the
// first place that a row leaves free, or else below.
func WritePanels(dir, name string, rows [][]Figure) error {
	columns := 0
	for _, row := range rows {
		columns = max(columns, len(row))
	}
	plots := make([][]*plot.Plot, len(rows))
	var legend []line
	for i, row := range rows {
		plots[i] = make([]*plot.Plot, columns)
		for j, f := range row {
			c := f.chart()
			legend = named(legend, c.lines)
			p, err := c.panel(f.Name)
			if err != nil {
				return fmt.Errorf("panels %s: %s: %w", name, f.Name, err)
			}
			plots[i][j] = p
		}
	}
	place := legendPlace{lines: legend, below: vg.Length(len(legend)+2) * legendStep}
	if at := slices.IndexFunc(rows, func(row []Figure) bool { return len(row) < columns }); at >= 0 {
		place = legendPlace{lines: legend, row: at, column: len(rows[at])}
	}
	return place.write(dir, name, plots)
}

// named adds the lines that have points to those of a legend.
func named(legend, lines []line) []line {
	for _, l := range lines {
		if len(l.points) > 0 &&
			!slices.ContainsFunc(legend, func(o line) bool { return o.name == l.name }) {
			legend = append(legend, l)
		}
	}
	return legend
}

// panel is the chart without names at its lines. The first line is drawn last.
func (c chart) panel(title string) (*plot.Plot, error) {
	c.lines = slices.Clone(c.lines)
	for i := range c.lines {
		c.lines[i].name = ""
		c.lines[i].radius = 2
	}
	slices.Reverse(c.lines)
	p, err := c.plot()
	if err != nil {
		return nil, err
	}
	p.Title.Text = title
	p.Title.TextStyle = words(9, black, text.XCenter, text.YTop)
	p.Title.Padding = 3
	p.X.Tick.Marker = round{most: 7}
	if p.X.Max >= 1000 { // with wider labels
		p.X.Tick.Marker = round{most: 5}
	}
	return p, nil
}

// legendPlace is the legend, and the cell that it stands in, or the strip below all cells.
type legendPlace struct {
	lines       []line
	row, column int
	below       vg.Length // the strip's height; 0 where it stands in a cell
}

func (l legendPlace) write(dir, name string, plots [][]*plot.Plot) error {
	wide, high := vg.Length(len(plots[0]))*panelWidth, vg.Length(len(plots))*panelHeight+l.below
	vector := vgsvg.New(wide, high)
	l.draw(draw.New(vector), plots)
	raster := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(wide, high), vgimg.UseDPI(chartDPI))}
	l.draw(draw.New(raster), plots)

	var svgText, pngBytes bytes.Buffer
	_, err := vector.WriteTo(&svgText)
	if _, fault := raster.WriteTo(&pngBytes); err == nil {
		err = fault
	}
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	w := writer{dir: dir}
	if err == nil {
		err = w.save(name+".svg", svgText.Bytes())
	}
	if err == nil {
		err = w.save(name+".png", pngBytes.Bytes())
	}
	if err != nil {
		return fmt.Errorf("panels %s: %w", name, err)
	}
	return nil
}

func (l legendPlace) draw(whole draw.Canvas, plots [][]*plot.Plot) {
	whole.SetColor(hex("#ffffff"))
	whole.Fill(whole.Rectangle.Path())
	tiles := draw.Tiles{Rows: len(plots), Cols: len(plots[0]), PadX: 10, PadY: 12, PadLeft: 4,
		PadRight: 8, PadTop: 6, PadBottom: 4}
	panels := draw.Crop(whole, 0, 0, l.below, 0)
	cells := plot.Align(plots, tiles, panels)
	for i, row := range plots {
		for j, p := range row {
			if p != nil {
				p.Draw(cells[i][j])
			}
		}
	}
	cell := tiles.At(panels, l.column, l.row)
	if l.below > 0 {
		cell = draw.Crop(whole, tiles.PadLeft, 0, 0, l.below-whole.Max.Y+whole.Min.Y)
	}
	for i, k := range l.lines {
		y := cell.Max.Y - vg.Length(i+2)*legendStep
		style := draw.LineStyle{Color: hex(k.colour), Width: 1.3}
		if k.dashed {
			style.Dashes = dashes
		}
		cell.StrokeLine2(style, cell.Min.X+16, y, cell.Min.X+36, y)
		if k.glyph != nil {
			cell.DrawGlyph(draw.GlyphStyle{Color: hex(k.colour), Radius: cmp.Or(k.radius, 2.6),
				Shape: k.glyph}, vg.Point{X: cell.Min.X + 26, Y: y})
		}
		cell.FillText(words(9, k.colour, text.XLeft, text.YCenter), vg.Point{X: cell.Min.X + 42, Y: y},
			k.name)
	}
}
