package sweep

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"stripswm/internal/files"
)

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
	for name, data := range map[string][]byte{"results.csv": table, "results.json": append(all,
		'\n')} {
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
		"selected",
		"true_states", "states", "distinct_codes", "predicates", "xi", "eta", "latent_nondeterminism",
		"checkpoint_step", "checkpoint_loss", "checkpoint_codes", "checkpoint_nondeterminism", "aliased",
		"unrecognized", "images",
		"seconds", "peak_mb", "success"}
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
