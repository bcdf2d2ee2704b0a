// Command bench measures operator learning and prints three tables:
//   - every sample graph,
//   - the time to a proved eta, beside gophersat on the paper's monolithic program with the same
//     time limit,
//   - the cost as a graph grows, which it also plots.
//
// With -skills it prints one table instead, of graphs with state-dependent skills.
//
//	go run ./models/operators/bench -out /tmp/bench
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"text/tabwriter"
	"time"

	"stripswm/models/operators"
	"stripswm/models/operators/check"
	"stripswm/models/operators/program"
	"stripswm/models/taskgraph"
)

func main() {
	graphs := flag.String("graphs", "models/operators/testdata", "folder of .dfa graphs")
	out := flag.String("out", "", "folder for the plot of the cost (default: none is drawn)")
	work := flag.Int("work", operators.DefaultWork,
		"improvements, a graph, in millions of solver steps")
	clock := flag.Duration("clock", 10*time.Second, "time for gophersat, a graph")
	reference := flag.String("reference", "",
		"only solve this graph's monolithic program and print JSON")
	few := flag.Bool("skills", false, "measure only graphs whose few skills do several things each")
	predicates := flag.Int("predicates", 1, "predicates of the monolithic program")
	flag.Parse()
	var err error
	if *reference != "" {
		err = solveReference(os.Stdout, *reference, *predicates, *clock)
	} else if *few {
		err = skills(*graphs, *work)
	} else {
		err = measure(*graphs, *out, *work, *clock)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func measure(graphs, out string, work int, clock time.Duration) error {
	files, err := filepath.Glob(filepath.Join(graphs, "*.dfa"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no .dfa graphs in %s (%v)", graphs, err)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w,
		"graph\tstates\tatoms\teta\tproved\ts to "+
			"eta\tm\tbound\teffects\tbound\tpre\tbound\tcodes\ts\tfaults\t")
	found := map[string]operators.Report{}
	for _, file := range files {
		g, err := taskgraph.ReadFile(file)
		if err != nil {
			return err
		}
		r, err := operators.Learn(context.Background(), g, operators.Options{Work: work})
		if err != nil {
			return err
		}
		row(w, filepath.Base(file), g, r)
		found[file] = r.Report
	}
	w.Flush()
	fmt.Printf(
		"\nOne clock of %v: time to the proved eta, and what gophersat reaches on the monolithic "+
			"program\n\n", clock)
	fmt.Fprintln(w, "graph\tm\teta\ts to eta\tgophersat eta\tproved\ts\t")
	for _, file := range files {
		if r := found[file]; r.States > 90 && r.States < 120 || filepath.Base(file) == "blocksworld.dfa" {
			if err := sideBySide(w, file, r, clock); err != nil {
				return err
			}
		}
	}
	w.Flush()
	return growth(w, out, work)
}

func row(w io.Writer, name string, g *taskgraph.Graph, r *operators.Result) {
	s := r.Report
	_, faults := check.Model(g, check.AllMissing(g), r.Model)
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%t\t%.4f\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.2f\t%d\t\n", name,
		s.States, s.SeparationConstraints, s.Eta, s.Proved.Eta, s.EtaSeconds,
		s.Predicates, s.Bounds.Predicates, s.Effects, s.Bounds.Effects, s.Preconditions,
		s.Bounds.Preconditions, s.DistinctCodes, s.Seconds, len(faults))
}

// referenceResult is what a run with -reference prints.
type referenceResult struct {
	Found   bool
	Eta     int
	Proved  bool
	Seconds float64
}

// solveReference runs gophersat. It cannot be interrupted, so it has a process of
// its own.
func solveReference(w io.Writer, file string, m int, clock time.Duration) error {
	g, err := taskgraph.ReadFile(file)
	if err != nil {
		return err
	}
	began := time.Now()
	p, err := program.Build(g, check.AllMissing(g), m, program.Options{})
	if err != nil {
		return err
	}
	ctx, stop := context.WithDeadline(context.Background(), began.Add(clock))
	defer stop()
	best, err := p.Solve(ctx)
	if err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(referenceResult{best.Value != nil, best.Values[1], best.Proved[1],
		time.Since(began).Seconds()})
}

func sideBySide(w io.Writer, file string, r operators.Report, clock time.Duration) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(context.Background(), clock+30*time.Second)
	defer stop()
	out, err := exec.CommandContext(ctx, self, "-reference", file, "-predicates",
		fmt.Sprint(r.Predicates), "-clock", clock.String()).Output()
	if err != nil {
		return fmt.Errorf("gophersat on %s: %w", file, err)
	}
	var ref referenceResult
	if err := json.Unmarshal(out, &ref); err != nil {
		return err
	}
	eta := "none found"
	if ref.Found {
		eta = fmt.Sprint(ref.Eta)
	}
	fmt.Fprintf(w, "%s\t%d\t%d\t%.4f\t%s\t%t\t%.2f\t\n", filepath.Base(file), r.Predicates, r.Eta,
		r.EtaSeconds, eta, ref.Proved, ref.Seconds)
	return nil
}

// growth measures parts of DinnerTable up to the whole.
func growth(w *tabwriter.Writer, out string, work int) error {
	fmt.Print("\nParts of DinnerTable, breadth first from one state, up to the whole\n\n")
	fmt.Fprintln(w,
		"graph\tstates\tatoms\teta\tproved\ts to "+
			"eta\tm\tbound\teffects\tbound\tpre\tbound\tcodes\ts\tfaults\t")
	var reports []operators.Report
	for _, states := range []int{100, 300, 1000, 3000, 6720} {
		g := dinnerTable(states)
		r, err := operators.Learn(context.Background(), g, operators.Options{Work: work})
		if err != nil {
			return err
		}
		row(w, fmt.Sprint("dinner ", states), g, r)
		reports = append(reports, r.Report)
	}
	w.Flush()
	if out == "" {
		return nil
	}
	path := filepath.Join(out, "operators_cost.svg")
	if err := plotCost(path, reports); err != nil {
		return err
	}
	fmt.Println("\nplotted in", path)
	return nil
}
