package report

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

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
