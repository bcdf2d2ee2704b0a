package report_test

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"sync"

	"stripswm/models/bundle"
	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/vision"
	"stripswm/nodes/eval"
	"stripswm/nodes/eval/report"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
)

// learned is a bundle of BlocksWorld: its graph and its model.
var learned = sync.OnceValues(func() (*taskgraph.Graph, *strips.Model) {
	b := must(bundle.Open("../../../test/launch/testdata/bundle"))
	return must(b.TaskGraph()), must(b.Operators())
})

// photograph is an image of a state of BlocksWorld, different for each seed.
func photograph(s int, seed uint64) image.Image {
	w := must(sim.New("blocksworld"))
	return must(camera.New(96, 72).Render(w, sim.State(s%w.NumStates()), seed))
}

// blocksWorld is a whole run.
func blocksWorld() report.Input {
	g, m := learned()
	in := report.Input{
		Domain: "blocksworld", Preset: "small", Seed: 1,
		Command: "stripswm demo --domain blocksworld --preset small --seed 1",
		Versions: []report.Fact{{Name: "stripswm", Value: "0.1.0"}, {Name: "go", Value: "1.26"},
			{Name: "onnxruntime", Value: "1.30.0"}},
		Table: &eval.Abstraction{Actions: 18, Transitions: 5000, TrueStates: 16, States: 16,
			DistinctCodes: 16, Predicates: 6},
		Paper: &eval.Abstraction{Actions: 18, Transitions: 5000, TrueStates: 16, States: 16,
			DistinctCodes: 16, Predicates: 9},
		Graph: g, Model: m,
		Stage1: training(1500, 16), Selected: 1200, Stage3: classifier(400),
		Timings: []report.Timing{{Name: "record", Seconds: 31.2}, {Name: "stage 1", Seconds: 84.9},
			{Name: "stage 2", Seconds: 0.01},
			{Name: "stage 3", Seconds: 21}, {Name: "evaluation", Seconds: 12.5}},
	}
	for i, n := range g.Nodes {
		s := report.StateImages{Support: n.Support, Code: n.Code}
		for k := range 4 {
			s.Images = append(s.Images, photograph(i, uint64(100*i+k)))
		}
		in.States = append(in.States, s)
	}
	for h := 1; h <= 8; h++ {
		in.Horizons = append(in.Horizons, eval.Horizon{Horizon: h, Queries: 200, SolvedGraph: 200,
			Executed: 25, Reached: 25})
	}
	in.Plan = &report.Plan{Caption: "3 actions.", Start: photograph(0, 1), Goal: photograph(3, 2)}
	for i, a := range []strips.ActionID{3, 13, 2} {
		in.Plan.Steps = append(in.Plan.Steps, report.PlanStep{Action: a, Name: g.Label(a),
			State: strips.StateID(i + 1), Image: photograph(i+1, 50)})
	}
	in.Methods = []eval.Method{{Name: "no exceptions", Horizons: falling(8, 1)},
		{Name: "graph search", Horizons: falling(8, 0.98)}}
	in.Ablation = []eval.Ablation{
		{Condition: "STRIPS-WM", TrueStates: 16, Predicates: 6, DistinctCodes: 16,
			Horizons: in.Horizons},
		{Condition: "no neg.", TrueStates: 16, Predicates: 1, FalsePositives: 252, DistinctCodes: 2,
			Horizons: falling(8, 0.1)},
		{Condition: "no neg. + min-unique", TrueStates: 16, Predicates: 4, FalsePositives: 1252,
			DistinctCodes: 16, Horizons: falling(8, 0.5)},
	}
	in.Calibration = calibration(6)
	seen := func(refused imageplan.Refusal, node strips.StateID) eval.Sample {
		return eval.Sample{Image: pixels.FromImage(in.States[0].Images[0]),
			Recognition: imageplan.Recognition{Refusal: refused,
				Place: planner.Place{Nodes: []strips.StateID{node}}}}
	}
	in.Unrelated = []eval.OutOfDistribution{{Kind: "noise of pixels", Images: 40,
		Example: seen(imageplan.Inconsistent, 0)}}
	in.Corrupted = []eval.OutOfDistribution{
		{Kind: "a hand in view", Images: 60, Right: 6, Example: seen("", 3)},
		{Kind: "fog", Images: 60, Wrong: 3},
	}
	return in
}

// falling is success that each action of a plan multiplies by the rate.
func falling(horizons int, rate float64) []eval.Horizon {
	var all []eval.Horizon
	for h := 1; h <= horizons; h++ {
		n := int(200 * math.Pow(rate, float64(h)))
		all = append(all, eval.Horizon{Horizon: h, Queries: 200, SolvedGraph: n, Executed: 25,
			Reached: min(n, 25)})
	}
	return all
}

// calibration is of a classifier that grows too sure of itself as the nuisance grows.
func calibration(predicates int) []eval.Calibration {
	var all []eval.Calibration
	for k, strength := range []float64{1, 1.5, 2, 3} {
		c := eval.Calibration{Strength: strength, Images: 320, Right: 320 - 40*k, Wrong: 10 * k,
			WrongCertain: k, Unrecognized: 30 * k,
			Abstention: eval.Abstention{Queries: 300,
				With:    eval.Outcomes{Reached: 300 - 50*k, Wrong: 5 * k, Abstained: 45 * k},
				Without: eval.Outcomes{Reached: 300 - 30*k, Wrong: 30 * k}, WrongAvoided: 25 * k,
				RightLost: 20 * k}}
		reliability := func(images int) eval.Reliability {
			r := eval.Reliability{ECE: 0.01 * float64(k), Brier: 0.005 * float64(k)}
			for p := 0.05; p < 1; p += 0.1 {
				r.Bins = append(r.Bins, eval.Bin{Images: images, Predicted: p,
					Holds: p + 0.1*float64(k)*(0.5-p)})
			}
			return r
		}
		c.Together = reliability(320)
		for range predicates {
			c.Predicates = append(c.Predicates, reliability(32))
		}
		all = append(all, c)
	}
	return all
}

