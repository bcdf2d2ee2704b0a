package report

import (
	"bytes"
	"cmp"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
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

	"stripswm/internal/files"
)

// Figure is one line chart.
type Figure struct {
	Name    string // of the files, without ending; of a panel, its title
	X, Y    string // axes' labels
	Percent bool   // Y goes from 0 to 100
	Curves  []Curve

	log    bool // Y is logarithmic
	square bool // with Percent: X goes from 0 to 100, too
}

// Curve is one line of a figure.
type Curve struct {
	Name      string // in the legend
	Reference bool   // what the others are held against: grey and dashed
	Points    []Point

	colour string // empty: by the place among the curves, and so the glyph
	dashed bool
	glyph  draw.GlyphDrawer // at each point; nil: none
	radius vg.Length        // of the glyph; 0: an ordinary one
	loose  bool             // points are not joined
}

// Point is a place on a curve, and the interval of its Y; there is none where both ends are 0.
type Point struct{ X, Y, Low, High float64 }

// points is a curve for gonum.
type points []Point

func (p points) Len() int                { return len(p) }
func (p points) XY(i int) (x, y float64) { return p[i].X, p[i].Y }

// YError is how far the interval reaches to both sides.
func (p points) YError(i int) (below, above float64) {
	if p[i].Low == 0 && p[i].High == 0 {
		return 0, 0
	}
	return p[i].Y - p[i].Low, p[i].High - p[i].Y
}

// rate is a share of images or queries in per cent, with its interval.
func rate(x float64, part, all int) Point {
	low, high := Wilson(part, all)
	return Point{x, percent(part, all), low, high}
}

const (
	chartWidth  = 3.75 * vg.Inch
	chartHeight = 2.7 * vg.Inch
	legendWidth = 1.75 * vg.Inch // beside the last column
	chartDPI    = 160
	glyphRadius = vg.Length(2)

	panelWidth  = 2.45 * vg.Inch
	panelHeight = 1.95 * vg.Inch
)

// palette colours curves in turn.
var palette = []string{blue, vermilion, green, purple, orange, sky, black}

// dashes of a curve that others are held against.
var dashes = []vg.Length{4, 3}

// WriteFigure writes the figure to NAME.svg and NAME.png in dir. One without points is not drawn.
func WriteFigure(dir string, f Figure) error {
	_, err := f.write(dir)
	return err
}

// WritePanels writes figures to NAME.svg and NAME.png in dir, side by side in rows, each below its
// name. Curves at one place of their lists look alike in all of them.
func WritePanels(dir, name string, rows [][]Figure) error {
	_, err := drawn(dir, name, rows, panelWidth, panelHeight)
	return err
}

// drawn renders figures, with one legend in the first place that a row leaves free, or else beside
// them, and gives the SVG.
func drawn(dir, name string, rows [][]Figure, width, height vg.Length) (string, error) {
	columns := 0
	for _, row := range rows {
		columns = max(columns, len(row))
	}
	plots := make([][]*plot.Plot, len(rows))
	legend, named := plot.NewLegend(), map[string]bool{}
	legend.Left, legend.Top, legend.Padding = true, true, 5
	legend.TextStyle = words(9, black, text.XLeft, text.YBottom)
	for i, row := range rows {
		plots[i] = make([]*plot.Plot, columns)
		for j, f := range row {
			p, err := f.plot(&legend, named)
			if err != nil {
				return "", fmt.Errorf("figure %s: %w", f.Name, err)
			}
			plots[i][j] = p
		}
	}
	free := slices.IndexFunc(rows, func(row []Figure) bool { return len(row) < columns })
	wide := vg.Length(columns) * width
	whole := wide
	if free < 0 {
		whole += legendWidth
	}
	return render(dir, name, whole, vg.Length(len(rows))*height, func(c draw.Canvas) {
		c.SetColor(color.White)
		c.Fill(c.Rectangle.Path())
		tiles := draw.Tiles{Rows: len(rows), Cols: columns, PadX: 10, PadY: 12, PadLeft: 4,
			PadRight: 8, PadTop: 6, PadBottom: 4}
		panels := draw.Crop(c, 0, wide-whole, 0, 0)
		for i, row := range plot.Align(plots, tiles, panels) {
			for j, cell := range row {
				if plots[i][j] != nil {
					plots[i][j].Draw(cell)
				}
			}
		}
		if free < 0 {
			legend.Draw(draw.Crop(c, wide, 0, 0, -10))
		} else {
			legend.Draw(draw.Crop(tiles.At(panels, len(rows[free]), free), 16, 0, 0, -10))
		}
	})
}

// styled gives the curves of a caller their colours and glyphs.
func (f Figure) styled() Figure {
	glyphs := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{},
		draw.PyramidGlyph{}}
	f.Curves = slices.Clone(f.Curves)
	drawn := 0
	for i := range f.Curves {
		switch c := &f.Curves[i]; {
		case c.colour != "":
		case c.Reference:
			c.colour, c.dashed = grey, true
		default:
			c.colour, c.glyph = palette[drawn%len(palette)], glyphs[drawn%len(glyphs)]
			drawn++
		}
	}
	return f
}

