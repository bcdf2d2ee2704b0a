package experiment

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"stripswm/internal/files"
	"stripswm/models/vision"
	"stripswm/nodes/eval/report"
)

// Row is a job that is done.
type Row struct {
	Name     string             `json:"name"`
	Settings map[string]string  `json:"settings"`
	Values   map[string]float64 `json:"values"` // by column; a number that is not there is left out
	Best     bool               `json:"best,omitempty"`
	chosen   vision.Evaluation  // the checkpoint of stage 1
	said     map[string]any     // by the steps
}

// Figure is a drawing of columns over a setting, or of curves in what jobs have printed, for each
// value of another setting.
type Figure struct {
	Name   string
	Points string // a list of objects in what a job has printed, which X and Y are numbers of
	X      string // setting
	Y      words  // columns, a curve each
	Each   string // setting: a curve for each of its values
	Of     string // setting: a drawing for each of its values
}

// Gather reads the rows that are there, and says which are missing, both in the order of the jobs.
func (e *Experiment) Gather() (rows []Row, missing []Missing, err error) {
	for _, j := range e.Jobs {
		if !e.Done(j) {
			why, _ := os.ReadFile(e.failure(j))
			missing = append(missing, Missing{j.Name, strings.TrimSpace(string(why))})
			continue
		}
		r, err := e.row(j)
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, r)
	}
	e.mark(rows)
	return rows, missing, nil
}

func (e *Experiment) row(j Job) (Row, error) {
	said := map[string]any{}
	r := Row{Name: j.Name, Settings: map[string]string{}, Values: map[string]float64{}, said: said}
	for name, value := range j.settings {
		r.Settings[name] = strings.Join(value, " ")
	}
	for _, s := range e.Steps {
		if s.Row == "" {
			continue
		}
		path := e.rowPath(j, s)
		data, err := files.Read(path, maxFile)
		if err != nil {
			return r, err
		}
		var file struct{ Chosen *vision.Evaluation }
		if err := errors.Join(json.Unmarshal(data, &said), json.Unmarshal(data, &file)); err != nil {
			return r, fmt.Errorf("%w: %s: %w; remove it to run job %d again", ErrExperiment, path, err,
				j.Index)
		}
		if file.Chosen != nil {
			r.chosen = *file.Chosen
		}
	}
	for _, c := range e.Columns {
		part, all, ratio := strings.Cut(c.Value, "/")
		v, ok := sum(said, strings.Split(strings.TrimSpace(part), ".")...)
		if ratio && ok {
			var of float64
			of, ok = sum(said, strings.Split(strings.TrimSpace(all), ".")...)
			v, ok = 100*v/of, ok && of > 0
		}
		if ok {
			r.Values[c.Name] = v
		}
	}
	return r, nil
}

// sum adds up the numbers that a path leads to.
func sum(v any, path ...string) (total float64, found bool) {
	add := func(v any, path []string) {
		x, ok := sum(v, path...)
		total, found = total+x, found || ok
	}
	switch v := v.(type) {
	case float64:
		return v, len(path) == 0
	case []any:
		for _, one := range v {
			add(one, path)
		}
	case map[string]any:
		if len(path) > 0 {
			add(v[path[0]], path[1:])
			break
		}
		for _, one := range v {
			add(one, nil)
		}
	}
	return total, found
}

// mark marks the best of rows that differ in one setting alone.
func (e *Experiment) mark(rows []Row) {
	if e.Best == "" {
		return
	}
	best := map[string]int{}
	for i, r := range rows {
		var of []string
		for _, axis := range append(e.Grid.names(), "row") {
			if axis != e.Best {
				of = append(of, r.Settings[axis])
			}
		}
		key := strings.Join(of, "\n")
		if k, ok := best[key]; !ok || r.chosen.Better(rows[k].chosen) {
			best[key] = i
		}
	}
	for _, i := range best {
		rows[i].Best = true
	}
}

