package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"stripswm/models/strips"
	"stripswm/nodes/eval/builder"
	"stripswm/nodes/learn"
)

// reportFacts writes report/facts.txt and prints the summary of learning facts. It
// returns the error of learning, if there was one.
func reportFacts(cmd *cobra.Command, c *common, l learn.Learner, r *learn.Result, s learn.Summary,
	learned error,
) error {
	dir := reportDir(l.Out)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	path, sheet := filepath.Join(dir, "facts.txt"), filepath.Join(dir, "contradictions.png")
	if err := builder.Contradictions(sheet, r.Contradictions, r.Recording,
		r.Label); err != nil {
		return err
	}
	unexplained := filepath.Join(dir, "unexplained.png")
	if err := builder.Unexplained(unexplained, r.Unexplained, r.Recording); err != nil {
		return err
	}
	if err := writeWith(path, func(w io.Writer) error { return writeFacts(w, r) }); err != nil {
		return err
	}
	if c.json {
		if err := printJSON(cmd, s); err != nil {
			return err
		}
		return learned
	}
	w := cmd.OutOrStdout()
	t := s.Traces
	printChoice(w, s.Choice)
	fmt.Fprintf(w, "attempts     %d succeeded, %d refused; %d static intervals\n", s.Transitions,
		s.Refused, t.Intervals)
	fmt.Fprintf(w, "facts        %d, and %d derived predicates\n", t.Facts, t.Derived)
	fmt.Fprintf(w, "refusals     %d of %d are explained by preconditions\n", t.Refusals-t.Unexplained,
		t.Refusals)
	if t.Cut > 0 {
		fmt.Fprintf(w, "             the search ended early in %d stages: facts may be missing\n", t.Cut)
	}
	switch t.Reader {
	case "linear":
		fmt.Fprintln(w, "images       are read by weights of a thumbnail, without a network")
	case "network":
		fmt.Fprintln(w, "images       are read by a network, since weights of a thumbnail misread some")
	}
	if n := len(r.Contradictions); n > 0 {
		fmt.Fprintf(w, "images       tell of %d attempts what was not reported: %s\n", n, sheet)
	}
	for _, u := range r.Unexplained {
		fmt.Fprintf(w, "unexplained  %s\n", u.Words())
	}
	if len(r.Unexplained) > 0 {
		fmt.Fprintf(w, "             no plan uses these, or leads between images that differ there: %s\n",
			unexplained)
	}
	fmt.Fprintf(w, "bundle       %s\nreport       %s\n", learn.BundleDir(l.Out), path)
	return learned
}

// writeFacts writes tables of the predicates and of the actions, with their evidence.
func writeFacts(out io.Writer, r *learn.Result) error {
	model, report := r.Traces.Model, r.Traces.Report
	names := func(actions []strips.ActionID) string {
		var all []string
		for _, a := range actions {
			all = append(all, r.Label(a))
		}
		return strings.Join(all, " ")
	}
	printChoice(out, r.Choice)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(cells ...any) { wrappedRow(w, cells...) }
	fmt.Fprintln(w, "predicate\tkind\tadded by\tdeleted by\tadded\tdeleted\tevidence (nats)")
	for p, predicate := range model.Predicates {
		kind, seen := "fact", report.Predicates[p]
		if predicate.Members != nil {
			kind = "derived"
		}
		row(r.Model.Names[p], kind, names(predicate.Add), names(predicate.Del), seen.Adds, seen.Dels,
			fmt.Sprintf("%.1f", seen.Nats))
	}
	fmt.Fprintln(w, "\naction\tsucceeded\trefused\tunexplained\tpreconditions\tundecided")
	for _, a := range report.Actions {
		var preconditions []string
		for _, p := range a.Preconditions {
			preconditions = append(preconditions, literalText(r.Model, p.Literal))
		}
		row(r.Label(a.Action), a.Successes, len(a.Refusals), a.Unexplained(),
			strings.Join(preconditions, " "), len(a.Undecided))
	}
	if len(r.Unexplained) > 0 {
		fmt.Fprintln(w, "\nunexplained\twhere\tchanges\tsucceeded")
	}
	for _, u := range r.Unexplained {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\n", u.Name, u.Where.Words(), u.Changes, u.Successes)
	}
	if len(r.Contradictions) > 0 {
		fmt.Fprintln(w, "\nattempt\timages\twhat its images show")
	}
	for _, c := range r.Contradictions {
		fmt.Fprintf(w, "%d\t%d %d\t%s\n", c.Attempt, c.Images[0], c.Images[1], c.Words(r.Label))
	}
	return w.Flush()
}

// cellWidth is where the words of a cell go on in the next line, so that a table of two lists fits
// a terminal.
const cellWidth = 32

// wrappedRow writes a row of a table, and what does not fit its cells in further lines.
func wrappedRow(w io.Writer, cells ...any) {
	lines, height := make([][]string, len(cells)), 1
	for i, cell := range cells {
		line := ""
		for _, word := range strings.Fields(fmt.Sprint(cell)) {
			if line != "" && len(line)+1+len(word) > cellWidth {
				lines[i], line = append(lines[i], line), ""
			}
			line = strings.TrimSpace(line + " " + word)
		}
		lines[i] = append(lines[i], line)
		height = max(height, len(lines[i]))
	}
	for k := range height {
		row := make([]string, len(cells))
		for i := range cells {
			if k < len(lines[i]) {
				row[i] = lines[i][k]
			}
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
}
