package report

import (
	"context"
	"fmt"
	"image"

	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/nodes/eval"
	"stripswm/nodes/learn"
)

// imagesPerState is how many images of each state the contact sheet shows.
const imagesPerState = 6

// OfRun is the report of a run of the learner: what it learned, the summary of that, and, where
// there is one, an evaluation in a world. Command is what makes the same run again.
func OfRun(ctx context.Context, l learn.Learner, r *learn.Result, s learn.Summary,
	evaluation *eval.Report, command string,
) (in Input, err error) {
	in = Input{
		Domain: l.Domain, Preset: l.Preset.Name, Seed: l.Seed, Command: command,
		Graph: r.Graph, Table: table(s), Facts: learnedFacts(s),
		Timings: timings(s.Seconds),
	}
	if r.World != nil {
		in.Stage1, in.Selected = r.World.History, r.World.Chosen.Step
	}
	for _, f := range s.Merged {
		in.Merged = append(in.Merged, f.String())
	}
	for _, b := range s.Branches {
		in.Branches = append(in.Branches, b.String())
	}
	versions := r.Bundle.Manifest.Versions
	in.Versions = []Fact{{Name: "stripswm", Value: versions.Program},
		{Name: "Go", Value: versions.Go}, {Name: "ONNX Runtime", Value: versions.ONNXRuntime}}
	if c := r.Choice; c != nil {
		in.Versions = append(in.Versions, Fact{Name: "method", Value: string(c.Method) + ": " +
			c.Why})
	}
	if in.Objects, err = Objects(r.Bundle, nil); err != nil {
		return in, fmt.Errorf("report: %w", err)
	}
	if r.Operators != nil {
		in.Model = r.Operators.Model
	}
	if r.Classifier != nil {
		in.Stage3 = r.Classifier.History
	}
	if evaluation != nil {
		in.Paper, in.Report = PaperTable(l.Domain), *evaluation
		if in.Facts != nil {
			in.Facts.States, in.Facts.Alike = in.Abstraction.TrueStates, in.Abstraction.Aliased
		}
	}
	if r.Recording != nil && r.Nodes != nil {
		if in.Diagnostics, err = withImages(r.Recording, s.Diagnostics); err != nil {
			return in, fmt.Errorf("report: %w", err)
		}
		if in.States, err = stateImages(r); err != nil {
			return in, fmt.Errorf("report: %w", err)
		}
		if in.Plan, err = longestPlan(ctx, r, in.States); err != nil {
			return in, fmt.Errorf("report: %w", err)
		}
	}
	return in, nil
}

func table(s learn.Summary) *eval.Abstraction {
	return &eval.Abstraction{Actions: s.Actions, Transitions: s.Transitions, TrueStates: s.TrueStates,
		States: s.States, DistinctCodes: s.DistinctCodes, Predicates: s.Predicates, Xi: s.Xi, Eta: s.Eta,
		Nondeterminism: s.Nondeterminism}
}

func learnedFacts(s learn.Summary) *Facts {
	t := s.Traces
	if t == nil {
		return nil
	}
	f := &Facts{Skills: s.Actions, Successes: s.Transitions, Refused: s.Refused, Facts: t.Facts,
		Derived: t.Derived, Refusals: t.Refusals, Explained: t.Refusals - t.Unexplained}
	for _, u := range t.Skills {
		f.NotUsed = append(f.NotUsed, u.Words())
	}
	for _, r := range t.Refused {
		f.NotUsed = append(f.NotUsed, r.Words())
	}
	return f
}

// Phases are the timed parts of a run, in order, as a Summary calls them and as
// people do.
var Phases = []struct{ Key, Name string }{
	{"record", "record"}, {"load", "read recording"}, {"decide", "choose the method"},
	{"stage1", "stage 1: task graph"},
	{"stage2", "stage 2: operators"},
	{"stage3", "stage 3: classifier"}, {"eval", "evaluate"},
}

