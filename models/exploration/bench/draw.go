package main

import (
	"path/filepath"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

// curve is percent of plans by ks of robot time.
type curve = plotter.XYs

// draw draws the mean over the seeds of each name's curves.
func draw(dir, world string, names []string, all ...[]curve) error {
	p := plot.New()
	p.Title.Text = world
	p.X.Label.Text, p.Y.Label.Text = "robot time, ks", "plans that lead to the goal, %"
	p.X.Min, p.Y.Min, p.Y.Max = 0, 0, 100
	p.Legend.YOffs = vg.Centimeter
	var lines []any
	for i, curves := range all {
		lines = append(lines, names[i], mean(curves))
	}
	if err := plotutil.AddLines(p, lines...); err != nil {
		return err
	}
	return p.Save(12*vg.Centimeter, 8*vg.Centimeter, filepath.Join(dir, world+".png"))
}

// mean is that of step functions, until the last of them ends. One that ended keeps its value.
func mean(curves []curve) (all curve) {
	var times []float64
	for _, c := range curves {
		for _, at := range c {
			times = append(times, at.X)
		}
	}
	sort.Float64s(times)
	for _, x := range times {
		sum := 0.0
		for _, c := range curves {
			if i := sort.Search(len(c), func(i int) bool { return c[i].X > x }); i > 0 {
				sum += c[i-1].Y
			}
		}
		all = append(all, plotter.XY{X: x, Y: sum / float64(len(curves))})
	}
	return all
}
