package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"stripswm/models/strips"
	"stripswm/nodes/eval"
	"stripswm/nodes/eval/report"
)

// actionID is the id of the i-th action, counted from 0.
func actionID(i int) strips.ActionID { return strips.ActionID(i + 1) }

// printTable1 prints a run as a row of the paper's table 1, above the paper's own.
func printTable1(out io.Writer, domain string, learned, paper report.Table) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, domain+"\t|A|\t|D|\t|S*|\t|S|\t|X|\tm\tsum xi\tsum eta\t")
	row := func(name string, t report.Table) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", name, t.Actions, t.Transitions, t.TrueStates, t.States, t.Codes, t.Predicates, t.Xi, t.Eta)
	}
	row("learned", learned)
	if paper.Actions > 0 {
		row("paper", paper)
	}
	w.Flush()
}

func tableOf(a eval.Abstraction) report.Table {
	return report.Table{
		Actions: a.Actions, Transitions: a.Transitions, TrueStates: a.TrueStates, States: a.States, Codes: a.DistinctCodes,
		Predicates: a.Predicates, Xi: a.Xi, Eta: a.Eta, Nondeterministic: a.Nondeterminism,
	}
}
