// Package experiment runs experiments: command lines of stripswm, for each of some settings, whose
// results become rows of a table. It runs them on one machine, or on a cluster whose workers share
// only a folder.
//
// The main type is [Experiment], which [Read] makes of a YAML file (test/experiments has them):
//
//	settings: {attempts: 2000}                # of every job
//	rows:                                     # with settings of its own each
//	  moves: {world: moves}
//	  lids: {world: lids, noise: --resets 0.02}
//	grid: {seed: [11, 12, 13]}                # jobs: each row with each value
//	steps:
//	  - {run: "record --world {world} --seed {seed} --out {bag}", shared: "{out}/bags/{name}"}
//	  - {run: "learn --bag {bag} --out {dir} --json", row: -learn.json}
//	columns: {seconds: seconds, facts: traces.facts}
//
// In a command line {NAME} stands for the words of a setting. A word around a list becomes one word
// for each, such as --baseline={dir}/{methods}. Four settings are given: {out}, the folder of the
// experiment, {row}, {name} of the job (ROW-VALUE-VALUE), and {dir}, its own folder OUT/NAME.
//
// What a step prints is kept when it has ended well, and says from then on that it is done: in
// OUT/NAME with the ending that row says, which makes a row, or else in the step's folder. So a job
// that was killed goes on with the step that was running. An advisory lock (flock) keeps a second
// worker off a job, until the last process of the first has ended. A step with shared is run once
// for all jobs that name the same folder, which is emptied first if an experiment made it; others
// wait for it. A step with each is run for each word of a setting; where it fails, that word is
// left out of later steps.
//
//	e, err := experiment.Read("test/experiments/skills.yaml", "runs/skills", nil, nil)
//	report, err := experiment.Runner{Experiment: e, Parallel: 2, Command: command}.Run(ctx)
//	rows, missing, err := e.Gather()
//
// A column is the path of a number in what the steps of a row have printed, a sum where it leads to
// many, or the percentage that one path is of another. A figure has columns over a setting, as
// means of the jobs that do not differ in it. With points it has curves of each job, in percent, as
// means of the jobs: of the objects in the list of that name, x and y are numbers. Of jobs that
// differ in best alone, only the best is in figures: by the rule that selects checkpoints (paper,
// appendix A.1).
package experiment
