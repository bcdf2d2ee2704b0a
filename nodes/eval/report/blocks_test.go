package report_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/vision"
	"stripswm/nodes/eval"
	"stripswm/nodes/eval/report"
)

// blocks is a state of BlocksWorld: the height of each of three stacks. What is missing of three is
// in the gripper.
type blocks [3]int

func (b blocks) holding() bool { return b[0]+b[1]+b[2] < 3 }

func (b blocks) String() string { return fmt.Sprintf("%d%d%d", b[0], b[1], b[2]) }

// do picks from (actions 1..9) or places on (10..18) region r at height h.
func (b blocks) do(a strips.ActionID) (blocks, bool) {
	place := a >= 10
	r, h := int(a-1)%9/3, int(a-1)%3+1
	switch {
	case place && b.holding() && b[r] == h-1:
		b[r] = h
	case !place && !b.holding() && b[r] == h:
		b[r] = h - 1
	default:
		return b, false
	}
	return b, true
}

// camera draws a state, different for each seed: blocks move a little and light changes.
func (b blocks) camera(seed uint64) image.Image {
	r := rand.New(rand.NewPCG(seed, 7))
	light := 0.85 + 0.3*r.Float64()
	lit := func(red, green, blue float64) image.Image {
		return image.NewUniform(color.RGBA{shade(red * light), shade(green * light), shade(blue * light),
			255})
	}
	m := image.NewRGBA(image.Rect(0, 0, 128, 96))
	draw.Draw(m, m.Bounds(), lit(110, 112, 118), image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(0, 34, 128, 96), lit(205, 168, 120), image.Point{}, draw.Src)
	block := func(x, y int) {
		x, y = x+r.IntN(5)-2, y+r.IntN(3)-1
		draw.Draw(m, image.Rect(x, y, x+14, y+12), lit(215, 40, 40), image.Point{}, draw.Src)
		draw.Draw(m, image.Rect(x, y-4, x+14, y), lit(240, 80, 75), image.Point{}, draw.Src)
	}
	for i, height := range b {
		x := 16 + 40*i
		draw.Draw(m, image.Rect(x-5, 70, x+21, 82), lit(45, 90, 140), image.Point{}, draw.Src)
		for h := range height {
			block(x, 66-12*h)
		}
	}
	draw.Draw(m, image.Rect(54, 0, 76, 4), lit(50, 50, 55), image.Point{}, draw.Src)
	if b.holding() {
		block(57, 14)
	}
	return m
}

func shade(v float64) uint8 { return uint8(max(0, min(255, v))) }

// explore does skills of BlocksWorld at random and gives its states in the order of their
// discovery.
func explore(steps int) (*taskgraph.Graph, []blocks) {
	labels := make([]string, 18)
	for i := range labels {
		labels[i] = fmt.Sprintf("%s_%d_%d", []string{"pick", "place"}[i/9], i%9/3, i%3+1)
	}
	b := taskgraph.NewBuilder(labels)
	r := rand.New(rand.NewPCG(1, 1))
	at := blocks{3, 0, 0}
	order, seen := []blocks{at}, map[blocks]bool{at: true}
	for range steps {
		var able []strips.ActionID
		for a := strips.ActionID(1); a <= 18; a++ {
			if _, ok := at.do(a); ok {
				able = append(able, a)
			}
		}
		a := able[r.IntN(len(able))]
		next, _ := at.do(a)
		must(b.Observe(at.String(), a, next.String()))
		if at = next; !seen[at] {
			seen[at] = true
			order = append(order, at)
		}
	}
	return b.Graph(), order
}

// predicates of a state: 3r+h-1 says that stack r has at least h blocks, 9 that the gripper holds
// one.
func (b blocks) predicates() strips.State {
	var holds []strips.Predicate
	for r, height := range b {
		for h := range height {
			holds = append(holds, strips.Predicate(3*r+h))
		}
	}
	if b.holding() {
		holds = append(holds, 9)
	}
	return strips.NewState(10, holds...)
}

func model(g *taskgraph.Graph, states []blocks) *strips.Model {
	m := &strips.Model{Predicates: 10}
	for i, label := range g.Labels {
		p := strips.Predicate(i % 9)
		o := strips.Operator{Action: strips.ActionID(i + 1), Name: label}
		if i < 9 {
			o.PrePos, o.PreNeg, o.Add, o.Del = []strips.Predicate{p}, []strips.Predicate{
				9}, []strips.Predicate{9}, []strips.Predicate{p}
			if i%3 < 2 {
				o.PreNeg = []strips.Predicate{p + 1, 9}
			}
		} else {
			o.PrePos, o.PreNeg, o.Add, o.Del = []strips.Predicate{9}, []strips.Predicate{
				p}, []strips.Predicate{p}, []strips.Predicate{9}
			if i%3 > 0 {
				o.PrePos = []strips.Predicate{p - 1, 9}
			}
		}
		m.Operators = append(m.Operators, o)
	}
	for i, b := range states {
		m.States = append(m.States, strips.Known{Node: strips.StateID(i), Code: b.predicates()})
	}
	return m
}

