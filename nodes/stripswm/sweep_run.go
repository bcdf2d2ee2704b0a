package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"stripswm/models/inference"
	"stripswm/nodes/eval/sweep"
	"stripswm/nodes/sim"
	"stripswm/nodes/stripswm/internal/progress"
)

// machine is what a job runs on. Results do not depend on it but for rounding.
type machine struct {
	threads int
	device  string
}

func sweepRunCommand(c *common) *cobra.Command {
	var f sweepFlags
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
			folder, err := f.open()
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
	f.add(cmd)
	cmd.Flags().IntVar(&index, "index", 0, "run this job alone (0 to jobs - 1)")
	cmd.Flags().IntVarP(&parallel, "jobs", "j", 1, "jobs to run at once")
	cmd.Flags().StringVar(&m.device, "device", "cpu", "where to train: cpu or cuda")
	cmd.Flags().IntVar(&m.threads, "threads", 0,
		"threads of ONNX Runtime for each job (default: an equal part of the cores)")
	atLeast(cmd.Flags(), "index", &index, 0)
	atLeast(cmd.Flags(), "jobs", &parallel, 1)
	atLeast(cmd.Flags(), "threads", &m.threads, 0)
	cmd.MarkFlagsMutuallyExclusive("index", "jobs")
	return cmd
}

// runSweep runs the open jobs as processes of this program.
func runSweep(cmd *cobra.Command, c *common, folder sweep.Folder, parallel int, m machine) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	watch, done := progress.Later(cmd.Context(), "sweep", progress.Options{Quiet: c.quiet || c.json})
	report, err := sweep.Runner{
		Folder: folder, Parallel: parallel,
		Command: func(j sweep.Job) *exec.Cmd {
			return exec.Command(program, "research", "sweep", "run", "--out", folder.Dir, "--index",
				strconv.Itoa(j.Index),
				"--threads", strconv.Itoa(m.threads), "--device", m.device, "--onnxruntime", c.library)
		},
		Progress: func(ended, open int) { watch(int64(ended), int64(open)) },
	}.Run(cmd.Context())
	done()
	if err != nil {
		return fmt.Errorf("%w; the same command continues", err)
	}
	if c.json {
		if err := printJSON(cmd, report); err != nil {
			return err
		}
	} else {
		printRun(cmd, folder, report)
	}
	if len(report.Failed) > 0 {
		return fmt.Errorf("%w: %d of %d failed", errJobs, len(report.Failed), len(folder.Jobs))
	}
	return nil
}

func printRun(cmd *cobra.Command, folder sweep.Folder, r sweep.Report) {
	w := cmd.OutOrStdout()
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
