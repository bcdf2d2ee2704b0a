package main

import (
	"fmt"
	"os"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"stripswm/models/operators"
)

// plotCost draws the time to a proved eta over the number of separation constraints, both
// logarithmic, with a line of slope one through the first point.
func plotCost(path string, reports []operators.Report) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	p := plot.New()
	p.Title.Text = "Cost of the proved eta"
	p.X.Label.Text, p.Y.Label.Text = "missing pairs (separation constraints)", "seconds"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: 2}, plot.LogTicks{Prec: 2}
	var measured, linear plotter.XYs
	for _, r := range reports {
		if r.SeparationConstraints == 0 || r.EtaSeconds <= 0 {
			continue
		}
		x := float64(r.SeparationConstraints)
		measured = append(measured, plotter.XY{X: x, Y: r.EtaSeconds})
		linear = append(linear, plotter.XY{X: x, Y: measured[0].Y * x / measured[0].X})
	}
	line, points, err := plotter.NewLinePoints(measured)
	if err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	ideal, err := plotter.NewLine(linear)
	if err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	ideal.Dashes = []vg.Length{vg.Points(3), vg.Points(3)}
	p.Add(plotter.NewGrid(), ideal, line, points)
	p.Legend.Add("measured", line, points)
	p.Legend.Add("linear in separation constraints", ideal)
	p.Legend.Left, p.Legend.Top = true, true
	return p.Save(14*vg.Centimeter, 10*vg.Centimeter, path)
}