// blocksWorld is a whole run.
func blocksWorld() report.Input {
	g, states := explore(5000)
	in := report.Input{
		Domain: "blocksworld", Preset: "small", Seed: 1,
		Command: "stripswm demo --domain blocksworld --preset small --seed 1",
		Versions: []report.Fact{{Name: "stripswm", Value: "0.1.0"}, {Name: "go", Value: "1.26"},
			{Name: "onnxruntime", Value: "1.30.0"}},
		Table: &eval.Abstraction{Actions: 18, Transitions: 5000, TrueStates: 16, States: 16,
			DistinctCodes: 16, Predicates: 10},
		Paper: &eval.Abstraction{Actions: 18, Transitions: 5000, TrueStates: 16, States: 16,
			DistinctCodes: 16, Predicates: 9},
		Graph: g, Model: model(g, states),
		Stage1: training(1500, 16), Selected: 1200, Stage3: classifier(400),
		Timings: []report.Timing{{Name: "record", Seconds: 31.2}, {Name: "stage 1", Seconds: 84.9},
			{Name: "stage 2", Seconds: 0.01},
			{Name: "stage 3", Seconds: 21}, {Name: "evaluation", Seconds: 12.5}},
	}
	for i, b := range states {
		s := report.StateImages{Support: g.Nodes[i].Support, Code: g.Nodes[i].Code}
		for k := range 4 {
			s.Images = append(s.Images, b.camera(uint64(100*i+k)))
		}
		in.States = append(in.States, s)
	}
	for h := 1; h <= 8; h++ {
		in.Horizons = append(in.Horizons, eval.Horizon{Horizon: h, Queries: 200, SolvedGraph: 200,
			Executed: 25, Reached: 25})
	}
	in.Plan = plan(g, states, blocks{3, 0, 0}, 3, 13, 2, 16, 4, 17, 1, 18)
	in.Methods = []eval.Method{{Name: "no exceptions", Horizons: falling(8, 1)},
		{Name: "graph search", Horizons: falling(8, 0.98)}}
	in.Ablation = []eval.Ablation{
		{Condition: "STRIPS-WM", TrueStates: 16, Predicates: 10, DistinctCodes: 16,
			Horizons: in.Horizons},
		{Condition: "no neg.", TrueStates: 16, Predicates: 1, FalsePositives: 252, DistinctCodes: 2,
			Horizons: falling(8, 0.1)},
		{Condition: "no neg. + min-unique", TrueStates: 16, Predicates: 4, FalsePositives: 1252,
			DistinctCodes: 16, Horizons: falling(8, 0.5)},
	}
	in.Calibration = calibration(10)
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

func plan(g *taskgraph.Graph, states []blocks, at blocks, actions ...strips.ActionID) *report.Plan {
	p := &report.Plan{Caption: fmt.Sprintf("%d actions.", len(actions)), Start: at.camera(1)}
	for i, a := range actions {
		next, ok := at.do(a)
		if !ok {
			panic(fmt.Sprintf("action %d of the plan does not apply in %v", a, at))
		}
		at = next
		step := report.PlanStep{Action: a, Name: g.Label(a), State: -1, Image: at.camera(uint64(50 + i))}
		for s, b := range states {
			if b == at {
				step.State = strips.StateID(s)
			}
		}
		p.Steps = append(p.Steps, step)
	}
	p.Goal = at.camera(2)
	return p
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
					must(b.Observe(name(x, y), a, name(x+d[0], y+d[1])))
					must(b.Observe(name(x+d[0], y+d[1]), a+1, name(x, y)))
				}
			}
		}
	}
	must(b.Observe(name(0, 0), 1, name(5, 5)))
	must(b.Observe(name(3, 3), 3, name(3, 3)))
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
			Images: []image.Image{blocks{s % 4, s / 4 % 4, s / 16 % 4}.camera(uint64(s))}})
	}
	in.Diagnostics = []report.Diagnostic{{What: "2 of 71 states were seen once",
		Do: "lead the scene there again", Images: []report.ImagePair{
			{Before: blocks{1, 1, 1}.camera(1), After: blocks{1, 1, 1}.camera(2), Words: "state 7"}}}}
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

func must(err error) {
	if err != nil {
		panic(err)
	}
}
