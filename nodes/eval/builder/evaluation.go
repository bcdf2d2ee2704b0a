package builder

import (
	"stripswm/nodes/eval"
	"stripswm/nodes/eval/report"
)

// Evaluation composes a report of nothing but an evaluation.
func Evaluation(domain string, r eval.Report) report.Input {
	table := Table(r.Abstraction)
	in := report.Input{Domain: domain, Table: &table, Paper: PaperTable(domain)}
	addEvaluation(&in, r)
	return in
}

// addEvaluation adds what an evaluation measured to a report.
func addEvaluation(in *report.Input, r eval.Report) {
	in.Recorded = r.Ground != nil
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
