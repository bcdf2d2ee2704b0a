package learn

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"stripswm/bags"
	"stripswm/models/bundle"
	"stripswm/models/facts"
	"stripswm/models/inference"
	"stripswm/models/operators"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/traces"
	"stripswm/models/vision"
	"stripswm/nodes/learn/diagnostics"
)

// Stage names a stage of the method, or all of them.
type Stage string

// The stages. A later stage alone takes the parts before it from the bundle.
const (
	All             Stage = "all"
	GraphStage      Stage = "graph"      // 1: images to codes to task graph
	OperatorStage   Stage = "operators"  // 2: task graph to predicates and operators
	ClassifierStage Stage = "classifier" // 3: images to predicates
)

// ParseStage reads a stage's name or number.
func ParseStage(name string) (Stage, error) {
	switch name {
	case "", "all":
		return All, nil
	case "1", "graph":
		return GraphStage, nil
	case "2", "operators":
		return OperatorStage, nil
	case "3", "classifier":
		return ClassifierStage, nil
	}
	return "", fmt.Errorf("unknown stage %q: choose all, graph, operators or classifier", name)
}

// Progress is told what is being done: done of total, and a word on how it goes.
type Progress func(what string, done, total int, note string)

// Learner learns a bundle from recordings.
type Learner struct {
	// Bags are recordings of the same skills, of which later ones may have more, such as those of an
	// object that was added. Images are aligned to the first one's camera.
	Bags   []string
	Out    string        // folder for bundle and checkpoint
	Domain string        // kept in the manifest
	Preset vision.Preset // of method Graph
	Facts  vision.Preset // of method Traces, such as facts.DefaultPreset
	Camera pixels.Camera // where it is not what the recording says: a region, or bits, of its own
	Sweep  []vision.FSQ  // latent spaces to try; empty takes the preset's
	Method Method        // empty means Graph
	Stage  Stage         // empty means All; of method Graph
	// Encoder is a bundle to take the encoder from; empty trains one. All after it is learned of the
	// recording, which may hold more than the encoder was trained on.
	Encoder string
	Seed    uint64
	Threads int              // as many as there are processors at most
	Device  inference.Device // where to train; empty means the CPU
	Actions int              // L; 0 takes the highest id in the recording
	Labels  []string         // names of actions 1..L for people; may be empty
	Resume  bool
	Live    bool // the recording may still be being made (bags.OpenLive)
	// share of the transitions, the last ones, not to learn from (Recording.Split)
	ValidationFraction float64
	// MinSupport is the share of the evidence about nodes and edges that has to be
	// for them; others are dropped (taskgraph.Graph.Prune). 0 keeps all.
	MinSupport float64
	Operators  operators.Options
	Version    string // of the program, for the manifest
	Progress   Progress
}

// Result is what a run learned. Parts of stages that were not run, and could
// not be taken from the bundle, are nil.
type Result struct {
	Recording *Recording
	World     *vision.Learned
	Graph     *taskgraph.Graph
	// transitions before which somebody changed the scene without saying so (Changes)
	Cuts      []int
	Repaired  *Repaired        // what was done to get Graph
	Nodes     []strips.StateID // of each image of Recording.Data; -1 for none
	Operators *operators.Result
	Choice    *Choice        // of method Auto
	Labels    []string       // of all actions, also of those without an operator; of method Traces
	Traces    *traces.Result // of method Traces
	// what the images contradict, which was not learned from; of method Traces
	Contradictions []facts.Contradiction
	Unexplained    []facts.Unexplained // skills that change something else than facts; likewise
	Refused        []facts.Refused     // skills of which no fact tells when they apply; likewise
	Model          *strips.Model       // likewise
	Classifier     *vision.LearnedClassifier
	Bundle         *bundle.Bundle
	Diagnostics    []diagnostics.Diagnostic // where what was learned cannot be right
	NextNew        float64                  // diagnostics.NextNew; 0 where stage 1 was not run

	// Largest absolute differences between exported networks and the trainer.
	EncoderDifference, ClassifierDifference float64
	// Costs by stage: load, decide, stage1, stage2, stage3.
	Costs map[string]Cost
}

// Label names an action, also one that the model has no operator of.
func (r *Result) Label(a strips.ActionID) string { return r.Labels[a-1] }

// BundleDir is where a Learner with this Out puts its bundle.
func BundleDir(out string) string { return filepath.Join(out, "bundle") }

// Run learns. Each stage of method Graph that is finished is written to the bundle, and method
// Traces writes all at its end. When ctx ends, the error wraps ctx's: a bundle of the stages before
// is kept, and of stage 1 the checkpoint. Use Resume to go on.
func (l Learner) Run(ctx context.Context) (*Result, error) {
	if err := os.MkdirAll(l.Out, 0o777); err != nil {
		return nil, fmt.Errorf("make output folder: %w", err)
	}
	if l.Stage == "" {
		l.Stage = All
	}
	// ONNX Runtime would start them all and never get to work
	l.Threads = min(l.Threads, runtime.NumCPU())
	r := &run{Learner: l, result: &Result{Costs: map[string]Cost{}}, parts: map[bundle.Role][]byte{},
		frame: Frame{Side: l.Preset.ImageSize(), Fit: pixels.Letterbox, Camera: l.Camera.Or}}
	err := r.stages(ctx)
	if ctx.Err() == nil {
		err = errors.Join(err, r.evaluate())
	}
	return r.result, err
}

