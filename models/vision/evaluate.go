package vision

import (
	"context"
	"slices"

	"stripswm/models/identity"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// evaluate encodes the whole data with the teacher, keeps the checkpoint if it
// is the best so far, and writes the state of training.
func (t *trainer) evaluate(ctx context.Context) (*Evaluation, error) {
	teacher := t.engine.State().Teacher()
	latents, err := t.encoder.Encode(ctx, teacher, t.data.Packed(0, t.data.Images()))
	if err != nil {
		return nil, err
	}
	t.model.FSQ.boundAll(latents)
	codes := t.model.FSQ.codes(latents)
	t.feed.Wait() // batches that are filled from here on use the new cuts
	t.cuts = identity.Cuts(t.data, codes)
	e, err := t.diagnose(codes)
	if err != nil {
		return nil, err
	}
	e.Step, e.Losses = t.step+1, map[string]float64{}
	for i, name := range t.model.metrics() {
		e.Losses[name] = t.sums[i] / float64(t.count)
		t.sums[i] = 0
	}
	t.count = 0
	s := t.preset.WorldModel
	if s.steady(t.step, t.separated) && len(t.history) > 0 &&
		e.settledSince(t.history[len(t.history)-1]) {
		t.settled++
	} else {
		t.settled = 0
	}
	if s.Stable == Separated && t.separated == 0 &&
		separated(append(t.history, e), contrastScale(t.preset.Batch)) &&
		!t.waitsForSplit(e.Step, codes) {
		t.separated = e.Step
	}
	if t.best == nil || e.Better(t.chosen) {
		t.best = append(t.best[:0], teacher...)
		t.chosen = e
	}
	t.history = append(t.history, e)
	return &e, t.save(e.Step)
}

// diagnose counts codes and latent nondeterminism.
func (t *trainer) diagnose(codes []identity.Code) (Evaluation, error) {
	seen := map[identity.Code]bool{}
	for _, tr := range t.data.Transitions {
		seen[codes[tr.Before]], seen[codes[tr.After]] = true, true
	}
	e := Evaluation{Codes: len(seen)}
	labels := make([]string, t.data.Actions)
	graph, err := identity.TaskGraph(t.data, codes, labels)
	if err != nil {
		return e, err
	}
	minority := 0
	for _, branch := range graph.Nondeterministic() {
		e.Nondeterministic++
		slices.Sort(branch.Support)
		for _, n := range branch.Support[:len(branch.Support)-1] {
			minority += n
		}
	}
	e.MinorityShare = float64(minority) / float64(len(t.data.Transitions))
	e.Disputed = disputed(graph)
	e.Score = score(t.data, codes)
	refined := identity.Refine(t.data, codes)
	if graph, err = identity.TaskGraph(t.data, refined, labels); err != nil {
		return e, err
	}
	pruned, _ := graph.Prune(taskgraph.ErrorShare, identity.IntervalsOf(t.data, refined, graph))
	for _, branch := range pruned.Nondeterministic() {
		slices.Sort(branch.Support)
		if branch.Support[len(branch.Support)-2] >= identity.ConflictSupport {
			e.Conflicts++
		}
	}
	return e, nil
}

// disputed is Evaluation.Disputed of the codes that a graph's nodes are.
func disputed(g *taskgraph.Graph) float64 {
	type pair struct {
		state  strips.StateID
		action strips.ActionID
	}
	succeeded, attempts, few := map[pair]int{}, 0, 0
	for _, e := range g.Edges {
		succeeded[pair{e.Source, e.Action}] += e.Support
		attempts += e.Support
	}
	for _, r := range g.Refused {
		attempts += r.Count
		few += min(r.Count, succeeded[pair{r.State, r.Action}])
	}
	return float64(few) / float64(max(attempts, 1))
}
