package main

import (
	"errors"

	"github.com/spf13/cobra"

	"stripswm/nodes/eval/sweep"
)

func sweepCommand(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Run the pipeline over a grid of settings, here or on a cluster",
		Long: `sweep runs the demo for every combination of worlds, seeds, latent dimensions, fractions
of the data and fractions of wrong labels. Each combination is a numbered job. A job can
run on any machine that has the folder, be killed, and be started again.

launch/cluster/ has a Slurm array script and a Kubernetes indexed Job.`,
		Example: `  stripswm research sweep init --out runs/sweep --seed 1,2,3 --dims 5,6,7 --data 1,0.5,0.25
  stripswm research sweep run --out runs/sweep --jobs 2
  stripswm research sweep gather --out runs/sweep`,
	}
	cmd.AddCommand(sweepInitCommand(c), sweepRunCommand(c), sweepGatherCommand(c))
	return cmd
}

// errJobs says that a sweep is not complete.
var errJobs = errors.New("not all jobs are done")

// sweepFlags is the folder, which every part of sweep needs.
type sweepFlags struct{ out string }

func (f *sweepFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "folder of the sweep")
}

func (f *sweepFlags) open() (sweep.Folder, error) {
	if f.out == "" {
		return sweep.Folder{}, usagef("--out is needed: the folder of the sweep")
	}
	return sweep.Open(f.out)
}
