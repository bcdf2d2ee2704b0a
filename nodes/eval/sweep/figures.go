package sweep

import (
	"fmt"
	"maps"
	"slices"

	"stripswm/nodes/eval/report"
)

// figures draws, for each world and preset, what half of the data and wrong labels
// do. Every point is the mean over seeds of the selected jobs.
func figures(dir string, results []Result) error {
	byTable := map[[2]string][]Result{}
	for _, r := range results {
		if r.Selected {
			key := [2]string{r.World, r.Preset}
			byTable[key] = append(byTable[key], r)
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(byTable), func(a, b [2]string) int {
		return slices.Compare(a[:], b[:])
	}) {
		of := byTable[key]
		drawn := []report.Figure{coverage(of)}
		if len(valuesOf(of, mislabel)) > 1 {
			drawn = append(drawn, mislabelled(of), counts(of))
		}
		for _, f := range drawn {
			f.Name = fmt.Sprintf("%s-%s-%s", f.Name, key[0], key[1])
			if err := report.WriteFigure(dir, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// coverage is success over the horizon, a curve for each share of the data, with
// the fewest wrong labels that were tried.
func coverage(results []Result) report.Figure {
	f := report.Figure{Name: "coverage", X: "shortest-path length, actions", Y: "solved, %",
		Percent: true}
	clean := slices.Min(valuesOf(results, mislabel))
	for _, data := range slices.Backward(valuesOf(results, data)) {
		at := means{}
		for _, r := range results {
			if r.Data == data && r.Mislabel == clean {
				for _, h := range r.Success {
					at.add(float64(h.Horizon), 100*share(h.SolvedGraph, h.Queries))
				}
			}
		}
		f.Curves = append(f.Curves, report.Curve{Name: dataName(data), Points: at.points()})
	}
	return f
}

// mislabelled is success over the share of wrong labels, a curve for each share of
// the data.
func mislabelled(results []Result) report.Figure {
	f := report.Figure{Name: "mislabelled-success", X: "transitions mislabelled, %", Y: "solved, %",
		Percent: true}
	for _, data := range slices.Backward(valuesOf(results, data)) {
		f.Curves = append(f.Curves, report.Curve{Name: dataName(data), Points: overLabels(results, data,
			func(r Result) float64 { return 100 * r.Solved() })})
	}
	return f
}

// counts is what the abstraction looks like over the share of wrong labels, with
// the most data that was tried.
func counts(results []Result) report.Figure {
	most := slices.Max(valuesOf(results, data))
	over := func(count func(Result) int) []report.Point {
		return overLabels(results, most, func(r Result) float64 { return float64(count(r)) })
	}
	return report.Figure{Name: "mislabelled-states", X: "transitions mislabelled, %", Y: "count",
		Curves: []report.Curve{
			{Name: "true states", Reference: true,
				Points: over(func(r Result) int { return r.Abstraction.TrueStates })},
			{Name: "states |S|", Points: over(func(r Result) int { return r.Abstraction.States })},
			{Name: "sum eta", Points: over(func(r Result) int { return r.Abstraction.Eta })},
			{Name: "sum xi", Points: over(func(r Result) int { return r.Abstraction.Xi })},
		}}
}

func overLabels(results []Result, data float64, y func(Result) float64) []report.Point {
	at := means{}
	for _, r := range results {
		if r.Data == data {
			at.add(100*r.Mislabel, y(r))
		}
	}
	return at.points()
}

func data(r Result) float64     { return r.Data }
func mislabel(r Result) float64 { return r.Mislabel }

// valuesOf are the distinct values, ascending.
func valuesOf(results []Result, of func(Result) float64) []float64 {
	set := map[float64]bool{}
	for _, r := range results {
		set[of(r)] = true
	}
	return slices.Sorted(maps.Keys(set))
}

func dataName(share float64) string { return fmt.Sprintf("%.3g %% of data", 100*share) }

// means gathers values by x.
type means map[float64][]float64

func (m means) add(x, y float64) { m[x] = append(m[x], y) }

func (m means) points() []report.Point {
	var list []report.Point
	for _, x := range slices.Sorted(maps.Keys(m)) {
		sum := 0.0
		for _, y := range m[x] {
			sum += y
		}
		list = append(list, report.Point{X: x, Y: sum / float64(len(m[x]))})
	}
	return list
}
