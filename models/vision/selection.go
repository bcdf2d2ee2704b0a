package vision

import (
	"context"
	"slices"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Evaluation is what training looked like at one step. Losses are means since
// the evaluation before; codes are those of all images under the teacher.
type Evaluation struct {
	Step   int                `json:"step"`
	Losses map[string]float64 `json:"losses"`
	Codes  int                `json:"codes"`
	// Nondeterministic is the number of latent state-action pairs with several
	// successors, the paper's diagnostic; MinorityShare the share of transitions that
	// do not lead to their pair's most frequent successor.
	Nondeterministic int     `json:"latent_nondeterminism"`
	MinorityShare    float64 `json:"dissent"` // the key of kept files
	// Conflicts is the number of those pairs that neither Refine nor pruning what is
	// rare resolves, where a second successor was seen at least three times: more
	// than misread images and mislabelled transitions explain.
	Conflicts int `json:"conflicts"`
	// Disputed is the share of all attempts that came out otherwise, as to whether they were refused, than most at their code
	// and action: what codes take for one though it differs in what applies.
	Disputed float64 `json:"disputed,omitempty"`
	// Score is how much the codes tell of what attempts lead to (score).
	Score float64 `json:"score,omitempty"`
}

// Named is the share of transitions whose action the inverse head named from the two
// images.
func (e Evaluation) Named() float64 { return e.Losses[inverseAccuracy] }

// Namable is the share of actions that a code which tells them apart names, with one
// mislabelled transition in ten and some images misread.
const Namable = 0.85

// telling is what telling images apart still costs.
func (e Evaluation) telling() float64 { return e.Losses["contrast"] + e.Losses["foresight"] }

// settledSince says whether nothing of note has changed since the evaluation
// before: no two successors are in conflict, what nondeterminism there is falls
// by no more than a tenth or a single pair, the code tells actions apart (with
// room for one mislabelled transition in ten), and the number of codes is the
// same but for one stray image in fifty states.
func (e Evaluation) settledSince(before Evaluation) bool {
	moved := max(e.Codes-before.Codes, before.Codes-e.Codes)
	return e.Conflicts == 0 && before.Nondeterministic-e.Nondeterministic <= max(1, before.Nondeterministic/10) &&
		e.Named() > Namable && moved <= e.Codes/50
}

// comparable is the ratio of losses up to which two checkpoints count as
// equally good, so that nondeterminism decides.
const comparable = 1.5

// Better says whether a is to be preferred to b: the paper prefers lower latent
// nondeterminism among comparable low-loss checkpoints (appendix A.1).
func (a Evaluation) Better(b Evaluation) bool {
	la, lb := a.Losses["total"], b.Losses["total"]
	switch {
	case la*comparable < lb:
		return true
	case lb*comparable < la:
		return false
	case a.Nondeterministic != b.Nondeterministic:
		return a.Nondeterministic < b.Nondeterministic
	case a.MinorityShare != b.MinorityShare:
		return a.MinorityShare < b.MinorityShare
	}
	return la <= lb
}

// evaluate encodes the whole data with the teacher, keeps the checkpoint if it
// is the best so far, and writes the state of training.
func (t *trainer) evaluate(ctx context.Context) (*Evaluation, error) {
	teacher := t.engine.state()[3]
	latents, err := t.encoder.encode(ctx, teacher, t.data, t.data.Images())
	if err != nil {
		return nil, err
	}
	t.model.FSQ.boundAll(latents)
	codes := t.model.FSQ.codes(latents)
	t.feed.wait() // what is filled from here on goes by the new cuts
	t.cuts = Cuts(t.data, codes)
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
	if s.steady(t.step, t.found) && len(t.history) > 0 && e.settledSince(t.history[len(t.history)-1]) {
		t.settled++
	} else {
		t.settled = 0
	}
	if s.Stable == Found && t.found == 0 && distinguished(append(t.history, e), contrastScale(t.preset.Batch)) && !t.merges(e.Step, codes) {
		t.found = e.Step
	}
	if t.best == nil || e.Better(t.chosen) {
		t.best = append(t.best[:0], teacher...)
		t.chosen = e
	}
	t.history = append(t.history, e)
	return &e, t.save(e.Step)
}

// distinguished says whether, over the last half of the steps, telling the images of one
// static interval from others has become no better, by a share of scale, all that there is to
// tell, and transitions contradict one another no less often, unless they hardly do.
func distinguished(history []Evaluation, scale float64) bool {
	const share, falls, hardly = 0.02, 0.8, 0.01
	const least = 4 // evaluations, to speak of what falls
	then, last, ok := halfway(history, least)
	return ok && then.telling()-last.telling() < share*scale &&
		(last.MinorityShare <= hardly || last.MinorityShare > falls*then.MinorityShare)
}

// merges says whether codes cover several states that images distinguish (Divide), so that
// training is to go on although nothing gets better: what is small in an image may take several
// times as long to be seen as what is large. It waits for that for a few times the steps at which
// training first stalled.
func (t *trainer) merges(step int, codes []Code) bool {
	const patience = 8
	stalled := step
	for i, e := range t.history {
		if distinguished(t.history[:i+1], contrastScale(t.preset.Batch)) {
			stalled = e.Step
			break
		}
	}
	return step < patience*stalled && !slices.Equal(Divide(t.data, codes), codes)
}

// halfway is the evaluation at half of the steps, and the last, where there are at least so many.
func halfway(history []Evaluation, least int) (then, last Evaluation, ok bool) {
	if len(history) < least {
		return then, last, false
	}
	last = history[len(history)-1]
	for _, e := range slices.Backward(history) {
		if 2*e.Step <= last.Step {
			return e, last, true
		}
	}
	return then, last, false
}

// done says whether training has settled.
func (t *trainer) done() bool {
	return t.preset.WorldModel.Settled > 0 && t.settled >= t.preset.WorldModel.Settled
}

// collapsed says whether a training that looks for how long to take has twice in a row told
// nothing apart: contrast finds an image's like no better than by coincidence. Then no gradient
// is left that would change it, as weights rarely come to in their first steps.
func (p Preset) collapsed(history []Evaluation) bool {
	const nothing = 0.99
	probability := contrastScale(p.Batch)
	twice := history[max(len(history)-2, 0):]
	return p.WorldModel.Stable == Found && len(twice) == 2 &&
		twice[0].telling() >= nothing*probability && twice[1].telling() >= nothing*probability
}

// stalled says whether a training that looks for how long to take overfits the recording, or
// has been steady for long without settling.
func (t *trainer) stalled() bool {
	const patience = 3
	return t.preset.WorldModel.Stable == Found &&
		(overfit(t.history, len(t.data.Transitions)) || t.found > 0 && t.step >= patience*t.found)
}

// overfit says whether there are more codes than so many transitions can have states for,
// and, over the last half of the steps, transitions contradicted one another no less often.
func overfit(history []Evaluation, transitions int) bool {
	const least, much, falls = 8, 0.1, 0.9
	then, last, ok := halfway(history, least)
	return ok && last.Codes > transitions/often && last.MinorityShare > much && last.MinorityShare > falls*then.MinorityShare
}

// diagnose counts codes and latent nondeterminism.
func (t *trainer) diagnose(codes []Code) (Evaluation, error) {
	seen := map[Code]bool{}
	for _, tr := range t.data.Transitions {
		seen[codes[tr.Before]], seen[codes[tr.After]] = true, true
	}
	e := Evaluation{Codes: len(seen)}
	labels := make([]string, t.data.Actions)
	graph, err := TaskGraph(t.data, codes, labels)
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
	refined := Refine(t.data, codes)
	if graph, err = TaskGraph(t.data, refined, labels); err != nil {
		return e, err
	}
	pruned, _ := graph.Prune(taskgraph.ErrorShare, IntervalsOf(t.data, refined, graph))
	for _, branch := range pruned.Nondeterministic() {
		if slices.Sort(branch.Support); branch.Support[len(branch.Support)-2] >= conflictSupport {
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
