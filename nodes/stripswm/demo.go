package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"stripswm/internal/files"
	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/nodes/eval"
	"stripswm/nodes/eval/report"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/record"
)

// demoOutput is demo.json.
type demoOutput struct {
	Run provenance `json:"run"`
	learn.Summary
	Abstraction eval.Abstraction        `json:"abstraction"`
	Success     map[string]eval.Horizon `json:"success"`
	Median      float64                 `json:"plan_median_milliseconds"`
	Unseen      *unseenPlan             `json:"unseen,omitempty"`
	Bumped      *unseenPlan             `json:"bumped,omitempty"` // after camera and lamp have changed
}

// demoResult is the last file that a demo writes.
func demoResult(out string) string { return filepath.Join(reportDir(out), "demo.json") }

func demoCommand(c *common) *cobra.Command {
	var world worldFlags
	var out, method string
	var seed uint64
	var recorded recordFlags
	var lf learnFlags
	var ef evalFlags
	var images imageFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Record, learn, evaluate and report: the whole pipeline on a simulated world",
		Long: `demo records a simulated world, learns task graph, operators and classifier from the
images and action ids, plans from new images and executes the plans. It writes
DIR/report/report.html, demo.json and eval.json.

With --states all it chooses the method as learn does, and also shows a plan between two
states that the recording does not contain.

demo replaces what an earlier demo wrote to DIR; --resume continues it. It refuses a
folder with a recording, bundle or report that no demo made or that was changed since.`,
		Example: `  stripswm demo
  stripswm demo --seed 2 --out runs/demo-2
  stripswm demo --skills state-dependent --out runs/demo-2
  stripswm demo --world dinnertable --states all --transitions 2700 --images 1 --out runs/table
  stripswm demo --resume`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := recorded.check(); err != nil {
				return err
			}
			w, err := world.world()
			if err != nil {
				return err
			}
			l, err := lf.learner([]string{filepath.Join(out, "bag")}, out, seed)
			if err != nil {
				return err
			}
			if world.states == allStates && !cmd.Flags().Changed("method") {
				method = string(learn.Auto)
			}
			if l.Method, err = chosenMethod(cmd, method); err != nil {
				return err
			}
			made := []string{"bundle", "report/report.html", "report/demo.json", "report/eval.json"}
			if err := tryFolder("--out", out, made...); err != nil {
				return err
			}
			d := newDemo(cmd, c, w, l)
			d.recorded, d.eval, d.images = recorded.of(w), ef, images
			return d.run()
		},
	}
	world.add(cmd, "world", "blocksworld", "world to learn")
	world.addStates(cmd, exploredStates)
	methodFlag(cmd, &method, learn.Graph)
	cmd.Flags().Lookup("method").DefValue = "graph, with --states all auto"
	cmd.Flags().StringVarP(&out, "out", "o", "runs/demo", "folder for everything")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of policy, images and training")
	recorded.add(cmd)
	lf.add(cmd)
	ef.add(cmd)
	images.add(cmd)
	return cmd
}

type demo struct {
	cmd      *cobra.Command
	common   *common
	world    *sim.World
	learner  learn.Learner
	recorded recordFlags
	eval     evalFlags
	images   imageFlags
}

func newDemo(cmd *cobra.Command, c *common, w *sim.World, l learn.Learner) demo {
	l.Domain, l.Labels = w.Name(), sim.ActionNames(w)
	return demo{cmd: cmd, common: c, world: w, learner: l}
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
	s := learn.Summarize(d.learner, result)
	s.TrueStates, s.Mislabelled, s.Resets = recorded.States, recorded.Mislabelled, recorded.Resets
	s.Add("record", recorded.Cost)
	evaluation, unseen, bumped, cost, err := d.evaluate()
	if err != nil {
		return err
	}
	s.Add("eval", cost)
	in, err := report.OfRun(d.cmd.Context(), d.learner, result, s, &evaluation,
		originOf(d.learner.Seed, "").Command)
	if err != nil {
		return err
	}
	if unseen != nil {
		in.Plan = unseen.images
	}
	if err := report.Write(reportDir(d.learner.Out), in); err != nil {
		return err
	}
	return d.print(s, evaluation, unseen, bumped)
}

