package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"stripswm/models/imageplan"
	"stripswm/nodes/learner/pipeline"
	"stripswm/nodes/sim"
	"stripswm/nodes/simrig/record"
	"stripswm/nodes/stripswm/eval"
	"stripswm/nodes/stripswm/report"
)

// paperRows is the paper's table 1, to compare with.
var paperRows = map[string]report.Table{
	"blocksworld":     {Actions: 18, Transitions: 5000, TrueStates: 16, States: 16, Codes: 16, Predicates: 9},
	"dinnertable":     {Actions: 70, Transitions: 12000, TrueStates: 101, States: 101, Codes: 101, Predicates: 35, Eta: 9},
	"dinnertablereal": {Actions: 64, Transitions: 3000, TrueStates: 71, States: 111, Codes: 71, Predicates: 35, Eta: 13},
}

// demoOutput is demo.json.
type demoOutput struct {
	summary
	Abstraction eval.Abstraction        `json:"abstraction"`
	Success     map[string]eval.Horizon `json:"success"`
	Median      float64                 `json:"plan_median_milliseconds"`
}

func demoCommand(c *common) *cobra.Command {
	var world, out string
	var seed uint64
	var transitions int
	var lf learnFlags
	var ef evalFlags
	var pictures pictureFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Record, learn, evaluate and report: the whole pipeline on a simulated table",
		Long: `demo records a simulated world, learns task graph, operators and classifier from
the pictures and action ids, plans from new pictures, executes the plans, and
writes a report to look at (report/report.html, report/demo.json).

A folder that an earlier demo made is replaced; --resume goes on with it.`,
		Example: `  stripswm demo
  stripswm demo --seed 2 --out runs/demo-2
  stripswm demo --resume`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := sim.New(world)
			if err != nil {
				return usageError{err}
			}
			if err := pictures.check(); err != nil {
				return err
			}
			if transitions, err = transitionsOf(w, transitions); err != nil {
				return err
			}
			l, err := lf.learner(filepath.Join(out, "bag"), out, seed)
			if err != nil {
				return err
			}
			l.Domain, l.Labels = w.Name(), labels(w)
			d := demo{cmd: cmd, common: c, world: w, learner: l, transitions: transitions, eval: ef, pictures: pictures}
			return d.run()
		},
	}
	cmd.Flags().StringVar(&world, "world", "blocksworld", "world to learn")
	cmd.Flags().StringVarP(&out, "out", "o", "runs/demo", "folder for everything")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of walk, pictures and training")
	cmd.Flags().IntVarP(&transitions, "transitions", "n", 0, "transitions to record (default: as many as the paper's data set)")
	lf.add(cmd)
	ef.add(cmd)
	pictures.add(cmd)
	return cmd
}

func labels(w sim.World) []string {
	names := make([]string, w.NumActions())
	for i := range names {
		names[i] = w.ActionName(actionID(i))
	}
	return names
}

type demo struct {
	cmd         *cobra.Command
	common      *common
	world       sim.World
	learner     pipeline.Learner
	transitions int
	eval        evalFlags
	pictures    pictureFlags
}

func (d demo) run() error {
	recorded, err := d.record()
	if err != nil {
		return err
	}
	result, err := runLearner(d.cmd.Context(), d.common, d.learner)
	if result != nil && result.Recording != nil {
		defer result.Recording.Close()
	}
	if err != nil {
		return err
	}
	s := summarize(d.learner, result)
	s.TrueStates = recorded.States
	s.Seconds["record"] = recorded.Seconds
	evaluation, seconds, err := d.evaluate()
	if err != nil {
		return err
	}
	s.Seconds["eval"] = seconds
	x := reportExtras{summary: s, evaluation: &evaluation, command: fmt.Sprintf("stripswm demo --world %s --seed %d", d.world.Name(), d.learner.Seed)}
	if row, ok := paperRows[d.world.Name()]; ok {
		x.paper = &row
	}
	if err := writeReport(context.WithoutCancel(d.cmd.Context()), d.learner, result, x); err != nil {
		return err
	}
	return d.print(s, evaluation)
}

// record makes the recording, or keeps an earlier one when resuming. What the
// recording's pictures show is known from the walk, not from the recording.
func (d demo) record() (record.Summary, error) {
	path := filepath.Join(d.learner.Out, "recording.json")
	if d.learner.Resume {
		if data, err := os.ReadFile(path); err == nil {
			var s record.Summary
			return s, json.Unmarshal(data, &s)
		}
	}
	if err := os.RemoveAll(d.learner.Bag); err != nil {
		return record.Summary{}, err
	}
	if err := os.MkdirAll(d.learner.Out, 0o777); err != nil {
		return record.Summary{}, err
	}
	s, err := d.pictures.record(d.cmd.Context(), d.common, d.world, d.learner.Bag, d.transitions, d.learner.Seed)
	if err != nil {
		return s, err
	}
	data, err := json.Marshal(s)
	if err != nil {
		return s, err
	}
	return s, writeWith(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}

func (d demo) evaluate() (eval.Report, float64, error) {
	begin := time.Now()
	p, err := imageplan.Open(pipeline.BundleDir(d.learner.Out), imageplan.Options{})
	if err != nil {
		return eval.Report{}, 0, err
	}
	defer p.Close()
	r, err := runEval(d.cmd, d.common, p, d.world, d.eval, d.pictures, d.learner.Seed)
	return r, time.Since(begin).Seconds(), err
}

// print writes demo.json and the table that the run ends with.
func (d demo) print(s summary, r eval.Report) error {
	out := demoOutput{summary: s, Abstraction: r.Abstraction, Success: map[string]eval.Horizon{}, Median: r.MedianMilliseconds}
	for _, h := range r.Horizons {
		out.Success[strconv.Itoa(h.Horizon)] = h
	}
	data, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		return err
	}
	path := filepath.Join(reportDir(d.learner.Out), "demo.json")
	if err := writeWith(path, func(w io.Writer) error { _, err := w.Write(append(data, '\n')); return err }); err != nil {
		return err
	}
	if d.common.json {
		return printJSON(d.cmd, out)
	}
	w := d.cmd.OutOrStdout()
	if err := printEval(w, d.world.Name(), r); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nimage to plan: %.1f ms median\nreport: %s\n", r.MedianMilliseconds, filepath.Join(reportDir(d.learner.Out), "report.html"))
	return nil
}
