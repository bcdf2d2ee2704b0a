package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"stripswm/models/inference"
	"stripswm/models/vision"
	"stripswm/nodes/eval/sweep"
	"stripswm/nodes/sim"
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

// sweepFolder adds the flag that every part of sweep needs.
func sweepFolder(cmd *cobra.Command, out *string) {
	cmd.Flags().StringVarP(out, "out", "o", "", "folder of the sweep")
	require(cmd, "out")
}

func sweepInitCommand(c *common) *cobra.Command {
	var out string
	var g sweep.Grid
	var seeds []string
	var images imageFlags
	cmd := &cobra.Command{
		Use:   "init --out DIR",
		Short: "Number the jobs of a grid",
		Long: `init writes DIR/sweep.json: the grid, and its jobs with all their settings, numbered from
0. It never changes an existing sweep. Lists are separated by commas.

A fraction of the data is the first part of the recording.`,
		Example: `  stripswm research sweep init --out runs/latent --world dinnertable --preset medium --seed 1,2,3
  stripswm research sweep init --out runs/labels --dims 5 --data 1,0.5,0.25 --mislabel 0,0.01,0.03,0.1`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, text := range seeds {
				seed, err := strconv.ParseUint(text, 10, 64)
				if err != nil {
					return usagef("--seed: %q is not a whole number from 0 on", text)
				}
				g.Seeds = append(g.Seeds, seed)
			}
			g.Size, g.Nuisance = images.size, images.nuisance
			if _, err := g.Jobs(); err != nil {
				return usageError{err}
			}
			folder, err := sweep.Create(out, g)
			if err != nil {
				return err
			}
			jobs := len(folder.Jobs)
			return c.print(cmd, map[string]int{"jobs": jobs}, func(w io.Writer) {
				fmt.Fprintf(w, "%s: %d jobs, 0 to %d\n", out, jobs, jobs-1)
			})
		},
	}
	sweepFolder(cmd, &out)
	cmd.Flags().StringSliceVar(&g.Worlds, "world", []string{"blocksworld"}, "worlds to learn: "+
		strings.Join(sim.Names(), ", "))
	cmd.Flags().StringSliceVar(&g.Presets, "preset", []string{vision.DefaultPreset},
		"networks and training: auto, small, medium or paper")
	cmd.Flags().StringSliceVar(&seeds, "seed", []string{"1"}, "seeds of policy, images and training")
	cmd.Flags().IntSliceVar(&g.Dims, "dims", []int{5, 6, 7}, "latent dimensions")
	cmd.Flags().Float64SliceVar(&g.Data, "data", []float64{1},
		"fractions of the transitions to learn from")
	cmd.Flags().Float64SliceVar(&g.Mislabel, "mislabel", []float64{0},
		"fractions of the transitions with a wrong action id")
	cmd.Flags().IntVarP(&g.Transitions, "transitions", "n", 0,
		"successful transitions to record (default: the number in the paper's data set)")
	cmd.Flags().IntVar(&g.Steps, "steps", 0, stepsHelp)
	cmd.Flags().IntVar(&g.Queries, "queries", 200,
		"start/goal image pairs for each shortest-path horizon")
	images.add(cmd)
	completeWorlds(cmd, "world")
	completePresets(cmd)
	return cmd
}

// machine is what a job runs on. Results do not depend on it but for rounding.
type machine struct {
	threads int
	device  string
}