// recording is recording.json, beside the bag: what its images show is known
// from the policy, not from the bag.
type recording struct {
	record.Summary
	Cost learn.Cost `json:"cost"`
}

// record makes the recording, or keeps an earlier one when resuming. Only a recording that a demo
// made is replaced, and when the new one is whole.
func (d demo) record() (recording, error) {
	var r recording
	path := filepath.Join(filepath.Dir(d.learner.Bags[0]), "recording.json")
	if d.learner.Resume {
		if data, err := files.Read(path, maxJSON); err == nil {
			return r, json.Unmarshal(data, &r)
		}
	}
	for _, old := range []string{path, d.learner.Bags[0]} {
		if err := files.Replaceable(old); err != nil {
			return r, err
		}
	}
	draft, err := files.Draft(d.learner.Bags[0])
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(draft)
	bag := filepath.Join(draft, filepath.Base(d.learner.Bags[0]))
	r.Cost, err = learn.Measure(func() (err error) {
		r.Summary, err = d.recorded.record(
			d.cmd.Context(), d.common, d.world, bag, d.learner.Seed, d.images)
		return err
	})
	if err != nil {
		return r, err
	}
	data, err := json.Marshal(r)
	if err != nil {
		return r, err
	}
	// Killed between these, there is no recording.json, and the next demo records again.
	if err := files.Remove(path); err != nil {
		return r, err
	}
	if err := files.Place(bag, d.learner.Bags[0]); err != nil {
		return r, err
	}
	return r, files.Write(path, data)
}

// bump is what happens to camera and lamp at the end of a demo.
var bump = sim.Wear{Right: 0.02, Down: 0.01, Roll: 0.01, Light: 0.8}

func (d demo) evaluate() (r eval.Report, u, bumped *unseenPlan, cost learn.Cost, err error) {
	cost, err = learn.Measure(func() error {
		p, err := imageplan.Open(learn.BundleDir(d.learner.Out), imageplan.Options{})
		if err != nil {
			return err
		}
		defer p.Close()
		o := d.eval.options(p.Bundle(), d.images, d.learner.Seed)
		tell, done := d.common.partProgress(d.cmd.Context())
		o.Progress = tell
		r, err = eval.Run(d.cmd.Context(), p, d.world, o)
		if done(); err == nil {
			u, err = d.planUnseen(p, d.world)
		}
		if err == nil {
			bumped, err = d.planUnseen(p, sim.Worn(d.world, &bump))
		}
		return err
	})
	return r, u, bumped, cost, err
}

// print writes demo.json and the table that the run ends with.
func (d demo) print(s learn.Summary, r eval.Report, u, bumped *unseenPlan) error {
	run := originOf(d.learner.Seed, d.recorded.policy)
	out := demoOutput{Run: run, Summary: s, Abstraction: r.Abstraction,
		Success: map[string]eval.Horizon{}, Median: r.MedianMilliseconds, Unseen: u,
		Bumped: bumped}
	for _, h := range r.Horizons {
		out.Success[strconv.Itoa(h.Horizon)] = h
	}
	if err := writeJSON(filepath.Join(reportDir(d.learner.Out), "eval.json"),
		evalOutput{run, r}); err != nil {
		return err
	}
	if err := writeJSON(demoResult(d.learner.Out), out); err != nil {
		return err
	}
	return d.common.print(d.cmd, out, func(w io.Writer) {
		printEval(w, d.world.Name(), r)
		printUnseen(w, "A plan between two states that the recording does not contain", u)
		printUnseen(w, fmt.Sprintf("And one after the camera was bumped by %.0f %% of the image's "+
			"width, and the lamp dimmed by %.0f %%", 100*bump.Right, 100*(1-bump.Light)), bumped)
		printChoice(w, s.Choice)
		printCosts(w, s)
		fmt.Fprintf(w, "\nimage to plan: %.1f ms median\nreport: %s\n", r.MedianMilliseconds,
			filepath.Join(reportDir(d.learner.Out), "report.html"))
	})
}