// run is one Run of a Learner.
type run struct {
	Learner
	result *Result
	parts  map[bundle.Role][]byte
	reused *bundle.Bundle // of the encoder; nil where it is trained
	space  vision.FSQ     // of the encoder's codes
	frame  Frame
	// share of the held-out images that the classifier of facts decodes to other values
	misread float64
}

func (r *run) stages(ctx context.Context) error {
	switch r.Method {
	case Traces:
		return r.traces(ctx)
	case Auto:
		return r.auto(ctx)
	}
	return r.tabular(ctx)
}

// tabular runs the stages of method Graph.
func (r *run) tabular(ctx context.Context) error {
	does := func(s Stage) bool { return r.Stage == All || r.Stage == s }
	if !does(GraphStage) {
		if err := r.reuse(); err != nil {
			return fmt.Errorf("stage %s needs the bundle of the stages before it: %w", r.Stage, err)
		}
	} else if r.Encoder != "" {
		if err := r.openReused(); err != nil {
			return fmt.Errorf("take the encoder of another bundle: %w", err)
		}
	}
	if (does(GraphStage) || does(ClassifierStage)) && r.result.Recording == nil {
		if err := r.measured("load", func() error { return r.load(ctx) }); err != nil {
			return err
		}
	}
	for _, stage := range []struct {
		Stage
		cost  string
		learn func(context.Context) error
	}{
		{GraphStage, "stage1", r.graph}, {OperatorStage, "stage2", r.operators},
		{ClassifierStage, "stage3", r.classifier},
	} {
		if !does(stage.Stage) {
			continue
		}
		if err := r.measured(stage.cost, func() error { return stage.learn(ctx) }); err != nil {
			return err
		}
		if err := r.commit(); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) measured(name string, stage func() error) error {
	cost, err := Measure(stage)
	r.result.Costs[name] = cost
	return err
}

func (r *run) report(what string, done, total int, note string) {
	if r.Progress != nil {
		r.Progress(what, done, total, note)
	}
}

func (r *run) load(ctx context.Context) (err error) {
	if side := r.Preset.ImageSize(); side != r.frame.Side {
		return fmt.Errorf(
			"the bundle's networks take images of %d pixels, preset %s %d: take the preset that it was "+
				"learned with", r.frame.Side, r.Preset.Name, side)
	}
	open := bags.Open
	if r.Live {
		open = bags.OpenLive
	}
	if r.frame.Reference == nil { // of no bundle, or of an early version's
		if r.frame.Reference, err = referenceOf(ctx, open, r.Bags[0], r.frame); err != nil {
			return err
		}
	}
	r.result.Recording, err = loadAll(ctx, open, r.Bags, r.frame, max(r.Actions, len(r.Labels)),
		func(k, n int) { r.report(reading(k, r.Bags), n, 0, "") })
	if err == nil && r.ValidationFraction > 0 {
		r.result.Recording, _ = r.result.Recording.Split(r.ValidationFraction)
	}
	if err == nil && len(r.Labels) == 0 &&
		len(r.result.Recording.Names) == r.result.Recording.Data.Actions {
		r.Labels = r.result.Recording.Names
	}
	return err
}

// reading says which of several recordings is read.
func reading(recording int, all []string) string {
	if len(all) == 1 {
		return "read recording"
	}
	return fmt.Sprintf("read recording %d of %d", recording+1, len(all))
}

// AtMost is a preset whose stage 1 trains for so many steps at most; 0 keeps the
// preset's. Where that is less than stage 3 would train for on the smallest
// recording, stage 3 trains no longer either.
func AtMost(p vision.Preset, steps int) vision.Preset {
	if steps == 0 {
		return p
	}
	p.WorldModel.Steps = steps
	if steps < p.Classifier.Steps {
		p.Classifier.Steps, p.Classifier.Epochs, p.Classifier.Patience = steps, 0, 1
	}
	return p
}

// Cost is what a part of a run took.
type Cost struct {
	Seconds float64
	// PeakMemory is the most memory of the process, in bytes, that was resident
	// at once, what earlier parts left behind included; 0 where the system does
	// not tell (it does on Linux).
	PeakMemory int64
}

// Measure runs one part and says what it took. Parts must not overlap.
func Measure(part func() error) (Cost, error) {
	known := resetPeak()
	start := time.Now()
	err := part()
	c := Cost{Seconds: time.Since(start).Seconds()}
	if known {
		c.PeakMemory = peakMemory()
	}
	return c, err
}
