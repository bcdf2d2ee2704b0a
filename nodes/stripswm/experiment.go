package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"stripswm/models/imageplan"
	"stripswm/nodes/eval"
	"stripswm/nodes/eval/experiment"
)

// experimentFlags say what of an experiment is run.
type experimentFlags struct {
	out       string
	set, rows []string
}

func (f *experimentFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "folder of the rows (default: runs/FILE)")
	cmd.Flags().StringArrayVar(&f.set, "set", nil,
		"setting in place of the file's, such as seed=11,12; may be repeated")
	cmd.Flags().StringSliceVar(&f.rows, "row", nil, "rows to run (default: all)")
}

func (f *experimentFlags) read(path string) (*experiment.Experiment, error) {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return experiment.Read(path, cmp.Or(f.out, filepath.Join("runs", name)), f.set, f.rows)
}

// errJobs says that an experiment is not complete.
var errJobs = errors.New("not all jobs are done")

func experimentRunCommand(c *common) *cobra.Command {
	var f experimentFlags
	var index, parallel int
	cmd := &cobra.Command{
		Use:   "run FILE [--index I | --jobs N]",
		Short: "Run an experiment: the pipeline for a grid of settings, here or on a cluster",
		Long: `run runs the jobs of an experiment that are not done, --jobs at a time, and then does what
rows does. An experiment is a YAML file: go doc stripswm/nodes/eval/experiment describes
it, and test/experiments has those whose results are kept.

A job is a list of command lines of stripswm. It writes OUT/NAME/log.txt, and its results
to OUT/NAME.json or the like. It can run on any machine that has the folder, be killed,
and be started again: it goes on with the step that was running. A job that another
worker runs is skipped. ^C stops all jobs. With --index it runs one job, as a task of a
cluster does; launch/cluster has a Slurm array script and a Kubernetes indexed Job.

The command line that the file has for the end is run when all rows are there.`,
		Example: `  stripswm research run test/experiments/skills.yaml --set seed=11 --jobs 2
  stripswm research run test/experiments/results.yaml --row keydoorcoarse --out runs/again
  stripswm research run latent.yaml --out /shared/latent --index "$SLURM_ARRAY_TASK_ID" --set threads=4`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, err := f.read(args[0])
			if err != nil {
				return err
			}
			program, err := os.Executable()
			if err != nil {
				return err
			}
			show := c.progress(cmd.Context())
			r := experiment.Runner{Experiment: e, Parallel: parallel,
				Command: func(ctx context.Context, args []string) *exec.Cmd {
					return exec.CommandContext(ctx, program,
						append([]string{"--quiet", "--onnxruntime", c.library}, args...)...)
				},
				Progress: func(ended, open int) { show.Set("jobs", ended, open, "") },
			}
			if cmd.Flags().Changed("index") {
				return runJob(cmd, c, r, index)
			}
			report, err := r.Run(cmd.Context())
			show.Done()
			if err != nil {
				return fmt.Errorf("%w; the same command continues", err)
			}
			for _, name := range report.Elsewhere {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: another worker runs it\n", name)
			}
			if err := printRows(cmd, c, e); err != nil {
				return err
			}
			last, err := e.Last()
			if err != nil || len(last) == 0 {
				return err
			}
			then := r.Command(context.WithoutCancel(cmd.Context()), last)
			if then.Stderr = cmd.ErrOrStderr(); !c.json {
				then.Stdout = cmd.OutOrStdout()
			}
			return then.Run()
		},
	}
	f.add(cmd)
	atLeast(cmd.Flags(), &index, "index", 0, 0, "run this job alone (0 to jobs - 1)")
	atLeast(cmd.Flags(), &parallel, "jobs,j", 1, 1, "jobs to run at once")
	cmd.MarkFlagsMutuallyExclusive("index", "jobs")
	return cmd
}

// runJob runs one job. It ends with the exit code of the step that failed.
func runJob(cmd *cobra.Command, c *common, r experiment.Runner, index int) error {
	job, err := r.Job(index)
	if err != nil {
		return usageError{err}
	}
	if r.Done(job) && !c.quiet {
		fmt.Fprintf(cmd.ErrOrStderr(), "job %d is done: %s\n", index, job.Name)
	}
	err = r.One(cmd.Context(), job)
	var step *exec.ExitError
	if errors.As(err, &step) && cmd.Context().Err() == nil {
		return outcome{step.ExitCode(), err.Error()}
	}
	return err
}

