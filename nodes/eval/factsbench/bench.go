package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"stripswm/models/dataset"
	"stripswm/models/facts"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/vision"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

// bench is one row of the table.
type bench struct {
	world    string
	attempts int
	seed     uint64
	dir      string
	queries  int
	threads  int
	mislabel float64    // as in record.Options
	faults   sim.Faults // likewise, Resets unmarked

	truth      *sim.Graph
	recorded   int         // states
	asked      []sim.State // never recorded; all where fewer than two are left
	steps      []sim.Step  // what really happened at each attempt, without failed ones
	data       *dataset.Dataset
	result     *traces.Result
	recognizer *facts.Recognizer
	model      *strips.Model // of result
	search     *planner.Planner
	vectors    map[sim.State]strips.State // by what the model says of the world
	rng        *rand.Rand
}

// side is that of images, pixels; networks take squares of vision's presets.
const side = 128

func (b *bench) run(ctx context.Context) error {
	w, err := sim.New(b.world)
	if err != nil {
		return err
	}
	w = sim.Whole(w)
	b.truth, b.rng = sim.GroundTruth(w), rand.New(rand.NewPCG(b.seed, 0xfac75))
	preset := facts.DefaultPreset()
	if err := b.load(ctx, w, preset.ImageSize()); err != nil {
		return err
	}
	began, cpu := time.Now(), cpuTime()
	order, found, result, err := facts.Learn(b.data)
	if err != nil {
		return err
	}
	b.result = result
	symbols := cpuTime() - cpu
	if b.model, err = b.result.Model.Strips(nil); err != nil {
		return err
	}
	if b.search, err = planner.New(b.model); err != nil {
		return err
	}
	b.recognizer, err = facts.Train(ctx, b.data, order, b.result, preset, vision.Options{
		Seed: b.seed, Threads: b.threads, Progress: func(step, steps int, _ *vision.Evaluation) {
			if step%500 == 0 {
				fmt.Fprintf(os.Stderr, "step %d of %d, %.0f s CPU\n", step, steps,
					(cpuTime() - cpu).Seconds())
			}
		}})
	if err != nil {
		return err
	}
	trained := cpuTime() - cpu
	steps := b.recognizer.Classifier.History
	fmt.Printf("\n%s, %d attempts, seed %d: %d of %d states recorded, %d predicates, "+
		"%d sums of facts that never change\n", b.world, b.attempts, b.seed,
		b.recorded, len(b.truth.States()), len(b.result.Model.Predicates),
		b.recognizer.Constraints.Sums())
	fmt.Printf("learning: %.0f s CPU from attempts, %.0f s CPU in all (%.0f s), %d steps, "+
		"%.2f %% of training images exact\n", symbols.Seconds(), trained.Seconds(),
		time.Since(began).Seconds(), steps[len(steps)-1].Step, 100*steps[len(steps)-1].Exact)
	b.contradictions(found)
	if err := b.findVectors(order); err != nil {
		return err
	}
	if err := b.recognize(ctx); err != nil {
		return err
	}
	if err := b.plans(ctx); err != nil {
		return err
	}
	return b.unrelated(ctx)
}

// load records, and loads the first attempts.
func (b *bench) load(ctx context.Context, w sim.World, size int) error {
	transitions := b.attempts*93/100 + 10
	name := fmt.Sprintf("%s-%d-%d", b.world, b.attempts, b.seed)
	if b.mislabel > 0 || b.faults != (sim.Faults{}) {
		name += fmt.Sprintf("-%g-%g-%g", b.mislabel, b.faults.Resets, b.faults.Failures)
	}
	path := filepath.Join(b.dir, name)
	if _, err := os.Stat(path); err != nil {
		if _, err := record.Run(ctx, w, path, record.Options{Transitions: transitions,
			Policy: sim.Uniform, Seed: b.seed, Size: side, Quality: 90, Nuisance: 1,
			Mislabel: b.mislabel, Faults: b.faults, Unmarked: true, Workers: 2}); err != nil {
			return err
		}
	}
	r, err := learn.Load(ctx, path, learn.Frame{Side: size, Fit: pixels.Letterbox}, w.NumActions(),
		nil)
	if err != nil {
		return err
	}
	defer r.Close()
	b.data = r.Data.Part(0, 2*b.attempts)
	steps, err := sim.RunPolicyWithFaults(w, sim.Uniform, b.seed, transitions, b.faults)
	if err != nil {
		return err
	}
	recorded := map[sim.State]bool{}
	failed := false // since the last success: images before the next are not compared
	for s := range steps {
		if len(b.steps) == b.attempts {
			break
		}
		recorded[s.State], recorded[s.Next] = true, true
		s.Reset = s.Reset && !failed
		failed = s.Failed || failed && !s.OK
		if !s.Failed {
			b.steps = append(b.steps, s)
		}
	}
	for _, s := range b.truth.States() {
		if !recorded[s] {
			b.asked = append(b.asked, s)
		}
	}
	if b.recorded = len(recorded); len(b.asked) < 2 {
		b.asked = b.truth.States()
	}
	return nil
}

// findVectors finds the true predicate vector of each state: the model's, along shortest paths from
// the first state of the recording of which all is known.
func (b *bench) findVectors(order facts.Recording) error {
	from, interval, found := b.start(order)
	if !found {
		return fmt.Errorf("no static interval in which all predicates are known")
	}
	b.vectors = map[sim.State]strips.State{from: b.result.State(interval)}
	queue := []sim.State{from}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		for _, e := range b.truth.Out(s) {
			if _, ok := b.vectors[e.To]; ok {
				continue
			}
			if o := b.operator(e.Action); o != nil {
				b.vectors[e.To] = o.Apply(b.vectors[s])
				queue = append(queue, e.To)
			}
		}
	}
	return nil
}

// start is a state of which all is known, and the static interval that it is in.
func (b *bench) start(order facts.Recording) (from sim.State, interval int, found bool) {
	n := 0
	for s, segment := range order.Segments {
		for i := range segment {
			if interval = b.result.Before[s][i]; b.result.Known(interval) {
				return b.steps[n].State, interval, true
			}
			n++
		}
	}
	return 0, 0, false
}

// operator is that of an action; nil if the action never succeeded.
func (b *bench) operator(a strips.ActionID) *strips.Operator {
	i := slices.IndexFunc(b.model.Operators, func(o strips.Operator) bool { return o.Action == a })
	if i < 0 {
		return nil
	}
	return &b.model.Operators[i]
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
