package builder

import (
	"context"
	"fmt"
	"image"

	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/nodes/eval"
	"stripswm/nodes/eval/report"
	"stripswm/nodes/learn"
)

// imagesPerState is how many images of each state the contact sheet shows.
const imagesPerState = 6

// Run composes the report of a run of the learner: what it learned, the summary
// of that, and, where there is one, an evaluation in a world. Command is what
// makes the same run again.
func Run(ctx context.Context, l learn.Learner, r *learn.Result, s learn.Summary,
	evaluation *eval.Report, command string,
) (report.Input, error) {
	in := report.Input{
		Domain: l.Domain, Preset: l.Preset.Name, Seed: l.Seed, Command: command,
		Graph: r.Graph, Stage1: stage1(r), Table: table(s), Facts: learnedFacts(s),
		Timings: timings(s.Seconds),
	}
	for _, f := range s.Merged {
		in.Merged = append(in.Merged, f.String())
	}
	for _, b := range s.Branches {
		in.Branches = append(in.Branches, b.String())
	}
	versions := r.Bundle.Manifest.Versions
	in.Versions = []report.Fact{{Name: "stripswm", Value: versions.Program},
		{Name: "Go", Value: versions.Go}, {Name: "ONNX Runtime", Value: versions.ONNXRuntime}}
	if c := r.Choice; c != nil {
		in.Versions = append(in.Versions, report.Fact{Name: "method", Value: string(c.Method) + ": " +
			c.Why})
	}
	if r.Operators != nil {
		in.Model = r.Operators.Model
	}
	if r.Classifier != nil {
		for _, p := range r.Classifier.History {
			in.Stage3 = append(in.Stage3, report.ClassifierPoint{Step: p.Step, Loss: p.Loss,
				BitAccuracy: p.Bits, ExactMatch: p.Exact})
		}
	}
	if evaluation != nil {
		in.Paper = PaperTable(l.Domain)
		addEvaluation(&in, *evaluation)
	}
	if r.Recording != nil && r.Nodes != nil {
		var err error
		if in.Diagnostics, err = diagnosed(r.Recording, s.Diagnostics); err != nil {
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

func table(s learn.Summary) *report.Table {
	return &report.Table{
		Actions: s.Actions, Transitions: s.Transitions, TrueStates: s.TrueStates, States: s.States,
		Codes:      s.DistinctCodes,
		Predicates: s.Predicates, Xi: s.Xi, Eta: s.Eta, Nondeterministic: s.Nondeterminism,
	}
}

func learnedFacts(s learn.Summary) *report.Facts {
	t := s.Traces
	if t == nil {
		return nil
	}
	f := &report.Facts{Skills: s.Actions, Successes: s.Transitions, Refused: s.Refused, Facts: t.Facts,
		Derived: t.Derived, Refusals: t.Refusals, Explained: t.Refusals - t.Unexplained}
	for _, u := range t.Skills {
		f.NotUsed = append(f.NotUsed, u.Words())
	}
	for _, r := range t.Refused {
		f.NotUsed = append(f.NotUsed, r.Words())
	}
	return f
}

func stage1(r *learn.Result) *report.Stage1 {
	if r.World == nil {
		return nil
	}
	s := &report.Stage1{Selected: r.World.Chosen.Step}
	for _, e := range r.World.History {
		s.Losses = append(s.Losses, report.LossPoint{Step: e.Step, Values: e.Losses})
		s.Codes = append(s.Codes, report.CodePoint{Step: e.Step, Codes: e.Codes,
			Nondeterministic: e.Nondeterministic})
	}
	return s
}

// Phases are the timed parts of a run, in order, as a Summary calls them and as
// people do.
var Phases = []struct{ Key, Name string }{
	{"record", "record"}, {"load", "read recording"}, {"decide", "choose the method"},
	{"stage1", "stage 1: task graph"},
	{"stage2", "stage 2: operators"},
	{"stage3", "stage 3: classifier"}, {"eval", "evaluate"},
}

func timings(seconds map[string]float64) []report.Timing {
	var list []report.Timing
	for _, p := range Phases {
		if s, ok := seconds[p.Key]; ok {
			list = append(list, report.Timing{Name: p.Name, Seconds: s})
		}
	}
	return list
}

// stateImages loads a few images of each state, spread over the recording.
func stateImages(r *learn.Result) ([]report.StateImages, error) {
	shown := make([][]int, r.Graph.NumStates())
	for i, node := range r.Nodes {
		if node >= 0 {
			shown[node] = append(shown[node], i)
		}
	}
	states := make([]report.StateImages, len(shown))
	for node, images := range shown {
		states[node] = report.StateImages{Support: len(images), Code: r.Graph.Nodes[node].Code}
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
	states []report.StateImages,
) (*report.Plan, error) {
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
	return filmStrip(model, best, from, states), nil
}

func filmStrip(model *strips.Model, found planner.Result, from strips.Known,
	states []report.StateImages,
) *report.Plan {
	first := func(node strips.StateID) image.Image {
		if node < 0 || len(states[node].Images) == 0 {
			return nil
		}
		return states[node].Images[0]
	}
	plan := &report.Plan{Start: first(from.Node),
		Caption: fmt.Sprintf(
			"A shortest plan of %d actions, searched between two learned states that are as far apart as "+
				"any; every image is from the recording.", len(found.Plan))}
	for i, a := range found.Plan {
		step := report.PlanStep{Action: a, Name: model.Label(a), State: -1}
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

// Evaluation composes a report of nothing but an evaluation.
func Evaluation(domain string, r eval.Report) report.Input {
	in := report.Input{Domain: domain}
	if table := Table(r.Abstraction); table.States > 0 { // not so where facts were learned
		in.Table, in.Paper = &table, PaperTable(domain)
	}
	addEvaluation(&in, r)
	return in
}

// addEvaluation adds what an evaluation measured to a report.
func addEvaluation(in *report.Input, r eval.Report) {
	in.Recorded = r.Ground != nil
	if in.Facts != nil {
		in.Facts.States, in.Facts.Alike = r.Abstraction.TrueStates, r.Abstraction.Aliased
	}
	in.Success = horizons(r.Horizons)
	for _, m := range r.Methods {
		in.Baselines = append(in.Baselines, report.Method{Name: m.Name, Success: horizons(m.Horizons)})
	}
	for _, a := range r.Ablation {
		in.Ablation = append(in.Ablation, report.Condition{
			Name: a.Condition, TrueStates: a.TrueStates, Predicates: a.Predicates, Xi: a.Xi, Eta: a.Eta,
			FalsePositives: a.FalsePositives, Codes: a.DistinctCodes, Impossible: a.Impossible,
			Success: horizons(a.Horizons),
		})
	}
	for _, c := range r.Calibration {
		shown := report.Calibration{
			Strength: c.Strength, Images: c.Images, Right: c.Right, Wrong: c.Wrong,
			WrongCertain: c.WrongCertain, Unrecognized: c.Unrecognized,
			Together: reliability(c.Together), Queries: c.Abstention.Queries,
			With: report.Outcomes(c.Abstention.With), Without: report.Outcomes(c.Abstention.Without),
			WrongAvoided: c.Abstention.WrongAvoided, RightLost: c.Abstention.RightLost,
		}
		for _, p := range c.Predicates {
			shown.Predicates = append(shown.Predicates, reliability(p))
		}
		in.Calibration = append(in.Calibration, shown)
	}
	in.Unrelated, in.Corrupted = outliers(r.Unrelated), outliers(r.Corrupted)
	if r.Faulty != nil {
		in.Corrupted = append(in.Corrupted, outliers(r.Faulty.Faults)...)
	}
}

func outliers(kinds []eval.OutOfDistribution) []report.OutOfDistributionRow {
	var list []report.OutOfDistributionRow
	for _, k := range kinds {
		s := report.OutOfDistributionRow{Kind: k.Kind, Images: k.Images, Right: k.Right, Wrong: k.Wrong,
			Verdict: "refused: " + string(k.Example.Refusal)}
		if k.Example.Known() {
			s.Verdict = "classified as " + k.Example.State()
		}
		if k.Example.Image.Width > 0 { // not kept in files
			s.Image = k.Example.Image.Image()
		}
		list = append(list, s)
	}
	return list
}

func horizons(measured []eval.Horizon) []report.Horizon {
	list := make([]report.Horizon, len(measured))
	for i, h := range measured {
		list[i] = report.Horizon{Horizon: h.Horizon, Queries: h.Queries, SolvedGraph: h.SolvedGraph,
			Executed: h.Executed, Reached: h.Reached}
	}
	return list
}

func reliability(r eval.Reliability) report.Reliability {
	shown := report.Reliability{ECE: r.ECE, Brier: r.Brier}
	for _, b := range r.Bins {
		shown.Bins = append(shown.Bins, report.Bin(b))
	}
	return shown
}

// paperTables is the paper's table 1, to compare with.
var paperTables = map[string]report.Table{
	"blocksworld": {Actions: 18, Transitions: 5000, TrueStates: 16, States: 16, Codes: 16,
		Predicates: 9},
	"dinnertable": {Actions: 70, Transitions: 12000, TrueStates: 101, States: 101, Codes: 101,
		Predicates: 35, Eta: 9},
	"dinnertablereal": {Actions: 64, Transitions: 3000, TrueStates: 71, States: 111, Codes: 71,
		Predicates: 35, Eta: 13},
}

// PaperTable is the paper's row for a world, nil if it has none.
func PaperTable(domain string) *report.Table {
	if row, ok := paperTables[domain]; ok {
		return &row
	}
	return nil
}

// Table is the row that was measured.
func Table(a eval.Abstraction) report.Table {
	return report.Table{
		Actions: a.Actions, Transitions: a.Transitions, TrueStates: a.TrueStates, States: a.States,
		Codes:      a.DistinctCodes,
		Predicates: a.Predicates, Xi: a.Xi, Eta: a.Eta, Nondeterministic: a.Nondeterminism,
	}
}
