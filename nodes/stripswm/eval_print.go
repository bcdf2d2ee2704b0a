package main

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"stripswm/nodes/eval"
	"stripswm/nodes/eval/report"
)

// table aligns the cells of rows to the right.
type table struct{ *tabwriter.Writer }

func newTable(out io.Writer) table {
	return table{tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)}
}

func (t table) row(cells ...any) {
	for _, c := range cells {
		fmt.Fprint(t, c, "\t")
	}
	fmt.Fprintln(t)
}

// head begins another table, below an empty line.
func (t table) head(names ...any) {
	fmt.Fprintln(t)
	t.row(names...)
}

// printEval prints table 1, success by horizon, and what else was measured.
func printEval(out io.Writer, domain string, r eval.Report) {
	a := r.Abstraction
	what, shared := "outliers", "a code"
	if a.States > 0 {
		printTable1(out, domain, &a, report.PaperTable(domain))
	} else {
		what, shared = "with other facts than most images of their state", "all facts"
		fmt.Fprintf(out, "%s: %d predicates of %d states, from %d successes of %d skills\n", domain,
			a.Predicates, a.TrueStates, a.Transitions, a.Actions)
	}
	printGround(out, r.Ground)
	fmt.Fprintf(out,
		"\n%d operators of %d skills; %d (state, action) pairs nondeterministic, %d untried; of %d "+
			"trusted not to apply the world accepts %d\n",
		a.Operators, a.Actions, a.NondeterministicPairs, a.Untried, a.Trusted, a.Accepted)
	printOneToOne(out, a)
	fmt.Fprintf(out,
		"%d new images of the true states: %d not recognized, %d %s; %d true states share %s\n\n",
		a.Images, a.Unrecognized, a.Outliers, what, a.Aliased, shared)
	if r.Unrecorded > 1 {
		fmt.Fprintf(out, "plans between the %d states that the recording does not have:\n", r.Unrecorded)
	}
	t := newTable(out)
	printSums(t, r, printHorizons(t, "horizon", r))
	printMethods(t, r)
	printAblation(t, r.Ablation)
	printCalibration(t, r.Calibration)
	printKinds(t, "unrelated images", r.Unrelated, true)
	printKinds(t, "corrupted images", r.Corrupted, true)
	if r.Faulty != nil {
		printKinds(t, "good images", r.Faulty.Good, false)
		printKinds(t, "tables that show no state", r.Faulty.Faults, false)
		printKinds(t, "good images, camera or light changed", r.Faulty.Changed, false)
		printKinds(t, "no state, camera and light changed", r.Faulty.ChangedFaults, false)
	}
	t.Flush()
}

// printTable1 prints a run as a row of the paper's table 1, above the paper's own.
func printTable1(out io.Writer, domain string, learned, paper *eval.Abstraction) {
	t := newTable(out)
	t.row(domain, "|A|", "|D|", "|S*|", "|S|", "|X|", "m", "sum xi", "sum eta")
	row := func(name string, r *eval.Abstraction) {
		t.row(name, r.Actions, r.Transitions, r.TrueStates, r.States, r.DistinctCodes, r.Predicates,
			r.Xi, r.Eta)
	}
	row("learned", learned)
	if paper != nil {
		row("paper", paper)
	}
	t.Flush()
}

// printKinds prints how kinds of images are recognized. With few only those that are classified as
// a wrong state have a row of their own.
func printKinds(t table, title string, kinds []eval.OutOfDistribution, few bool) {
	if len(kinds) == 0 {
		return
	}
	t.head(title, "images", "wrong state", "right state", "refused")
	row := func(k eval.OutOfDistribution) {
		if k.Images > 0 {
			t.row(k.Kind, k.Images, percent(k.Wrong, k.Images), percent(k.Right, k.Images),
				percent(k.Images-k.Wrong-k.Right, k.Images))
		}
	}
	others := 0
	rest, all := eval.OutOfDistribution{}, eval.OutOfDistribution{Kind: "all"}
	for _, k := range kinds {
		if few && k.Wrong == 0 {
			others++
			rest.Kind = fmt.Sprintf("%d kinds without any", others)
			rest.Add(k)
		} else {
			row(k)
		}
		if k.Mirror {
			all.Kind = "all but mirrored"
		} else {
			all.Add(k)
		}
	}
	row(rest)
	row(all)
}

// printGround prints what a folder's ground truth rests on.
func printGround(out io.Writer, g *eval.Ground) {
	if g == nil {
		return
	}
	fmt.Fprintf(out,
		"\nground truth of %d attempts: %d (state, action) pairs succeeded, %d were refused, %d never "+
			"tried; %d led to several true states, %d were refused at times\n",
		g.Attempts, g.Edges, g.Refused, g.Untried, g.Nondeterministic, g.SometimesRefused)
	if g.Complete {
		fmt.Fprintf(out, "%s says what every action does in every state\n", eval.TruthGraphName)
	}
	if g.Unrecorded+g.WithoutImage > 0 {
		fmt.Fprintf(out, "%d true states are in no attempt; %d have no test image, "+
			"so that %d pairs with a path are not asked for\n", g.Unrecorded, g.WithoutImage, g.UnaskedPairs)
	}
}