func experimentRowsCommand(c *common) *cobra.Command {
	var f experimentFlags
	cmd := &cobra.Command{
		Use:   "rows FILE",
		Short: "Print the rows of an experiment that are there",
		Long: `rows reads the results of the jobs that are done, prints the table that the experiment asks
for, and writes it to OUT/rows.csv, with the figures. It can be run at any time. It lists
jobs that are missing or failed, which no mean includes, and then exits with 1.`,
		Example: `  stripswm research rows test/experiments/skills.yaml --set seed=11
  stripswm research rows latent.yaml --out /shared/latent --json | jq '.rows[] | select(.best)'`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, err := f.read(args[0])
			if err != nil {
				return err
			}
			return printRows(cmd, c, e)
		},
	}
	f.add(cmd)
	return cmd
}

// rowsOutput is what rows and run print for scripts.
type rowsOutput struct {
	Rows    []experiment.Row     `json:"rows"`
	Missing []experiment.Missing `json:"missing,omitempty"`
}

func printRows(cmd *cobra.Command, c *common, e *experiment.Experiment) error {
	rows, missing, err := e.Gather()
	if err == nil {
		err = e.Write(rows)
	}
	if err != nil {
		return err
	}
	err = c.print(cmd, rowsOutput{rows, missing}, func(w io.Writer) {
		t := newTable(w)
		for _, line := range e.Table(rows) {
			cells := make([]any, len(line))
			for i, cell := range line {
				cells[i] = cell
			}
			t.row(cells...)
		}
		t.Flush()
		for _, m := range missing {
			fmt.Fprintf(w, "missing: %s: %s\n", m.Job, cmp.Or(m.Why, "not done yet"))
		}
	})
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("%w: %d of %d are missing", errJobs, len(missing), len(e.Jobs))
	}
	return err
}

func pairsCommand() *cobra.Command {
	var dir string
	var world worldFlags
	var pairs int
	var seed uint64
	var images imageFlags
	cmd := &cobra.Command{
		Use:   "pairs --bundle DIR",
		Short: "Plan between images of random states of a simulated world, and execute the plans",
		Long: `pairs counts the pairs of random states that are solved, of those that some plan solves.
The others have no plan by the model, an image that is not recognized, or a plan that is
wrong: a skill is refused on the way, or the last state is not the goal. Plans are
executed without looking again. Then as many tables of each kind are shown on which an
object is missing, doubled, foreign or half off its place: none should be accepted.`,
		Example: `  stripswm research pairs --bundle runs/lamp/bundle --pairs 500`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := imageplan.Open(dir, imageplan.Options{})
			if err != nil {
				return err
			}
			defer p.Close()
			w, err := bundleWorld(&world, p.Bundle())
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("seed") {
				seed = p.Bundle().Manifest.Seed
			}
			r, err := eval.Pairs(cmd.Context(), p, w, eval.Options{Queries: pairs, Seed: seed,
				Size: images.size, Nuisance: images.nuisance})
			if err != nil {
				return err
			}
			return encode(cmd.OutOrStdout(), r)
		},
	}
	cmd.Flags().StringVar(&dir, "bundle", "", "learned bundle")
	world.add(cmd, "world", "", "world that it is of (default: the bundle's)")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of states and images (default: the bundle's)")
	atLeast(cmd.Flags(), &pairs, "pairs", 200, 1, "pairs of images")
	images.add(cmd)
	require(cmd, "bundle")
	return cmd
}

func effectsCommand() *cobra.Command {
	var bag string
	var side int
	cmd := &cobra.Command{
		Use:   "effects --bag BAG",
		Short: "Learn facts from the images of a recording, and compare them with the truth",
		Long: `effects learns facts from images, and prints words whose truth changes, such as "mug at
3", and how many a fact tells; facts that tell no word; actions that set or clear a word,
how many are said to, and how many more; and the values that images tell, and of these
the right ones. The truth is that of the simulated world, or in a folder of images that of
truth.csv, whose states are the places of objects.`,
		Example: `  stripswm record --world moves --states all --resets 0.02 --transitions 1800 --out runs/moves
  stripswm research effects --bag runs/moves`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := eval.LearnEffects(cmd.Context(), bag, side)
			if err != nil {
				return fmt.Errorf("%w: %w", errInput, err)
			}
			return encode(cmd.OutOrStdout(), r)
		},
	}
	cmd.Flags().StringVarP(&bag, "bag", "b", "",
		"recording of a simulated world, or a folder of images")
	within(cmd.Flags(), &side, "side", 64, 8, 640, "side of the thumbnails, pixels, at most")
	require(cmd, "bag")
	return cmd
}
