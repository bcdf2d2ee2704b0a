package builder

import (
	"stripswm/nodes/eval"
	"stripswm/nodes/eval/report"
)

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
