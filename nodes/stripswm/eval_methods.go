package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"stripswm/models/baselines"
	"stripswm/models/bundle"
	"stripswm/nodes/eval"
)

// methodFlags say which methods eval compares.
type methodFlags struct {
	dirs  []string // bundles of baseline learn
	asked []string
}

func (f *methodFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.dirs, "baseline", nil, "bundle of baseline learn to ask the same questions; may be given several times")
	cmd.Flags().StringSliceVar(&f.asked, "methods", nil, "methods to compare with, such as lsr,wm-bfs (default: all that the bundles have)")
	ids := []string{"no-exceptions"}
	for _, l := range baselines.All() {
		ids = append(ids, l.ID)
	}
	completeNames(cmd, "methods", ids)
}

// open opens the baselines, which must have been learned from the bundle's recording, or where
// that is nil from one recording: a
// comparison of methods on different data says nothing of the methods.
func (f *methodFlags) open(own *bundle.Bundle) ([]*bundle.Bundle, error) {
	var all []*bundle.Bundle
	for _, dir := range f.dirs {
		b, err := bundle.Open(dir)
		if err != nil {
			return nil, err
		}
		if len(baselines.In(b)) == 0 {
			return nil, usagef("--baseline %s: the bundle has no baseline: make one with stripswm baseline learn", dir)
		}
		if own == nil {
			own = b
		}
		if mine := own.Manifest.Inputs; len(mine) > 0 && !slices.Equal(b.Manifest.Inputs, mine) {
			return nil, usagef("--baseline %s: it was learned from another recording than %s: learn it again from that one", dir, own.Dir)
		}
		all = append(all, b)
	}
	return all, nil
}

// baselinesOutput is what baselines alone came to.
type baselinesOutput struct {
	Run     provenance    `json:"run"`
	Methods []eval.Method `json:"methods"`
}

// evalBaselines asks baselines alone, and prints success by horizon.
func evalBaselines(cmd *cobra.Command, c *common, m methodFlags, domain worldFlags, f evalFlags, images imageFlags, out string) error {
	if len(m.asked) > 0 || out != "" {
		return usagef("--methods and --out need --bundle")
	}
	all, err := m.open(nil)
	if err != nil {
		return err
	}
	own := all[0].Manifest
	if domain.name == "" && own.Simulation == nil {
		return usagef("%s does not say of which world its recording is: name it with --domain", all[0].Dir)
	}
	domain.name = cmp.Or(domain.name, own.Domain)
	w, err := domain.world()
	if err != nil {
		return err
	}
	o := eval.Options{Queries: f.queries, Seed: own.Seed, Explored: own.Seed, Size: images.size, Nuisance: images.nuisance, Workers: runtime.GOMAXPROCS(0), Baselines: all}
	if own.Simulation != nil {
		o.Explored = own.Simulation.Seed
	}
	if seed := cmd.Flags().Lookup("seed"); seed.Changed {
		if o.Seed, err = cmd.Flags().GetUint64("seed"); err != nil {
			return err
		}
	}
	tell, done := partProgress(cmd, c)
	o.Progress = tell
	methods, err := eval.RunBaselines(cmd.Context(), w, o)
	done()
	if err != nil {
		return err
	}
	if c.json {
		return printJSON(cmd, baselinesOutput{originOf(o.Seed, ""), methods})
	}
	return printAlone(cmd.OutOrStdout(), methods)
}

func printAlone(out io.Writer, methods []eval.Method) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, m := range methods {
		fmt.Fprintf(w, "%s: horizon\tqueries\tin graph\tshortest\tunrecognised\tno plan\twrong\t\n", m.Name)
		all, _ := total(m.Horizons)
		row := func(name string, h eval.Horizon) {
			fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%d\t%d\t%d\t\n", name, h.Queries, percent(h.SolvedGraph, h.Queries), percent(h.Shortest, h.Queries), h.Unrecognized, h.NoPlan, h.WrongPlan)
		}
		for _, h := range m.Horizons {
			row(fmt.Sprint(h.Horizon), h)
		}
		row("all", all)
	}
	return w.Flush()
}
