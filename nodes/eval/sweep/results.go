package sweep

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"stripswm/internal/files"
	"stripswm/models/vision"
	"stripswm/nodes/eval"
	"stripswm/nodes/eval/report"
)

// Result is a job that is done.
type Result struct {
	Job
	// Selected says that of all jobs that differ from this one in the latent
	// space alone, this is the best.
	Selected    bool               `json:"selected"`
	Abstraction eval.Abstraction   `json:"abstraction"`
	Success     []eval.Horizon     `json:"success"` // by horizon
	Chosen      vision.Evaluation  `json:"chosen"`  // the checkpoint of stage 1
	Seconds     map[string]float64 `json:"seconds"` // by stage
	PeakMB      map[string]float64 `json:"peak_mb"` // by stage
}

// Missing is a job that is not done, and why it failed where that is known.
type Missing struct {
	Job    Job    `json:"job"`
	Reason string `json:"why,omitempty"`
}

// Gather reads the results that are there, selects the best, and says which are
// missing, both by index.
func (f Folder) Gather() ([]Result, []Missing, error) {
	results, missing := []Result{}, []Missing{}
	for _, j := range f.Jobs {
		if !f.Done(j) {
			missing = append(missing, Missing{j, f.Failure(j)})
			continue
		}
		r, err := f.read(j)
		if err != nil {
			return nil, nil, err
		}
		results = append(results, r)
	}
	choose(results)
	return results, missing, nil
}

func (f Folder) read(j Job) (Result, error) {
	path := f.ResultPath(j)
	data, err := files.Read(path, maxFile)
	if err != nil {
		return Result{}, err
	}
	var file struct {
		Abstraction eval.Abstraction     `json:"abstraction"`
		Success     map[int]eval.Horizon `json:"success"`
		Chosen      vision.Evaluation    `json:"chosen"`
		Seconds     map[string]float64   `json:"seconds"`
		PeakMB      map[string]float64   `json:"peak_mb"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return Result{}, fmt.Errorf("%w: %s: %w; remove it to run job %d again", ErrSweep, path, err,
			j.Index)
	}
	r := Result{Job: j, Abstraction: file.Abstraction, Chosen: file.Chosen, Seconds: file.Seconds,
		PeakMB: file.PeakMB}
	for _, h := range slices.Sorted(maps.Keys(file.Success)) {
		r.Success = append(r.Success, file.Success[h])
	}
	return r, nil
}

// choose marks the best of each group of results.
func choose(results []Result) {
	best := map[Job]int{}
	for i := range results {
		group := results[i].Job
		group.Index, group.Dims = 0, 0
		if k, ok := best[group]; !ok || results[i].Chosen.Better(results[k].Chosen) {
			best[group] = i
		}
	}
	for _, i := range best {
		results[i].Selected = true
	}
}

// Solved is the share of all queries whose plan reaches the goal in the
// ground-truth graph, 0..1.
func (r Result) Solved() float64 {
	solved, queries := 0, 0
	for _, h := range r.Success {
		solved, queries = solved+h.SolvedGraph, queries+h.Queries
	}
	return share(solved, queries)
}

// Time is the seconds of all stages.
func (r Result) Time() float64 {
	total := 0.0
	for _, s := range r.Seconds {
		total += s
	}
	return total
}

// Peak is the most resident memory of any stage, in MB; 0 where it is not known.
func (r Result) Peak() float64 {
	peak := 0.0
	for _, mb := range r.PeakMB {
		peak = max(peak, mb)
	}
	return peak
}

func share(part, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(part) / float64(all)
}

// Write makes the folder results: results.csv with a row for each job that is
// done, results.json with everything, and the figures that there is data for.
func (f Folder) Write(results []Result, missing []Missing) (dir string, err error) {
	dir = filepath.Join(f.Dir, "results")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	table, err := table(results)
	if err != nil {
		return "", err
	}
	all, err := json.MarshalIndent(struct {
		Results []Result  `json:"results"`
		Missing []Missing `json:"missing,omitempty"`
	}{results, missing}, "", " ")
	if err != nil {
		return "", err
	}
	for name, data := range map[string][]byte{
		"results.csv": table, "results.json": append(all, '\n'),
	} {
		if err := files.Write(filepath.Join(dir, name), data); err != nil {
			return "", err
		}
	}
	return dir, figures(dir, results)
}

// table is the results as comma-separated values, success by horizon in the last
// columns.
func table(results []Result) ([]byte, error) {
	horizons := 0
	for _, r := range results {
		horizons = max(horizons, len(r.Success))
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	head := []string{"job", "world", "preset", "seed", "dims", "data", "transitions", "mislabel",
		"selected", "true_states", "states", "distinct_codes", "predicates", "xi", "eta",
		"latent_nondeterminism", "checkpoint_step", "checkpoint_loss", "checkpoint_codes",
		"checkpoint_nondeterminism", "aliased", "unrecognized", "images", "seconds", "peak_mb", "success"}
	for h := range horizons {
		head = append(head, fmt.Sprintf("success_%d", h+1))
	}
	w.Write(head) // errors are kept for w.Error
	for _, r := range results {
		a, c := r.Abstraction, r.Chosen
		row := make([]string, 0, len(head))
		for _, v := range []any{r.Index, r.World, r.Preset, r.Seed, r.Dims, r.Data, r.Transitions,
			r.Mislabel, r.Selected,
			a.TrueStates, a.States, a.DistinctCodes, a.Predicates, a.Xi, a.Eta, a.Nondeterminism,
			c.Step, number(c.Losses["total"]), c.Codes, c.Nondeterministic, a.Aliased, a.Unrecognized,
			a.Images,
			number(r.Time()), number(r.Peak()), number(r.Solved())} {
			row = append(row, fmt.Sprint(v))
		}
		for _, h := range r.Success {
			row = append(row, number(share(h.SolvedGraph, h.Queries)))
		}
		for len(row) < len(head) {
			row = append(row, "")
		}
		w.Write(row)
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

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
