package main

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"stripswm/nodes/eval"
	"stripswm/nodes/eval/builder"
	"stripswm/nodes/eval/report"
)

// printEval prints table 1, success by horizon, and what else was measured.
func printEval(out io.Writer, domain string, r eval.Report) error {
	a := r.Abstraction
	printTable1(out, domain, builder.Table(a), builder.PaperTable(domain))
	printGround(out, r.Ground)
	what, shared := "outliers", "a code"
	if a.States == 0 { // facts were learned
		what, shared = "with other facts than most images of their state", "all facts"
	}
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
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	printHorizons(w, r)
	printMethods(w, r)
	printAblation(w, r.Ablation)
	printCalibration(w, r.Calibration)
	printOutOfDistribution(w, "unrelated images", r.Unrelated)
	printOutOfDistribution(w, "corrupted images", r.Corrupted)
	printFaulty(w, r.Faulty)
	return w.Flush()
}

// printFaulty prints how the recognition check does.
func printFaulty(w *tabwriter.Writer, f *eval.Faulty) {
	if f == nil {
		return
	}
	table := func(title string, kinds []eval.OutOfDistribution) {
		all := eval.OutOfDistribution{Kind: "all"}
		fmt.Fprintf(w, "\n%s\timages\tas another state\tas its state\trefused\t\n", title)
		for _, k := range kinds {
			outOfDistributionRow(w, k)
			all.Images, all.Right, all.Wrong = all.Images+k.Images, all.Right+k.Right, all.Wrong+k.Wrong
		}
		outOfDistributionRow(w, all)
	}
	table("good images", f.Good)
	table("tables that show no state", f.Faults)
}

func outOfDistributionRow(w *tabwriter.Writer, k eval.OutOfDistribution) {
	if k.Images > 0 {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t\n", k.Kind, k.Images, percent(k.Wrong, k.Images),
			percent(k.Right, k.Images), percent(k.Images-k.Wrong-k.Right, k.Images))
	}
}

// printOutOfDistribution prints what is classified as what it is not, kinds without any together.
func printOutOfDistribution(w *tabwriter.Writer, title string, kinds []eval.OutOfDistribution) {
	if len(kinds) == 0 {
		return
	}
	fmt.Fprintln(w)
	fmt.Fprintf(w, "%s\timages\twrong state\tright state\trefused\t\n", title)
	others := 0
	rest, all := eval.OutOfDistribution{}, eval.OutOfDistribution{Kind: "all"}
	for _, k := range kinds {
		if k.Wrong > 0 {
			outOfDistributionRow(w, k)
		} else {
			others++
			rest.Kind = fmt.Sprintf("%d kinds without any", others)
			rest.Images, rest.Right = rest.Images+k.Images, rest.Right+k.Right
		}
		if k.Mirror {
			all.Kind = "all but mirrored"
		} else {
			all.Images, all.Right, all.Wrong = all.Images+k.Images, all.Right+k.Right, all.Wrong+k.Wrong
		}
	}
	outOfDistributionRow(w, rest)
	outOfDistributionRow(w, all)
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

// printHorizons prints success by horizon; of a folder, there is no world, but plans that cannot
// be evaluated.
func printHorizons(w *tabwriter.Writer, r eval.Report) {
	none := func(eval.Horizon) string { return "" }
	world, head := none, ""
	unevaluated, end := func(h eval.Horizon) string {
		return fmt.Sprintf("%d\t", h.Unevaluated)
	}, "not evaluated\t"
	if r.Ground == nil {
		world, head = func(h eval.Horizon) string {
			return percent(h.Reached, h.Executed) +
				"\t"
		}, "closed loop\t"
		unevaluated, end = none, ""
	}
	row := func(name string, h eval.Horizon) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s%s\t%d\t%d\t%d\t%s\n", name, h.Queries, h.Pairs,
			percent(h.SolvedGraph, h.Queries), world(h), percent(h.Shortest, h.Queries),
			h.Unrecognized, h.NoPlan, h.WrongPlan, unevaluated(h))
	}
	fmt.Fprintln(w, "horizon\tqueries\tpairs\tin graph\t"+head+
		"shortest\tunrecognized\tno plan\twrong\t"+end)
	for _, h := range r.Horizons {
		row(strconv.Itoa(h.Horizon), h)
	}
	all, _ := total(r.Horizons)
	row("all", all)
	if r.Unconnected != nil {
		row("no path", *r.Unconnected)
	}
	w.Flush()
	if r.Unconnected != nil {
		fmt.Fprintf(w, "the ground truth has no path between %d pairs with test images; "+
			"all counts none of them\n", r.Ground.UnconnectedPairs)
	}
	fmt.Fprintf(w,
		"%d of %d distinct pairs are solved every time; median time from two images to a plan: %.1f ms\n",
		all.SolvedPairs, all.Pairs, r.MedianMilliseconds)
	if all.Executed > 0 {
		fmt.Fprintf(w, "closed loop: %d of %d goals are reached, %d others end elsewhere unnoticed; the "+
			"scene of %d was set up again for an image that is recognized\n",
			all.Reached, all.Executed, all.Mistaken, all.SetUpAgain)
	}
	w.Flush()
}

