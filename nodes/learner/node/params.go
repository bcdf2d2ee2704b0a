package node

import (
	"fmt"
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
	d := &ros.Settings{Node: n}
	preset := func(v string) error { _, err := vision.PresetByName(v); return err }
	stage := func(v string) error { _, err := learn.ParseStage(v); return err }
	return &params{
		bag: ros.Dial(d, "bag", "", "recording to learn from"),
		out: ros.Dial(d, "out", "", "folder for bundle and checkpoint"),
		encoder: ros.Dial(d, "encoder_from", "",
			"bundle to take the encoder from, and learn all after it; empty trains one"),
		preset: ros.Choice(d, "preset", vision.DefaultPreset,
			"networks and training: auto, small, medium or paper", preset),
		method: ros.Choice(d, "method", string(learn.DefaultMethod),
			"graph, traces (facts) or auto (by evidence)", ros.OneOf(learn.Methods()...)),
		stage: ros.Choice(d, "stage", "all", "stage to run: all, graph, operators or classifier", stage),
		name:  ros.Dial(d, "name", "", "name of the task, kept in the bundle"),
		region: ros.Dial(d, "region", []float64{}, "part of the images that matters: x, y, width and "+
			"height, as shares of theirs; empty takes what the recording says"),
		bits: ros.Dial(d, "bits", int64(0),
			"bits that a sample of 16 uses, such as 12; 0 takes what the recording says", 0, 16),
		seed: ros.Dial(d, "seed", int64(learn.DefaultSeed), "seed of training", 0, 1<<53),
		threads: ros.Dial(d, "threads", int64(learn.DefaultThreads()),
			"threads of ONNX Runtime in training", 1, 256),
		steps: ros.Dial(d, "steps", int64(0), "most steps of stage 1, and of stage 3 where they are "+
			"fewer than its least; 0 takes the preset's", 0, 1e9),
		actions: ros.Dial(d, "actions", int64(0),
			"number of actions L; 0 takes the highest id in the recording", 0, 1e6),
		minSupport: ros.Dial(d, "min_support", taskgraph.ErrorShare, "share of the evidence about nodes "+
			"and edges below which they count as misread images or mislabelled transitions", 0, 1),
		budget: ros.Dial(d, "budget", 0.0, "seconds after which improving the operators ends; 0: when a "+
			"fixed amount of work is done, ten seconds of an idle machine", 0, 86400),
		resume: ros.Dial(d, "resume", false, "continue an interrupted training"),
		live:   ros.Dial(d, "live", false, "the recording may still be being made"),
		refresh: ros.Dial(d, "refresh", "", "bundle of facts of which only what images look like is "+
			"learned anew, from bag and runs"),
		runs: ros.Dial(d, "runs", []string{},
			"with refresh: newer recordings, such as of executed plans"),
		confirmed: ros.Dial(d, "confirmed", false,
			"with refresh: all things in the runs are the bundle's, whatever their looks"),
	}, d.Err
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
		Bags: []string{p.bag.Get()}, Out: p.out.Get(), Encoder: p.encoder.Get(), Domain: p.name.Get(),
		Preset: preset, Facts: learn.AtMost(facts.DefaultPreset(), int(p.steps.Get())),
		Method: method, Stage: stage,
		Seed: uint64(p.seed.Get()), Threads: int(p.threads.Get()), Actions: int(p.actions.Get()),
		Resume: p.resume.Get(), Live: p.live.Get(), Camera: seen,
		MinSupport: p.minSupport.Get(), Operators: operators.Options{
			Budget: time.Duration(p.budget.Get() * float64(time.Second))},
		Version: "learner node",
	}, err
}
