package main

import (
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"stripswm/models/traces"
	"stripswm/models/worlds"
)

// noises are what goes wrong in a recording.
var noises = []struct {
	name string
	worlds.Noise
}{
	{"wrong labels 3 %", worlds.Noise{WrongLabels: 0.03}},
	{"failing skills 10 %", worlds.Noise{Failures: 0.1}},
	{"labels and failures", worlds.Noise{WrongLabels: 0.03, Failures: 0.1}},
	{"unmarked changes 5 %", worlds.Noise{Changes: 0.05}},
	{"all three", worlds.Noise{WrongLabels: 0.03, Changes: 0.05, Failures: 0.1}},
}

// noisy measures recordings in which something goes wrong, when nothing but the attempts is known.
// With images package facts finds most of it first: `make whole` measures that.
func noisy(seeds []uint64, only string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "world\tnoise\tattempts\tplans %\tprecision %\trecall %\t")
	for _, world := range []*worlds.World{worlds.Table(5, 7), worlds.Kitchen(4, 3, 2)} {
		for _, noise := range noises {
			for _, n := range []int{3000, 6000, 12_000} {
				if !strings.HasPrefix(world.Name, only) {
					continue
				}
				if err := noisyRow(w, world, noise.name, noise.Noise, n, seeds); err != nil {
					return err
				}
			}
		}
	}
	return w.Flush()
}

func noisyRow(w *tabwriter.Writer, world *worlds.World, name string, noise worlds.Noise, n int,
	seeds []uint64) error {
	var plans, precision, recall []string
	for _, seed := range seeds {
		trace := [][]traces.Attempt{world.Record(n, seed, noise)}
		r, err := traces.Learn(len(world.Operators), trace, traces.Options{})
		if err != nil {
			return err
		}
		if !r.Known(0) { // a skill failed early: the comparison has nothing to begin with
			plans, precision, recall = append(plans, "-"), append(precision, "-"), append(recall, "-")
			continue
		}
		s, err := world.Compare(r.Model.Operators, r.State(0), queries, seed)
		if err != nil {
			return err
		}
		plans = append(plans, fmt.Sprintf("%.0f", 100*s.Plans))
		precision = append(precision, fmt.Sprintf("%.1f", 100*s.Precision))
		recall = append(recall, fmt.Sprintf("%.1f", 100*s.Recall))
	}
	_, err := fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t\n", world.Name, name, n,
		strings.Join(plans, " "), strings.Join(precision, " "), strings.Join(recall, " "))
	return err
}
