package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"stripswm/nodes/eval/report"
)

// printTable1 prints a run as a row of the paper's table 1, above the paper's own.
func printTable1(out io.Writer, domain string, learned report.Table, paper *report.Table) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, domain+"\t|A|\t|D|\t|S*|\t|S|\t|X|\tm\tsum xi\tsum eta\t")
	row := func(name string, t report.Table) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", name, t.Actions, t.Transitions,
			t.TrueStates, t.States, t.Codes, t.Predicates, t.Xi, t.Eta)
	}
	row("learned", learned)
	if paper != nil {
		row("paper", *paper)
	}
	w.Flush()
}