// write draws the figure, unless it has no points, and gives its SVG.
func (f Figure) write(dir string) (string, error) {
	if !slices.ContainsFunc(f.Curves, func(c Curve) bool { return len(c.Points) > 0 }) {
		return "", nil
	}
	name := f.Name
	f.Name = ""
	return drawn(dir, name, [][]Figure{{f}}, chartWidth, chartHeight)
}

// render draws to NAME.svg and NAME.png in dir, and gives the SVG as a page takes it, without an
// XML declaration.
func render(dir, name string, wide, high vg.Length, picture func(draw.Canvas)) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("figure %s: %w", name, err)
	}
	vector := vgsvg.New(wide, high)
	raster := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(wide, high), vgimg.UseDPI(chartDPI))}
	picture(draw.New(vector))
	picture(draw.New(raster))
	var svgText, pngBytes bytes.Buffer
	_, err := vector.WriteTo(&svgText)
	if err == nil {
		_, err = raster.WriteTo(&pngBytes)
	}
	if err == nil {
		err = files.Write(filepath.Join(dir, name+".svg"), svgText.Bytes())
	}
	if err == nil {
		err = files.Write(filepath.Join(dir, name+".png"), pngBytes.Bytes())
	}
	if err != nil {
		return "", fmt.Errorf("figure %s: %w", name, err)
	}
	return svgText.String()[strings.Index(svgText.String(), "<svg"):], nil
}

// plot is the figure with its name above, whose curves the legend names, each name once. The first
// curve is drawn last.
func (f Figure) plot(legend *plot.Legend, named map[string]bool) (*plot.Plot, error) {
	f = f.styled()
	p := plot.New()
	f.axes(p)
	p.Title.Text = f.Name
	p.Title.TextStyle = words(9, black, text.XCenter, text.YTop)
	p.Title.Padding = 3
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal.Color = hex(pale)
	grid.Horizontal.Width = 0.5
	p.Add(grid)
	var layers []plot.Plotter
	for _, c := range f.Curves {
		if len(c.Points) == 0 {
			continue
		}
		line, dots, bars, err := c.plotters()
		if err != nil {
			return nil, err
		}
		var shown []plot.Plotter
		if !c.loose {
			shown = append(shown, line)
		}
		if dots != nil {
			shown = append(shown, dots)
		}
		if c.Name != "" && !named[c.Name] {
			named[c.Name] = true
			var thumbs []plot.Thumbnailer
			for _, s := range shown {
				thumbs = append(thumbs, s.(plot.Thumbnailer))
			}
			legend.Add(c.Name, thumbs...)
		}
		if bars != nil {
			shown = append(shown, bars)
		}
		layers = append(shown, layers...)
	}
	p.Add(layers...)
	if !f.log {
		p.Y.Min = 0
		if p.Y.Max <= 0 {
			p.Y.Max = 1
		}
	}
	if f.Percent {
		p.Y.Max = 100
	}
	if f.square {
		p.X.Min, p.X.Max = 0, 100
	}
	if p.Y.Max <= p.Y.Min { // one value on a logarithmic axis
		p.Y.Min, p.Y.Max = p.Y.Min/2, p.Y.Max*2
	}
	if p.X.Max <= p.X.Min {
		p.X.Min, p.X.Max = p.X.Min-1, p.X.Max+1
	}
	p.X.Tick.Marker = round{most: 7}
	if p.X.Max >= 1000 { // with wider labels
		p.X.Tick.Marker = round{most: 5}
	}
	return p, nil
}

// plotters are a curve's line, its glyphs and its intervals, the last two nil where it has none.
func (c Curve) plotters() (line *plotter.Line, dots *plotter.Scatter, bars *plotter.YErrorBars,
	err error,
) {
	if line, err = plotter.NewLine(points(c.Points)); err != nil {
		return nil, nil, nil, fmt.Errorf("curve %s: %w", c.Name, err)
	}
	line.Color, line.Width = hex(c.colour), 1.3
	if c.dashed {
		line.Dashes, line.Width = dashes, 1
	}
	if c.glyph != nil {
		if dots, err = plotter.NewScatter(points(c.Points)); err != nil {
			return nil, nil, nil, fmt.Errorf("curve %s: %w", c.Name, err)
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: hex(c.colour), Radius: cmp.Or(c.radius, glyphRadius),
			Shape: c.glyph}
	}
	if slices.ContainsFunc(c.Points, func(p Point) bool { return p.Low != 0 || p.High != 0 }) {
		if bars, err = plotter.NewYErrorBars(points(c.Points)); err != nil {
			return nil, nil, nil, fmt.Errorf("curve %s: %w", c.Name, err)
		}
		bars.Color, bars.Width, bars.CapWidth = hex(c.colour), 0.6, 0
	}
	return line, dots, bars, nil
}

func (f Figure) axes(p *plot.Plot) {
	p.BackgroundColor = color.White
	p.X.Label.Text, p.Y.Label.Text = f.X, f.Y
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
	p.Y.Tick.Marker = round{most: 6}
	if f.log {
		p.Y.Scale = plot.LogScale{}
		p.Y.Tick.Marker = decades{}
	}
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
