// Package sweep runs the pipeline over a grid of settings as independent jobs: on one machine, or
// on a cluster whose workers share only a folder.
//
// The main types are [Grid], whose Jobs are numbered in a fixed order, and [Folder], which contains
// the jobs and their results:
//
//	sweep.json            the grid, and its jobs with all their settings
//	jobs/003-NAME/        one job: what `stripswm demo` writes, and log.txt
//	bags/NAME/            one recording, for all jobs that learn from the same
//	results/              what Gather finds, as tables and figures
//
// A job is done when report/demo.json exists, which is written last and at once. An advisory lock
// in the job's folder (flock) keeps a second worker off the job. The lock ends with its process,
// and the next worker resumes from the job's checkpoint. [Runner] runs the open jobs as processes:
//
//	folder, err := sweep.Open("runs/sweep")
//	report, err := sweep.Runner{Folder: folder, Parallel: 2, Command: command}.Run(ctx)
//
// Gather reads the jobs that are done. Of jobs that differ only in the latent space it selects the
// best, by the rule that selects checkpoints (paper, appendix A.1).
package sweep
