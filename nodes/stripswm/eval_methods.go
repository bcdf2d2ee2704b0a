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
	cmd.Flags().StringArrayVar(&f.dirs, "baseline", nil,
		"bundle of research baseline learn for the same queries; may be repeated")
	cmd.Flags().StringSliceVar(&f.asked, "method", nil,
		"methods to compare, such as lsr,wm-bfs (default: all in the bundles)")
	ids := []string{"no-exceptions"}
	for _, l := range baselines.All() {
		ids = append(ids, l.ID)
	}
	completeNames(cmd, "method", ids)
}

// open opens the baselines. They must be learned from the bundle's recording (from one
// recording if own is nil): a comparison on different data says nothing about the methods.
func (f *methodFlags) open(own *bundle.Bundle) ([]*bundle.Bundle, error) {
	var all []*bundle.Bundle
	for _, dir := range f.dirs {
		b, err := bundle.Open(dir)
		if err != nil {
			return nil, err
		}
		if len(baselines.In(b)) == 0 {
			return nil,
				usagef(
					"--baseline %s: the bundle has no baseline: make one with stripswm research baseline learn",
					dir)
		}
		if own == nil {
			own = b
		}
		if mine := own.Manifest.Inputs; len(mine) > 0 && !slices.Equal(b.Manifest.Inputs, mine) {
			return nil,
				usagef(
					"--baseline %s: it was learned from another recording than %s: learn it again from that one",
					dir, own.Dir)
		}
		all = append(all, b)
	}
	return all, nil
}

// baselinesOutput is the result of baselines alone.
type baselinesOutput struct {
	Run     provenance    `json:"run"`
	Methods []eval.Method `json:"methods"`
}

// evalBaselines evaluates baselines alone, and prints success by horizon.
func evalBaselines(cmd *cobra.Command, c *common, m methodFlags, world worldFlags, f evalFlags,
	images imageFlags, out string,
) error {
	if len(m.asked) > 0 || out != "" {
		return usagef("--method and --out need --bundle")
	}
	all, err := m.open(nil)
	if err != nil {
		return err
	}
	own := all[0].Manifest
	if world.name == "" && own.Simulation == nil {
		return usagef("%s does not say of which world its recording is: name it with --world", all[0].Dir)
	}
	world.name = cmp.Or(world.name, own.Domain)
	if err := world.recorded(all[0]); err != nil {
		return err
	}
	w, err := world.world()
	if err != nil {
		return err
	}
	o := eval.Options{Queries: f.queries, Seed: own.Seed, Explored: own.Seed, Size: images.size,
		Nuisance: images.nuisance, Workers: runtime.GOMAXPROCS(0), Baselines: all}
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
		fmt.Fprintf(w, "%s: horizon\tqueries\tin graph\tshortest\tunrecognized\tno plan\twrong\t\n",
			m.Name)
		all, _ := total(m.Horizons)
		row := func(name string, h eval.Horizon) {
			fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%d\t%d\t%d\t\n", name, h.Queries,
				percent(h.SolvedGraph, h.Queries), percent(h.Shortest, h.Queries), h.Unrecognized, h.NoPlan,
				h.WrongPlan)
		}
		for _, h := range m.Horizons {
			row(fmt.Sprint(h.Horizon), h)
		}
		row("all", all)
	}
	return w.Flush()
}