func timings(seconds map[string]float64) []Timing {
	var list []Timing
	for _, p := range Phases {
		if s, ok := seconds[p.Key]; ok {
			list = append(list, Timing{Name: p.Name, Seconds: s})
		}
	}
	return list
}

// stateImages loads a few images of each state, spread over the recording.
func stateImages(r *learn.Result) ([]StateImages, error) {
	shown := make([][]int, r.Graph.NumStates())
	for i, node := range r.Nodes {
		if node >= 0 {
			shown[node] = append(shown[node], i)
		}
	}
	states := make([]StateImages, len(shown))
	for node, images := range shown {
		states[node] = StateImages{Support: len(images), Code: r.Graph.Nodes[node].Code}
		shots := min(imagesPerState, len(images))
		for k := range shots {
			img, err := r.Recording.Image(images[k*len(images)/shots])
			if err != nil {
				return nil, err
			}
			states[node].Images = append(states[node].Images, img.Image())
		}
	}
	return states, nil
}

// longestPlan shows the plan between the two states that are furthest apart,
// each state by its first training image.
func longestPlan(ctx context.Context, r *learn.Result,
	states []StateImages,
) (*Plan, error) {
	if r.Operators == nil {
		return nil, nil
	}
	model := r.Operators.Model
	search, err := planner.New(model)
	if err != nil {
		return nil, err
	}
	var best planner.Result
	var from strips.Known
	for _, a := range model.States[:min(len(model.States), 16)] {
		for _, b := range model.States {
			found, err := search.Find(ctx, a.Code, b.Code, planner.BreadthFirst,
				planner.Limits{States: 100_000})
			if err != nil {
				return nil, err
			}
			if found.Outcome == planner.Found && len(found.Plan) > len(best.Plan) {
				best, from = found, a
			}
		}
	}
	if len(best.Plan) == 0 {
		return nil, nil
	}
	return film(model, best, from, states), nil
}

func film(model *strips.Model, found planner.Result, from strips.Known,
	states []StateImages,
) *Plan {
	first := func(node strips.StateID) image.Image {
		if node < 0 || len(states[node].Images) == 0 {
			return nil
		}
		return states[node].Images[0]
	}
	plan := &Plan{Start: first(from.Node),
		Caption: fmt.Sprintf(
			"A shortest plan of %d actions, searched between two learned states that are as far apart as "+
				"any; every image is from the recording.", len(found.Plan))}
	for i, a := range found.Plan {
		step := PlanStep{Action: a, Name: model.Label(a), State: -1}
		if nodes := planner.Locate(model, found.States[i+1]).Nodes; len(nodes) > 0 {
			step.State, step.Image = nodes[0], first(nodes[0])
		}
		plan.Steps = append(plan.Steps, step)
	}
	if last := plan.Steps[len(plan.Steps)-1].State; last >= 0 && len(states[last].Images) > 1 {
		plan.Goal = states[last].Images[1]
	}
	return plan
}

// OfEvaluation is a report of nothing but an evaluation.
func OfEvaluation(domain string, r eval.Report) Input {
	in := Input{Domain: domain, Report: r}
	if r.Abstraction.States > 0 { // not so where facts were learned
		in.Table, in.Paper = &in.Abstraction, PaperTable(domain)
	}
	return in
}

// paperTables is the paper's table 1, to compare with.
var paperTables = map[string]eval.Abstraction{
	"blocksworld": {Actions: 18, Transitions: 5000, TrueStates: 16, States: 16, DistinctCodes: 16,
		Predicates: 9},
	"dinnertable": {Actions: 70, Transitions: 12000, TrueStates: 101, States: 101, DistinctCodes: 101,
		Predicates: 35, Eta: 9},
	"dinnertablereal": {Actions: 64, Transitions: 3000, TrueStates: 71, States: 111, DistinctCodes: 71,
		Predicates: 35, Eta: 13},
}

// PaperTable is the paper's row for a world, nil if it has none.
func PaperTable(domain string) *eval.Abstraction {
	if row, ok := paperTables[domain]; ok {
		return &row
	}
	return nil
}