// unseenPlan is a plan between images of two states that the recording does not contain.
type unseenPlan struct {
	Start   string            `json:"start"` // in words
	Goal    string            `json:"goal"`
	Plan    []strips.ActionID `json:"plan"`
	Names   []string          `json:"names"`
	Reached bool              `json:"reached"` // the goal, in the simulated world
	images  *report.Plan
}

// planUnseen plans between never-recorded states, as a world shows them: the first of twenty random
// pairs whose images are recognized. It is nil if there is none.
func (d demo) planUnseen(p *imageplan.Planner, shown *sim.World) (*unseenPlan, error) {
	never, err := eval.Unrecorded(d.world, p.Bundle().Manifest.Simulation)
	if err != nil || len(never) < 2 {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(d.learner.Seed, 0x0eed))
	for n := range uint64(20) {
		start, goal := never[rng.IntN(len(never))], never[rng.IntN(len(never))]
		from, err := d.photograph(shown, start, 2*n)
		if err != nil {
			return nil, err
		}
		to, err := d.photograph(shown, goal, 2*n+1)
		if err != nil {
			return nil, err
		}
		found, err := p.Plan(d.cmd.Context(), pixels.FromImage(from), pixels.FromImage(to))
		switch {
		case errors.Is(err, imageplan.ErrUnrecognized):
		case err != nil:
			return nil, err
		case found.Outcome == planner.Found && len(found.Plan) > 0:
			return d.execute(p.Model(), start, goal, found.Plan, &report.Plan{Start: from, Goal: to})
		}
	}
	return nil, nil
}

// execute executes a plan in the simulated world, with an image after each skill.
func (d demo) execute(m *strips.Model, start, goal sim.State, plan []strips.ActionID,
	images *report.Plan,
) (*unseenPlan, error) {
	u := &unseenPlan{Start: d.world.Describe(start), Goal: d.world.Describe(goal), Plan: plan,
		images: images}
	images.Caption = fmt.Sprintf("A plan of %d skills between two states that the recording does not "+
		"contain, executed in the simulated world.", len(plan))
	at := start
	for i, a := range plan {
		next, ok := d.world.Apply(at, a)
		img, err := d.photograph(d.world, next, 1<<8+uint64(i))
		if err != nil {
			return nil, err
		}
		u.Names = append(u.Names, m.Label(a))
		images.Steps = append(images.Steps, report.PlanStep{Action: a, Name: m.Label(a), State: -1,
			Image: img, Shows: d.world.Describe(next)})
		if at = next; !ok {
			break
		}
	}
	u.Reached = at == goal
	return u, nil
}

// photograph is an image of a state that no recording and no evaluation has.
func (d demo) photograph(w *sim.World, s sim.State, n uint64) (image.Image, error) {
	c := camera.New(d.images.size, d.images.size)
	c.Strength = d.images.nuisance
	return c.Render(w, s, record.EvaluationSeed(d.learner.Seed, 1<<39+n))
}

func printUnseen(w io.Writer, what string, u *unseenPlan) {
	if u == nil {
		return
	}
	end := "which reaches the goal"
	if !u.Reached {
		end = "which does not reach the goal"
	}
	fmt.Fprintf(w, "\n%s, %s:\n  from  %s\n  to    %s\n  plan  %s\n", what, end, u.Start, u.Goal,
		strings.Join(u.Names, " "))
}

// printCosts prints time and peak memory of each part of a run.
func printCosts(out io.Writer, s learn.Summary) {
	t := newTable(out)
	t.head("part", "time", "peak memory")
	total, peak := 0.0, 0.0
	row := func(name string, seconds, mb float64) {
		memory := "-"
		if mb > 0 {
			memory = fmt.Sprintf("%.0f MB", mb)
		}
		t.row(name, fmt.Sprintf("%.1f s", seconds), memory)
	}
	for _, p := range report.Phases {
		if seconds, ok := s.Seconds[p.Key]; ok {
			row(p.Name, seconds, s.PeakMB[p.Key])
			total, peak = total+seconds, max(peak, s.PeakMB[p.Key])
		}
	}
	row("all", total, peak)
	t.Flush()
}
