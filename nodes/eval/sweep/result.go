package sweep

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"stripswm/internal/files"
	"stripswm/models/vision"
	"stripswm/nodes/eval"
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