// training makes curves like those of a run that ends at the given number of codes.
func training(steps, codes int) (all []vision.Evaluation) {
	r := rand.New(rand.NewPCG(2, 2))
	for step := 1; step <= steps; step++ {
		t := float64(step) / float64(steps)
		noisy := func(from, to float64) float64 {
			return (to + (from-to)*math.Exp(-6*t)) * math.Exp(0.15*r.NormFloat64())
		}
		v := map[string]float64{"dyn": noisy(0.4, 0.004), "inv": noisy(2.9, 0.02),
			"com": noisy(0.2, 0.008), "aug": noisy(0.1, 0.003), "sep": noisy(0.05, 0.011)}
		v["total"] = v["dyn"] + v["inv"] + v["com"] + v["aug"] + v["sep"]
		if step%10 == 0 {
			over := int(60 * math.Exp(-5*t) * r.Float64())
			if t > 0.75 {
				over = 0
			}
			all = append(all, vision.Evaluation{Step: step, Losses: v, Codes: codes + over,
				Nondeterministic: over * 2})
		}
	}
	return all
}

func classifier(steps int) []vision.ClassifierPoint {
	var points []vision.ClassifierPoint
	for step := 0; step <= steps; step += 20 {
		bit := 1 - 0.5*math.Exp(-float64(step)/45)
		points = append(points, vision.ClassifierPoint{Step: step, Loss: 1 - bit, Bits: bit,
			Exact: math.Pow(bit, 10)})
	}
	return points
}

// overSplit is a run that went less well: a large graph with split states, exceptions and no ground
// truth for images.
func overSplit() report.Input {
	r := rand.New(rand.NewPCG(3, 3))
	labels := make([]string, 24)
	for i := range labels {
		labels[i] = fmt.Sprint("a", i+1)
	}
	b := taskgraph.NewBuilder(labels)
	const wide, high = 12, 9
	name := func(x, y int) string { return fmt.Sprintf("%d-%d", x, y) }
	for y := range high {
		for x := range wide {
			for _, d := range [][3]int{{1, 0, 1}, {0, 1, 3}} {
				if x+d[0] >= wide || y+d[1] >= high || r.IntN(6) == 0 {
					continue
				}
				a := strips.ActionID(d[2] + 4*((x+y)%6))
				for range 1 + r.IntN(40) {
					must(0, b.Observe(name(x, y), a, name(x+d[0], y+d[1])))
					must(0, b.Observe(name(x+d[0], y+d[1]), a+1, name(x, y)))
				}
			}
		}
	}
	must(0, b.Observe(name(0, 0), 1, name(5, 5)))
	must(0, b.Observe(name(3, 3), 3, name(3, 3)))
	g := b.Graph()
	in := report.Input{Domain: "dinner-table", Seed: 2, Graph: g,
		Table: &eval.Abstraction{Actions: 24, Transitions: 3000, TrueStates: 71, States: g.NumStates(),
			DistinctCodes: 71, Predicates: 35, Xi: 1, Eta: 13, Nondeterminism: 1},
	}
	m := &strips.Model{Predicates: 35}
	for i, label := range labels {
		m.Operators = append(m.Operators, strips.Operator{Action: strips.ActionID(i + 1), Name: label,
			PrePos: []strips.Predicate{strips.Predicate(i), strips.Predicate(i + 5)},
			Del:    []strips.Predicate{strips.Predicate(i)}, Add: []strips.Predicate{
				strips.Predicate(i + 3)}})
	}
	for s := range g.NumStates() {
		values := make([]bool, 35)
		for p := range values {
			values[p] = (s%71*(p+3)+p*p)%7 < 3
		}
		m.States = append(m.States, strips.Known{Node: strips.StateID(s), Code: strips.StateOf(values)})
		in.States = append(in.States, report.StateImages{Support: g.Nodes[s].Support,
			Images: []image.Image{photograph(s, uint64(s))}})
	}
	in.Diagnostics = []report.Diagnostic{{What: "2 of 71 states were seen once",
		Do: "lead the scene there again", Images: []report.ImagePair{
			{Before: photograph(7, 1), After: photograph(7, 2), Words: "state 7"}}}}
	m.Exceptions = []strips.Exception{{Node: 3, Action: 2}, {Node: 9, Action: 2}}
	in.Model = m
	for h := 1; h <= 12; h++ {
		in.Horizons = append(in.Horizons, eval.Horizon{Horizon: h, Queries: 200, SolvedGraph: 200 - h*h/2,
			Executed: 25, Reached: 25 - h/3})
	}
	in.Methods = []eval.Method{{Name: "WM-Rollout", Horizons: falling(12, 0.55)},
		{Name: "WM-BFS", Horizons: falling(12, 0.7)},
		{Name: "LSR", Horizons: falling(12, 0.93)}, {Name: "LatPlan-AMA3", Horizons: falling(12, 0.35)}}
	return in
}

// must is for what fails in no test.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