// Table is the rows as cells, below a head.
func (e *Experiment) Table(rows []Row) (table [][]string) {
	head := append(append([]string{"name"}, e.Grid.names()...), e.Columns.names()...)
	if e.Best != "" {
		head = append(head, "best "+e.Best)
	}
	table = append(table, head)
	for _, r := range rows {
		cells := []string{r.Name}
		for _, axis := range e.Grid {
			cells = append(cells, r.Settings[axis.Name])
		}
		for _, c := range e.Columns {
			text := ""
			if v, ok := r.Values[c.Name]; ok {
				text = strconv.FormatFloat(v, 'g', 6, 64)
			}
			cells = append(cells, text)
		}
		if e.Best != "" {
			cells = append(cells, strconv.FormatBool(r.Best))
		}
		table = append(table, cells)
	}
	return table
}

// Write writes OUT/rows.csv, and the figures.
func (e *Experiment) Write(rows []Row) error {
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(e.Table(rows)); err != nil {
		return err
	}
	err := errors.Join(os.MkdirAll(e.Out, 0o777),
		files.Write(filepath.Join(e.Out, "rows.csv"), []byte(b.String())))
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return e.Best != "" && !r.Best })
	for _, f := range e.Figures {
		of := group(rows, f.Of)
		for _, value := range slices.Sorted(maps.Keys(of)) {
			drawing := e.draw(f, of[value])
			if f.Of != "" {
				drawing.Name += "-" + value
			}
			if err := report.WriteFigure(e.Out, drawing); err != nil {
				return err
			}
		}
	}
	return nil
}

// draw makes a figure of rows.
func (e *Experiment) draw(f Figure, rows []Row) report.Figure {
	drawing := report.Figure{Name: f.Name, X: f.X, Y: strings.Join(f.Y, ", "), Percent: true}
	each := group(rows, f.Each)
	for _, y := range f.Y {
		if i := slices.Index(e.Columns.names(), y); f.Points == "" {
			drawing.Percent = drawing.Percent && strings.Contains(e.Columns[i].Value, "/")
		}
		for _, value := range slices.Sorted(maps.Keys(each)) {
			c := report.Curve{Name: strings.TrimSpace(y + " " + value)}
			if f.Points == "" {
				c.Points = overSetting(each[value], f.X, y)
			} else {
				c.Points = overPoints(each[value], f.Points, f.X, y)
			}
			drawing.Curves = append(drawing.Curves, c)
		}
	}
	return drawing
}

// overSetting has the mean of a column for each value of a setting.
func overSetting(rows []Row, x, y string) (all []report.Point) {
	for _, at := range group(rows, x) {
		total, n := 0.0, 0.0
		for _, r := range at {
			if v, ok := r.Values[y]; ok {
				total, n = total+v, n+1
			}
		}
		if x, err := strconv.ParseFloat(at[0].Settings[x], 64); err == nil && n > 0 {
			all = append(all, report.Point{X: x, Y: total / n})
		}
	}
	slices.SortFunc(all, byX)
	return all
}

func byX(a, b report.Point) int { return cmp.Compare(a.X, b.X) }

// overPoints has the mean of the curves that jobs have printed, as step functions: 0 before its
// first point, and at the end a curve keeps its value.
func overPoints(rows []Row, list, x, y string) (all []report.Point) {
	var curves [][]report.Point
	for _, r := range rows {
		points, _ := r.said[list].([]any)
		var c []report.Point
		for _, p := range points {
			at, _ := sum(p, x)
			value, _ := sum(p, y)
			c = append(c, report.Point{X: at, Y: value})
		}
		curves, all = append(curves, c), append(all, c...)
	}
	slices.SortFunc(all, byX)
	for i := range all {
		all[i].Y = 0
		for _, c := range curves {
			n, found := slices.BinarySearchFunc(c, all[i], byX)
			if found {
				n++
			}
			if n > 0 {
				all[i].Y += c[n-1].Y / float64(len(curves))
			}
		}
	}
	return all
}

// group puts rows together by the value of a setting; all of them where there is none.
func group(rows []Row, setting string) map[string][]Row {
	by := map[string][]Row{}
	for _, r := range rows {
		by[r.Settings[setting]] = append(by[r.Settings[setting]], r)
	}
	return by
}
