package report

import (
	"bytes"
	"cmp"
	"fmt"
	"image/color"
	"math"
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
