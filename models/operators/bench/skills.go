package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"stripswm/models/operators"
	"stripswm/models/operators/check"
	"stripswm/models/taskgraph"
	"stripswm/models/taskgraph/fixtures"
)

// skills measures learning where few skills do several things each: fixtures, and
// sample graphs of tables whose skills name the place alone.
func skills(graphs string, work int) error {
	type graph struct {
		name string
		*taskgraph.Graph
	}
	var all []graph
	for _, p := range append(fixtures.All(), fixtures.Hanoi(4), fixtures.LightsOut(3, 3),
		fixtures.Tiles(2, 3)) {
		all = append(all, graph{p.Name, p.Graph()})
	}
	for _, table := range []struct {
		name, file string
		keep       int // field of a label that is kept beside the first
	}{{"blocksworld coarse", "blocksworld.dfa", 1}, {"dinnertable coarse", "dinner101_s2.dfa", 2}} {
		fine, err := taskgraph.ReadFile(filepath.Join(graphs, table.file))
		if err != nil {
			return err
		}
		all = append(all, graph{table.name, fine.Relabel(func(label string) string {
			word := strings.Split(label, "_")
			return word[0] + "_" + word[table.keep]
		})})
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w,
		"graph\tstates\tcodes\txi\teta\tskills\toperators\tbound\ttoggles\tpredicates\tbound\ts to "+
			"variants\ts\tfaults\t")
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
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%.1f\t%d\t\n", g.name, s.States,
			s.DistinctCodes, s.Xi, s.Eta, s.Actions,
			s.Operators, s.Bounds.Operators, toggles, s.Predicates, s.Bounds.Predicates, s.EtaSeconds,
			s.Seconds, len(faults))
	}
	return w.Flush()
}
