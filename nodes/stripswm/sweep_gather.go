package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"stripswm/nodes/eval/sweep"
)

// gathered is what gather prints for scripts.
type gathered struct {
	Results []sweep.Result  `json:"results"`
	Missing []sweep.Missing `json:"missing"`
	Dir     string          `json:"dir"`
}

func sweepGatherCommand(c *common) *cobra.Command {
	var f sweepFlags
	cmd := &cobra.Command{
		Use:   "gather --out DIR",
		Short: "Put the results of a sweep into tables and figures",
		Long: `gather reads the jobs that are done and writes DIR/results: results.csv, results.json,
and curves over horizon and fraction of wrong labels. Of the jobs that differ only in
latent dimensions it selects the best: of comparable losses the one with the least latent
nondeterminism (paper, appendix A.1).

gather can be run at any time. It lists jobs that are missing or failed, which no mean
includes, and then exits with 1.`,
		Example: `  stripswm research sweep gather --out runs/sweep
  stripswm research sweep gather --out runs/sweep --json | jq '.results[] | select(.selected)'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			folder, err := f.open()
			if err != nil {
				return err
			}
			var g gathered
			if g.Results, g.Missing, err = folder.Gather(); err != nil {
				return err
			}
			if g.Dir, err = folder.Write(g.Results, g.Missing); err != nil {
				return err
			}
			if c.json {
				err = printJSON(cmd, g)
			} else {
				err = printGathered(cmd.OutOrStdout(), g)
			}
			if err == nil && len(g.Missing) > 0 {
				err = fmt.Errorf("%w: %d of %d are missing", errJobs, len(g.Missing), len(folder.Jobs))
			}
			return err
		},
	}
	f.add(cmd)
	return cmd
}

func printGathered(out io.Writer, g gathered) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w,
		"job\tworld\tpreset\tseed\tdata\tmislabelled\tdims\tloss\tnondet.\t|S*|\t|S|\tm\tsum xi\tsum "+
			"eta\tin graph\ttime\tpeak\tselected\t")
	for _, r := range g.Results {
		a, mark := r.Abstraction, ""
		if r.Selected {
			mark = "*"
		}
		fmt.Fprintf(w,
			"%d\t%s\t%s\t%d\t%g %%\t%g %%\t%d\t%.4f\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f %%\t%.0f s\t%.0f "+
				"MB\t%s\t\n", r.Index, r.World, r.Preset, r.Seed,
			100*r.Data, 100*r.Mislabel, r.Dims, r.Chosen.Losses["total"], r.Chosen.Nondeterministic,
			a.TrueStates, a.States, a.Predicates, a.Xi, a.Eta,
			100*r.Solved(), r.Time(), r.Peak(), mark)
	}
	fmt.Fprintln(w)
	printDims(w, g.Results)
	if err := w.Flush(); err != nil {
		return err
	}
	for _, m := range g.Missing {
		fmt.Fprintf(out, "missing: %s: %s\n", m.Job.Name(), cmp.Or(m.Reason, "not done yet"))
	}
	fmt.Fprintf(out,
		"\n* best of the jobs that differ in dims alone, by loss and latent nondeterminism\nresults: "+
			"%s\n", g.Dir)
	return nil
}

// printDims prints means over the jobs of each latent space.
func printDims(w io.Writer, results []sweep.Result) {
	type sums struct{ jobs, selected, states, nondeterminism, eta, solved float64 }
	by := map[int]*sums{}
	for _, r := range results {
		s := by[r.Dims]
		if s == nil {
			s = &sums{}
			by[r.Dims] = s
		}
		s.jobs++
		if r.Selected {
			s.selected++
		}
		s.states += float64(r.Abstraction.States)
		s.nondeterminism += float64(r.Chosen.Nondeterministic)
		s.eta += float64(r.Abstraction.Eta)
		s.solved += r.Solved()
	}
	fmt.Fprintln(w, "dims\tjobs\tselected\tmean |S|\tnondet.\tsum eta\tin graph\t")
	for _, dims := range slices.Sorted(maps.Keys(by)) {
		s := by[dims]
		fmt.Fprintf(w, "%d\t%.0f\t%.0f\t%.1f\t%.1f\t%.1f\t%.1f %%\t\n", dims, s.jobs, s.selected,
			s.states/s.jobs, s.nondeterminism/s.jobs, s.eta/s.jobs, 100*s.solved/s.jobs)
	}
}