func sweepRunCommand(c *common) *cobra.Command {
	var out string
	var index, parallel int
	var m machine
	cmd := &cobra.Command{
		Use:   "run --out DIR [--index I | --jobs N]",
		Short: "Run a job of a sweep, or all that are not done",
		Long: `run runs all jobs that are not done, --jobs at a time, each in a process of its own that
writes DIR/jobs/NAME/log.txt. With --index it runs one job in this process, as a task of
a cluster does.

An interrupted job continues from its checkpoint. A job that another worker runs is
skipped. ^C stops all jobs and keeps their checkpoints.`,
		Example: `  stripswm research sweep run --out runs/sweep --jobs 2
  stripswm research sweep run --out /shared/sweep --index "$SLURM_ARRAY_TASK_ID"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			folder, err := sweep.Open(out)
			if err != nil {
				return err
			}
			if m.threads == 0 {
				m.threads = min(max(runtime.GOMAXPROCS(0)/parallel, 1), 8)
			}
			if _, err := inference.ParseDevice(m.device); err != nil {
				return usageError{err}
			}
			if !cmd.Flags().Changed("index") {
				return runSweep(cmd, c, folder, parallel, m)
			}
			job, err := folder.Job(index)
			if err != nil {
				return usageError{err}
			}
			return runJob(cmd, c, folder, job, m)
		},
	}
	sweepFolder(cmd, &out)
	atLeast(cmd.Flags(), &index, "index", 0, 0, "run this job alone (0 to jobs - 1)")
	atLeast(cmd.Flags(), &parallel, "jobs,j", 1, 1, "jobs to run at once")
	cmd.Flags().StringVar(&m.device, "device", "cpu", "where to train: cpu or cuda")
	atLeast(cmd.Flags(), &m.threads, "threads", 0, 0,
		"threads of ONNX Runtime for each job (default: an equal part of the cores)")
	cmd.MarkFlagsMutuallyExclusive("index", "jobs")
	return cmd
}

// runSweep runs the open jobs as processes of this program.
func runSweep(cmd *cobra.Command, c *common, folder sweep.Folder, parallel int, m machine) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	show := c.progress(cmd.Context())
	report, err := sweep.Runner{
		Folder: folder, Parallel: parallel,
		Command: func(j sweep.Job) *exec.Cmd {
			return exec.Command(program, "research", "sweep", "run", "--out", folder.Dir, "--index",
				strconv.Itoa(j.Index),
				"--threads", strconv.Itoa(m.threads), "--device", m.device, "--onnxruntime", c.library)
		},
		Progress: func(ended, open int) { show.Set("sweep", ended, open, "") },
	}.Run(cmd.Context())
	show.Done()
	if err != nil {
		return fmt.Errorf("%w; the same command continues", err)
	}
	if err := c.print(cmd, report, func(w io.Writer) { printRun(w, folder, report) }); err != nil {
		return err
	}
	if len(report.Failed) > 0 {
		return fmt.Errorf("%w: %d of %d failed", errJobs, len(report.Failed), len(folder.Jobs))
	}
	return nil
}

func printRun(w io.Writer, folder sweep.Folder, r sweep.Report) {
	before := len(folder.Jobs) - len(r.Done) - len(r.Failed) - len(r.Elsewhere)
	fmt.Fprintf(w, "%d jobs: %d done before, %d done now, %d run by another worker, %d failed\n",
		len(folder.Jobs), before, len(r.Done), len(r.Elsewhere), len(r.Failed))
	for _, f := range r.Failed {
		fmt.Fprintf(w, "failed: %s: %s\n", f.Job.Name(), f.Reason)
	}
}

// runJob runs one job in this process, unless it is done.
func runJob(cmd *cobra.Command, c *common, folder sweep.Folder, job sweep.Job, m machine) error {
	release, err := folder.LockJob(job)
	if err != nil {
		return err
	}
	defer release()
	if folder.Done(job) {
		if !c.quiet {
			fmt.Fprintf(cmd.ErrOrStderr(), "job %d is done: %s\n", job.Index, folder.JobDir(job))
		}
		return nil
	}
	if err := folder.Fail(job, nil); err != nil {
		return err
	}
	err = pipelineOf(cmd, c, folder, job, m)
	if err == nil || cmd.Context().Err() != nil {
		return err
	}
	return errors.Join(err, folder.Fail(job, err))
}

// imagesPerTrueState is how many new images of each true state a job classifies.
const imagesPerTrueState = 20

// pipelineOf does for a job what demo --resume does. Jobs that learn from the same
// recording wait for the one that makes it.
func pipelineOf(cmd *cobra.Command, c *common, folder sweep.Folder, job sweep.Job,
	m machine,
) error {
	world, err := sim.New(job.World)
	if err != nil {
		return err
	}
	flags := learnFlags{
		preset: job.Preset, dims: []int{job.Dims}, trainFlags: trainFlags{steps: job.Steps,
			resume: true, threads: m.threads, device: m.device},
	}
	learner, err := flags.learner(folder.Bag(job), folder.JobDir(job), job.Seed)
	if err != nil {
		return err
	}
	d := newDemo(cmd, c, world, learner)
	d.recorded = recordFlags{transitions: job.Transitions, policy: string(sim.Uniform),
		mislabel: job.Mislabel}
	d.eval = evalFlags{queries: job.Queries, perState: imagesPerTrueState, quick: true}
	d.images = imageFlags{size: job.Size, nuisance: job.Nuisance}
	release, err := folder.LockRecording(cmd.Context(), job)
	if err != nil {
		return err
	}
	_, err = d.record()
	release()
	if err != nil {
		return err
	}
	return d.run()
}

// gathered is what gather prints for scripts.
type gathered struct {
	Results []sweep.Result  `json:"results"`
	Missing []sweep.Missing `json:"missing"`
	Dir     string          `json:"dir"`
}

func sweepGatherCommand(c *common) *cobra.Command {
	var out string
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
			folder, err := sweep.Open(out)
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
			err = c.print(cmd, g, func(w io.Writer) { printGathered(w, g) })
			if err == nil && len(g.Missing) > 0 {
				err = fmt.Errorf("%w: %d of %d are missing", errJobs, len(g.Missing), len(folder.Jobs))
			}
			return err
		},
	}
	sweepFolder(cmd, &out)
	return cmd
}

func printGathered(out io.Writer, g gathered) {
	t := newTable(out)
	t.row("job", "world", "preset", "seed", "data", "mislabelled", "dims", "loss", "nondet.", "|S*|",
		"|S|", "m", "sum xi", "sum eta", "in graph", "time", "peak", "selected")
	for _, r := range g.Results {
		a, mark := r.Abstraction, ""
		if r.Selected {
			mark = "*"
		}
		t.row(r.Index, r.World, r.Preset, r.Seed, fmt.Sprintf("%g %%", 100*r.Data),
			fmt.Sprintf("%g %%", 100*r.Mislabel), r.Dims, fmt.Sprintf("%.4f", r.Chosen.Losses["total"]),
			r.Chosen.Nondeterministic, a.TrueStates, a.States, a.Predicates, a.Xi, a.Eta,
			fmt.Sprintf("%.1f %%", 100*r.Solved()), fmt.Sprintf("%.0f s", r.Time()),
			fmt.Sprintf("%.0f MB", r.Peak()), mark)
	}
	printDims(t, g.Results)
	t.Flush()
	for _, m := range g.Missing {
		fmt.Fprintf(out, "missing: %s: %s\n", m.Job.Name(), cmp.Or(m.Reason, "not done yet"))
	}
	fmt.Fprintf(out,
		"\n* best of the jobs that differ in dims alone, by loss and latent nondeterminism\nresults: "+
			"%s\n", g.Dir)
}

// printDims prints means over the jobs of each latent space.
func printDims(t table, results []sweep.Result) {
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
	t.head("dims", "jobs", "selected", "mean |S|", "nondet.", "sum eta", "in graph")
	for _, dims := range slices.Sorted(maps.Keys(by)) {
		s := by[dims]
		mean := func(sum float64) string { return fmt.Sprintf("%.1f", sum/s.jobs) }
		t.row(dims, s.jobs, s.selected, mean(s.states), mean(s.nondeterminism), mean(s.eta),
			mean(100*s.solved)+" %")
	}
}
