package main

import (
	"slices"

	"github.com/spf13/cobra"

	"stripswm/models/baselines"
	"stripswm/models/bundle"
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

// open opens the baselines, which must have been learned from the bundle's recording: a
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
		if mine := own.Manifest.Inputs; len(mine) > 0 && !slices.Equal(b.Manifest.Inputs, mine) {
			return nil, usagef("--baseline %s: it was learned from another recording than %s: learn it again from that one", dir, own.Dir)
		}
		all = append(all, b)
	}
	return all, nil
}
