// Command bench measures operator learning. It prints a table of every sample graph, and one of
// parts of DinnerTable up to the whole, which shows the cost as a graph grows. With -skills it
// prints one table instead, of graphs with state-dependent skills.
//
//	go run ./models/operators/bench
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"stripswm/models/operators"
	"stripswm/models/operators/check"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/taskgraph/fixtures"
)

// graph is one to learn from.
type graph struct {
	name string
	*taskgraph.Graph
}

func main() {
	graphs := flag.String("graphs", "models/operators/testdata", "folder of .dfa graphs")
	work := flag.Int("work", operators.DefaultWork,
		"improvements, a graph, in millions of solver steps")
	skills := flag.Bool("skills", false, "measure only graphs whose few skills do several things each")
	flag.Parse()
	all, err := samples(*graphs)
	if *skills {
		all, err = stateDependent(*graphs)
	}
	if err == nil {
		err = measure(os.Stdout, all, *work)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// samples are the graphs of a folder, and parts of DinnerTable.
func samples(folder string) ([]graph, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.dfa"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no .dfa graphs in %s (%v)", folder, err)
	}
	var all []graph
	for _, file := range files {
		g, err := taskgraph.ReadFile(file)
		if err != nil {
			return nil, err
		}
		all = append(all, graph{filepath.Base(file), g})
	}
	whole := dinnerTable()
	for _, states := range []int{100, 300, 1000, 3000, whole.NumStates()} {
		all = append(all, graph{fmt.Sprint("dinner ", states), part(whole, states)})
	}
	return all, nil
}

// stateDependent are worlds, and sample graphs of tables whose skills name the place alone.
func stateDependent(folder string) ([]graph, error) {
	var all []graph
	for _, p := range append(fixtures.All(), fixtures.Hanoi(4), fixtures.LightsOut(3, 3),
		fixtures.Tiles(2, 3)) {
		all = append(all, graph{p.Name, p.Graph()})
	}
	for _, table := range []struct {
		name, file string
		keep       int // word of a label that is kept beside the first
	}{{"blocksworld coarse", "blocksworld.dfa", 1}, {"dinnertable coarse", "dinner101_s2.dfa", 2}} {
		fine, err := taskgraph.ReadFile(filepath.Join(folder, table.file))
		if err != nil {
			return nil, err
		}
		all = append(all, graph{table.name, fine.Relabel(func(label string) string {
			word := strings.Split(label, "_")
			return word[0] + "_" + word[table.keep]
		})})
	}
	return all, nil
}

// dinnerTable is the full task graph of five objects on seven placements.
func dinnerTable() *taskgraph.Graph { return fixtures.Table(5, 7).Graph() }

// part is the first nodes of a graph and the edges among them.
func part(g *taskgraph.Graph, states int) *taskgraph.Graph {
	h := *g
	h.Nodes = g.Nodes[:states]
	h.Edges = slices.DeleteFunc(slices.Clone(g.Edges), func(e taskgraph.Edge) bool {
		return max(e.Source, e.Target) >= strips.StateID(states)
	})
	return &h
}

func measure(out io.Writer, all []graph, work int) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "graph\tstates\tconstraints\tskills\toperators\teta\tproved\ts to eta\tm\tbound\t"+
		"effects\ttoggles\tpre\tcodes\ts\tfaults\t")
	for i, g := range all {
		fmt.Fprintf(os.Stderr, "%d of %d: %s\n", i+1, len(all), g.name)
		r, err := operators.Learn(context.Background(), g.Graph, operators.Options{Work: work})
		if err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
		toggles := 0
		for _, op := range r.Model.Operators {
			toggles += len(op.Toggle)
		}
		_, faults := check.Model(g.Graph, check.AllMissing(g.Graph), r.Model)
		faults = append(faults, check.Distinct(r.Model, nil)...)
		s := r.Report
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%t\t%.4f\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%d\t\n", g.name,
			s.States, s.SeparationConstraints, s.Actions, s.Operators, s.Eta, s.Proved.Eta, s.EtaSeconds,
			s.Predicates, s.Bounds.Predicates, s.Effects, toggles, s.Preconditions, s.DistinctCodes,
			s.Seconds, len(faults))
	}
	return w.Flush()
}
