package vision

import (
	"context"
	"math"
	"slices"

	"stripswm/models/dataset"
	"stripswm/models/identity"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Evaluation is the state of a training at one step. Losses are means since the evaluation before;
// codes are those of all images, by the teacher.
type Evaluation struct {
	Step   int                `json:"step"`
	Losses map[string]float64 `json:"losses"`
	Codes  int                `json:"codes"`
	// Nondeterministic is the number of pairs of code and action with several successors, the
	// paper's diagnostic; MinorityShare the share of transitions that do not lead to the most
	// frequent successor of their pair.
	Nondeterministic int     `json:"latent_nondeterminism"`
	MinorityShare    float64 `json:"dissent"` // the key of kept files
	// Conflicts is the number of those pairs that neither identity.Refine nor pruning resolves,
	// where a second successor was seen at least identity.ConflictSupport times: more often than
	// misread images and wrong labels explain.
	Conflicts int `json:"conflicts"`
	// Disputed is the share of all attempts that were refused where most attempts with their code
	// and action succeeded, or the other way round.
	Disputed float64 `json:"disputed,omitempty"`
	// Score is how much the codes tell of the outcomes of attempts (score).
	Score float64 `json:"score,omitempty"`
}

// InverseAccuracy is the share of transitions whose action the inverse head names right.
func (e Evaluation) InverseAccuracy() float64 { return e.Losses[inverseAccuracy] }

// discrimination is the discrimination loss: what separates images beyond what actions need.
func (e Evaluation) discrimination() float64 { return e.Losses["contrast"] + e.Losses["foresight"] }

// Better says whether a is preferred to b: the paper prefers lower latent nondeterminism among
// comparable checkpoints of low loss (appendix A.1).
func (a Evaluation) Better(b Evaluation) bool {
	la, lb := a.Losses["total"], b.Losses["total"]
	switch {
	case la*comparableLoss < lb:
		return true
	case lb*comparableLoss < la:
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
	teacher := t.engine.State().Teacher()
	latents, err := t.encoder.Encode(ctx, teacher, t.data.Packed(0, t.data.Images()))
	if err != nil {
		return nil, err
	}
	t.model.FSQ.boundAll(latents)
	codes := t.model.FSQ.codes(latents)
	t.engine.Wait() // batches that are filled from here on use the new cuts
	t.cuts = identity.Cuts(t.data, codes)
	e, err := t.diagnose(codes)
	if err != nil {
		return nil, err
	}
	e.Step, e.Losses = t.step+1, t.engine.Means()
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

// score is how much codes tell of the outcome of an attempt, in nats an attempt: the mean of log
// P(outcome | code, action) - log P(outcome | action). An outcome is a code or a refusal. Both
// probabilities are estimated from all other attempts (leave-one-out cross-validation; the first
// one starts with one imagined attempt, whose outcome is the action's average).
//
// It compares any numbers of codes. With one code for all images it is 0: the outcome is certain,
// but says nothing. With a code for each image it is 0, too: no other attempt was made at the code.
// A code for two states lowers it, whether or not an action leads from them to different codes, and
// so do several codes for one state.
func score(d *dataset.Dataset, codes []identity.Code) float64 {
	type pair struct {
		code   identity.Code
		action strips.ActionID
	}
	type outcome struct {
		pair
		after identity.Code
	}
	const refused identity.Code = "refused"
	var attempts []outcome
	for _, t := range d.Transitions {
		attempts = append(attempts, outcome{pair{codes[t.Before], t.Action}, codes[t.After]})
	}
	for _, t := range d.Refused {
		attempts = append(attempts, outcome{pair{codes[t.Before], t.Action}, refused})
	}
	made, led := map[pair]float64{}, map[outcome]float64{} // at any code as well, which is ""
	average := func(o outcome) outcome { o.code = ""; return o }
	for _, o := range attempts {
		made[o.pair]++
		led[o]++
		made[average(o).pair]++
		led[average(o)]++
	}
	sum := 0.0
	for _, o := range attempts {
		ratio := 1.0
		if n := led[o] - 1; n > 0 {
			ratio += n * (made[average(o).pair] - 1) / (led[average(o)] - 1)
		}
		sum += math.Log(ratio / made[o.pair])
	}
	return sum / float64(max(len(attempts), 1))
}