// printMethods compares success in the ground-truth graph, over all horizons and
// at the longest.
func printMethods(w *tabwriter.Writer, r eval.Report) {
	fmt.Fprintln(w)
	fmt.Fprintln(w, "the same images\tin graph\tat the longest\tunrecognized\tno plan\t"+
		"wrong or not evaluated\t")
	for _, m := range append([]eval.Method{{Name: "STRIPS-WM", Horizons: r.Horizons}}, r.Methods...) {
		all, last := total(m.Horizons)
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t\n", m.Name, percent(all.SolvedGraph, all.Queries),
			percent(last.SolvedGraph, last.Queries),
			all.Unrecognized, all.NoPlan, all.WrongPlan+all.Unevaluated)
	}
}

// printAblation prints the table of RQ4.
func printAblation(w *tabwriter.Writer, rows []eval.Ablation) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w,
		"operators learned with\t|S*|\tsum xi\tsum eta\tfalse positives\t|X|\tm\tin graph\t")
	for _, a := range rows {
		if a.Impossible != "" {
			fmt.Fprintf(w, "%s\t%d\t\t\t\t\t\t%s\t\n", a.Condition, a.TrueStates, a.Impossible)
			continue
		}
		all, _ := total(a.Horizons)
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t\n", a.Condition, a.TrueStates, a.Xi, a.Eta,
			a.FalsePositives, a.DistinctCodes, a.Predicates,
			percent(all.SolvedGraph, all.Queries))
	}
}

func printCalibration(w *tabwriter.Writer, rows []eval.Calibration) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, "nuisance\timages\tright\twrong\twrong but certain\tunrecognized\tECE\tBrier\t")
	for _, c := range rows {
		fmt.Fprintf(w, "x %g\t%d\t%s\t%s\t%s\t%s\t%.4f\t%.4f\t\n", c.Strength, c.Images,
			percent(c.Right, c.Images), percent(c.Wrong, c.Images),
			percent(c.WrongCertain, c.Images), percent(c.Unrecognized, c.Images), c.Together.ECE,
			c.Together.Brier)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w,
		"nuisance\tqueries\treached\twrong\tabstained\tguessing: reached\twrong\twrong avoided\tright "+
			"lost\t")
	for _, c := range rows {
		a := c.Abstention
		fmt.Fprintf(w, "x %g\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", c.Strength, a.Queries, a.With.Reached,
			a.With.Wrong, a.With.Abstained,
			a.Without.Reached, a.Without.Wrong, a.WrongAvoided, a.RightLost)
	}
}

// total adds up the horizons, and gives the longest.
func total(horizons []eval.Horizon) (all, last eval.Horizon) {
	for _, h := range horizons {
		all.Queries += h.Queries
		all.Pairs += h.Pairs
		all.SolvedPairs += h.SolvedPairs
		all.SolvedGraph += h.SolvedGraph
		all.Executed += h.Executed
		all.Reached += h.Reached
		all.Mistaken += h.Mistaken
		all.SetUpAgain += h.SetUpAgain
		all.Shortest += h.Shortest
		all.Unrecognized += h.Unrecognized
		all.NoPlan += h.NoPlan
		all.WrongPlan += h.WrongPlan
		all.Unevaluated += h.Unevaluated
		last = h
	}
	return all, last
}

func percent(n, of int) string {
	if of == 0 {
		return "-"
	}
	return strconv.FormatFloat(100*float64(n)/float64(of), 'f', 1, 64) + " %"
}

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