func printOneToOne(out io.Writer, a eval.Abstraction) {
	if a.OneToOne {
		fmt.Fprintln(out, "true states and nodes are one to one")
	}
	if a.OneToOne || a.States == 0 { // facts have no nodes
		return
	}
	fmt.Fprintf(out,
		"true states and nodes are not one to one: %d true states have several nodes, %d share a code, "+
			"%d nodes are shown by no image\n",
		a.Split, a.Aliased, a.Unshown)
}

// printHorizons prints success by horizon. Of a folder there is no world to execute plans in, but
// there are plans that its graph says nothing of. It returns the sums.
func printHorizons(t table, title string, r eval.Report) (all eval.Horizon) {
	world := r.Ground == nil
	head := []any{title, "queries", "pairs", "in graph"}
	if world {
		head = append(head, "closed loop")
	}
	head = append(head, "shortest", "unrecognized", "no plan", "wrong")
	if !world {
		head = append(head, "not evaluated")
	}
	t.row(head...)
	row := func(name any, h eval.Horizon) {
		cells := []any{name, h.Queries, h.Pairs, percent(h.SolvedGraph, h.Queries)}
		if world {
			cells = append(cells, percent(h.Reached, h.Executed))
		}
		cells = append(cells, percent(h.Shortest, h.Queries), h.Unrecognized, h.NoPlan, h.WrongPlan)
		if !world {
			cells = append(cells, h.Unevaluated)
		}
		t.row(cells...)
	}
	for _, h := range r.Horizons {
		row(h.Horizon, h)
	}
	all, _ = eval.Total(r.Horizons)
	row("all", all)
	if r.Unconnected != nil {
		row("no path", *r.Unconnected)
	}
	t.Flush()
	return all
}

// printSums prints what else the horizons come to.
func printSums(t table, r eval.Report, all eval.Horizon) {
	if r.Unconnected != nil {
		fmt.Fprintf(t, "the ground truth has no path between %d pairs with test images; "+
			"all counts none of them\n", r.Ground.UnconnectedPairs)
	}
	fmt.Fprintf(t,
		"%d of %d distinct pairs are solved every time; median time from two images to a plan: %.1f ms\n",
		all.SolvedPairs, all.Pairs, r.MedianMilliseconds)
	if all.Executed > 0 {
		fmt.Fprintf(t, "closed loop: %d of %d goals are reached, %d others end elsewhere unnoticed; the "+
			"scene of %d was set up again for an image that is recognized\n",
			all.Reached, all.Executed, all.Mistaken, all.SetUpAgain)
	}
	t.Flush()
}

// printMethods compares success in the ground-truth graph, over all horizons and at the longest.
func printMethods(t table, r eval.Report) {
	t.head("the same images", "in graph", "at the longest", "unrecognized", "no plan",
		"wrong or not evaluated")
	for _, m := range append([]eval.Method{{Name: "STRIPS-WM", Horizons: r.Horizons}}, r.Methods...) {
		all, last := eval.Total(m.Horizons)
		t.row(m.Name, percent(all.SolvedGraph, all.Queries), percent(last.SolvedGraph, last.Queries),
			all.Unrecognized, all.NoPlan, all.WrongPlan+all.Unevaluated)
	}
}

// printAblation prints the table of RQ4.
func printAblation(t table, rows []eval.Ablation) {
	if len(rows) == 0 {
		return
	}
	t.head("operators learned with", "|S*|", "sum xi", "sum eta", "false positives", "|X|", "m",
		"in graph")
	for _, a := range rows {
		if a.Impossible != "" {
			t.row(a.Condition, a.TrueStates, "", "", "", "", "", a.Impossible)
			continue
		}
		all, _ := eval.Total(a.Horizons)
		t.row(a.Condition, a.TrueStates, a.Xi, a.Eta, a.FalsePositives, a.DistinctCodes, a.Predicates,
			percent(all.SolvedGraph, all.Queries))
	}
}

func printCalibration(t table, rows []eval.Calibration) {
	if len(rows) == 0 {
		return
	}
	t.head("nuisance", "images", "right", "wrong", "wrong but certain", "unrecognized", "ECE", "Brier")
	for _, c := range rows {
		t.row(fmt.Sprintf("x %g", c.Strength), c.Images, percent(c.Right, c.Images),
			percent(c.Wrong, c.Images), percent(c.WrongCertain, c.Images),
			percent(c.Unrecognized, c.Images), fmt.Sprintf("%.4f", c.Together.ECE),
			fmt.Sprintf("%.4f", c.Together.Brier))
	}
	t.head("nuisance", "queries", "reached", "wrong", "abstained", "guessing: reached", "wrong",
		"wrong avoided", "right lost")
	for _, c := range rows {
		a := c.Abstention
		t.row(fmt.Sprintf("x %g", c.Strength), a.Queries, a.With.Reached, a.With.Wrong, a.With.Abstained,
			a.Without.Reached, a.Without.Wrong, a.WrongAvoided, a.RightLost)
	}
}

func percent(n, of int) string {
	if of == 0 {
		return "-"
	}
	return strconv.FormatFloat(100*float64(n)/float64(of), 'f', 1, 64) + " %"
}
