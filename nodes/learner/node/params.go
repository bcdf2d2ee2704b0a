package node

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"stripswm/models/facts"
	"stripswm/models/operators"
	"stripswm/models/pixels"
	"stripswm/models/taskgraph"
	"stripswm/models/vision"
	"stripswm/nodes/learn"
	"stripswm/nodes/ros"
)

// params are the node's parameters, read when learning starts.
type params struct {
	bag, out, encoder, preset, method, stage, name *ros.Parameter[string]
	refresh                                        *ros.Parameter[string]
	runs                                           *ros.Parameter[[]string]
	seed, threads, steps, actions, bits            *ros.Parameter[int64]
	minSupport, budget                             *ros.Parameter[float64]
	region                                         *ros.Parameter[[]float64]
	resume, live, confirmed                        *ros.Parameter[bool]
}

func declareParams(n *ros.Node) (*params, error) {
	var errs []error
	text := func(name, value, about string, accept func(string) error) *ros.Parameter[string] {
		p, err := ros.Declare(n, name, value, ros.Describe[string]{Text: about, Accept: accept})
		errs = append(errs, err)
		return p
	}
	count := func(name string, value int64, about string, lowest,
		highest float64) *ros.Parameter[int64] {
		p, err := ros.Declare(n, name, value, ros.Describe[int64]{Text: about, Min: lowest, Max: highest})
		errs = append(errs, err)
		return p
	}
	number := func(name string, value float64, about string, highest float64) *ros.Parameter[float64] {
		p, err := ros.Declare(n, name, value, ros.Describe[float64]{Text: about, Max: highest})
		errs = append(errs, err)
		return p
	}
	p := &params{
		bag: text("bag", "", "recording to learn from", nil),
		out: text("out", "", "folder for bundle and checkpoint", nil),
		encoder: text("encoder_from", "",
			"bundle to take the encoder from, and learn all after it; empty trains one", nil),
		preset: text("preset", vision.DefaultPreset,
			"networks and training: auto, small, medium or paper", func(v string) error {
				_, err := vision.PresetByName(v)
				return err
			}),
		method: text("method", string(learn.DefaultMethod), "graph, traces (facts) or auto (by evidence)",
			func(v string) error {
				if !slices.Contains(learn.Methods(), v) {
					return fmt.Errorf("method %q: choose one of %v", v, learn.Methods())
				}
				return nil
			}),
		stage: text("stage", "all", "stage to run: all, graph, operators or classifier",
			func(v string) error {
				_, err := learn.ParseStage(v)
				return err
			}),
		name: text("name", "", "name of the task, kept in the bundle", nil),
		bits: count("bits", 0,
			"bits that a sample of 16 uses, such as 12; 0 takes what the recording says", 0, 16),
		seed: count("seed", learn.DefaultSeed, "seed of training", 0, 1<<53),
		threads: count("threads", int64(learn.DefaultThreads()),
			"threads of ONNX Runtime in training", 1, 256),
		steps: count("steps", 0,
			"most steps of stage 1, and of stage 3 where they are fewer than its least; 0 takes the "+
				"preset's", 0, 1e9),
		actions: count("actions", 0, "number of actions L; 0 takes the highest id in the recording", 0,
			1e6),
		minSupport: number("min_support", taskgraph.ErrorShare,
			"share of the evidence about nodes and edges below which they count as misread images or "+
				"mislabelled transitions", 1),
		budget: number("budget", 0,
			"seconds after which improving the operators ends; 0: when a fixed amount of work is done, "+
				"ten seconds of an idle machine", 86400),
	}
	flag := func(name, about string) *ros.Parameter[bool] {
		p, err := ros.Declare(n, name, false, ros.Describe[bool]{Text: about})
		errs = append(errs, err)
		return p
	}
	p.resume = flag("resume", "continue an interrupted training")
	p.live = flag("live", "the recording may still be being made")
	p.refresh = text("refresh", "",
		"bundle of facts of which only what images look like is learned anew, from bag and runs", nil)
	p.confirmed = flag("confirmed",
		"with refresh: all things in the runs are the bundle's, whatever their looks")
	runs, err := ros.Declare(n, "runs", []string{}, ros.Describe[[]string]{
		Text: "with refresh: newer recordings, such as of executed plans"})
	p.runs, errs = runs, append(errs, err)
	region, err := ros.Declare(n, "region", []float64{}, ros.Describe[[]float64]{
		Text: "part of the images that matters: x, y, width and height, as shares of theirs; empty " +
			"takes what the recording says"})
	p.region, errs = region, append(errs, err)
	return p, errors.Join(errs...)
}

// refresher is what the parameters describe, with refresh.
func (p *params) refresher() learn.Refresher {
	return learn.Refresher{Bundle: p.refresh.Get(), Bags: append([]string{p.bag.Get()},
		p.runs.Get()...), Out: p.out.Get(), Confirmed: p.confirmed.Get(), Seed: uint64(p.seed.Get()),
		Threads: int(p.threads.Get()), Version: "learner node"}
}

// learner is what the parameters describe.
func (p *params) learner() (learn.Learner, error) {
	if p.bag.Get() == "" || p.out.Get() == "" {
		return learn.Learner{}, fmt.Errorf("the parameters bag (%q) and out (%q) are needed", p.bag.Get(),
			p.out.Get())
	}
	preset, err := vision.PresetByName(p.preset.Get())
	if err != nil {
		return learn.Learner{}, err
	}
	preset = learn.AtMost(preset, int(p.steps.Get()))
	stage, err := learn.ParseStage(p.stage.Get())
	if err != nil {
		return learn.Learner{}, err
	}
	method := learn.Method(p.method.Get())
	if method == learn.Auto && (stage != learn.All || p.encoder.Get() != "" ||
		p.preset.Get() != vision.DefaultPreset) {
		method = learn.Graph // as the command line does: only it has these
	}
	seen, err := pixels.CameraOf(p.region.Get(), int(p.bits.Get()))
	return learn.Learner{
		Bag: p.bag.Get(), Out: p.out.Get(), Encoder: p.encoder.Get(), Domain: p.name.Get(),
		Preset: preset, Facts: learn.AtMost(facts.DefaultPreset(), int(p.steps.Get())),
		Method: method, Stage: stage,
		Seed: uint64(p.seed.Get()), Threads: int(p.threads.Get()), Actions: int(p.actions.Get()),
		Resume: p.resume.Get(), Live: p.live.Get(), Camera: seen,
		MinSupport: p.minSupport.Get(), Operators: operators.Options{
			Budget: time.Duration(p.budget.Get() * float64(time.Second))},
		Version: "learner node",
	}, err
}
