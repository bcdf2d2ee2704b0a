package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"stripswm/models/bundle"
	"stripswm/models/imageplan"
	"stripswm/models/operators"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

func blocks() (*sim.World, *sim.Graph) {
	w := must(sim.New("blocksworld"))
	truth := must(sim.Explored(w, 1))
	return w, truth
}

// allOf is a source of which all states are asked for.
func allOf(g *sim.Graph, o Options) *simulated {
	return &simulated{graph: g, asked: g.States(), options: o}
}

// TestEveryAnswerIsCounted executes right, roundabout, wrong and missing plans
// for a query of one step.
func TestEveryAnswerIsCounted(t *testing.T) {
	w, truth := blocks()
	start := w.Initial()
	edge := truth.Out(start)[0]
	back, ok := truth.Path(edge.To, start)
	if !ok || len(back) != 1 {
		t.Fatalf("no way back from %s in one step", w.Describe(edge.To))
	}
	q := sim.Query{Start: start, Goal: edge.To}
	refused := strips.ActionID(1)
	for _, ok := w.Apply(start, refused); ok; _, ok = w.Apply(start, refused) {
		refused++
	}
	found := func(plan ...strips.ActionID) answer { return answer{found: true, plan: plan} }
	var h Horizon
	h.Horizon = 1
	from := &simulated{graph: truth}
	h.count(from, q, found(edge.Action))
	h.count(from, q, found(edge.Action, back[0], edge.Action))
	h.count(from, q, found(refused))
	h.count(from, q, found()) // stays where it is
	h.count(from, q, answer{})
	h.count(from, q, answer{unrecognized: true, found: true, plan: []strips.ActionID{edge.Action}})
	want := Horizon{Horizon: 1, Queries: 6, SolvedGraph: 2, Unrecognized: 1, NoPlan: 1, WrongPlan: 2,
		Shortest: 1}
	if h != want {
		t.Errorf("counted %+v, want %+v", h, want)
	}
	if h.SolvedGraph+h.Unrecognized+h.NoPlan+h.WrongPlan != h.Queries {
		t.Error("the counts do not add up to the queries")
	}
}

func TestImagesAreInOrder(t *testing.T) {
	w, truth := blocks()
	from := allOf(truth, Options{Seed: 3, Size: shotSide, Nuisance: 1})
	var orders []order
	for i, s := range truth.States() {
		orders = append(orders, from.pair(i, sim.Query{Start: s, Goal: w.Initial()}))
	}
	n := 0
	err := photograph(t.Context(), orders, 3, func(s shot) error {
		want := must(orders[n].take())
		if len(s) != 2 || !slices.Equal(s[0].Pix, want[0].Pix) || !slices.Equal(s[1].Pix, want[1].Pix) {
			t.Errorf("shot %d is not of order %d", n, n)
		}
		n++
		return nil
	})
	if n != len(orders) || err != nil {
		t.Errorf("%d shots of %d orders, %v", n, len(orders), err)
	}
}

func TestPhotographyStops(t *testing.T) {
	w, truth := blocks()
	from := allOf(truth, Options{Size: shotSide, Nuisance: 1})
	orders := slices.Repeat([]order{{from.image(w.Initial(), 0, 1)}}, 50)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	count := func(shot) error { n++; return nil }
	err := photograph(ctx, orders, 2, func(s shot) error { cancel(); return count(s) })
	if !errors.Is(err, context.Canceled) || n > 1 {
		t.Errorf("%d shots after an interruption, then %v", n, err)
	}
	full := errors.New("full")
	if err := photograph(t.Context(), orders, 2, func(shot) error { return full }); err != full {
		t.Errorf("%v after %v", err, full)
	}
	orders[1] = order{from.image(sim.State(len(truth.States())+100), 0, 1)}
	if err := photograph(t.Context(), orders, 2, count); err == nil {
		t.Error("a state that does not exist was photographed")
	}
}

// TestRun evaluates a bundle whose operators are right and whose networks know
// what every state looks like.
func TestRun(t *testing.T) {
	w, truth := blocks()
	p := open(t, newBundle(t, w, truth, ""))
	o := Options{Queries: 4, Images: 5, Seed: 1, Size: shotSide, Nuisance: 1, Workers: 2,
		Budget: 300 * time.Millisecond}
	told := map[string]int{}
	o.Progress = func(what string, done, total int) {
		if done < told[what] || done > total {
			t.Errorf("%s: %d of %d after %d", what, done, total, told[what])
		}
		told[what] = done
	}
	r := must(Run(t.Context(), p, w, o))
	if a := r.Abstraction; a.TrueStates != 16 || a.States != 16 || a.Transitions != 36 ||
		a.Images != 80 || a.Unrecognized+a.Outliers > 4 || a.Aliased != 0 || !a.OneToOne {
		t.Errorf("abstraction %+v", a)
	}
	rates := map[string]float64{"STRIPS-WM": rate(t, r.Horizons)}
	for _, m := range r.Methods {
		rates[m.Name] = rate(t, m.Horizons)
	}
	if len(rates) != 5 || rates["STRIPS-WM"] < 0.9 || rates["no exceptions"] != rates["STRIPS-WM"] ||
		rates["graph search"] < 0.9 {
		t.Errorf(
			"success %v, want nearly all, alike with and without the exceptions that the model does not "+
				"have", rates)
	}
	if rates["WM-BFS"] < 0.9 || rates["WM-Rollout"] > rates["WM-BFS"]/2 {
		t.Errorf(
			"success %v, want nearly all by search with dynamics that are right, and few by coincidence",
			rates)
	}
	for _, h := range r.Horizons {
		if h.Executed != 1 || h.Reached != 1 {
			t.Errorf("closed loop at horizon %d: %d of %d, want 1 of 1", h.Horizon, h.Reached, h.Executed)
		}
	}
	if len(r.Ablation) != 3 {
		t.Fatalf("ablation %+v", r.Ablation)
	}
	whole, none, unique := r.Ablation[0], r.Ablation[1], r.Ablation[2]
	if whole.FalsePositives != 0 || rate(t, whole.Horizons) != rates["STRIPS-WM"] {
		t.Errorf("with negatives: %+v", whole)
	}
	// Without negatives every action applies everywhere: 16 states, 18 actions, 36 edges.
	if none.DistinctCodes != 2 || none.FalsePositives != 16*18-36 || unique.DistinctCodes != 16 ||
		unique.FalsePositives != 16*18-36 {
		t.Errorf("without negatives: %+v, %+v", none, unique)
	}
	if rate(t, none.Horizons) > 0.3 || rate(t, unique.Horizons) > 0.5 {
		t.Errorf("without negatives, success is %v and %v", rate(t, none.Horizons),
			rate(t, unique.Horizons))
	}
	if len(r.Calibration) != 4 ||
		r.Calibration[0].Right != 80-r.Abstraction.Unrecognized-r.Abstraction.Outliers {
		t.Errorf("calibration %+v", r.Calibration)
	}
	for _, c := range r.Calibration {
		if c.Right+c.Wrong+c.Unrecognized != c.Images || c.WrongCertain > c.Wrong {
			t.Errorf("counts do not add up: %+v", c)
		}
		a := c.Abstention
		if a.With.Reached+a.RightLost != a.Without.Reached ||
			a.With.Wrong+a.WrongAvoided != a.Without.Wrong || a.Without.Abstained != 0 {
			t.Errorf("abstention does not add up: %+v", a)
		}
	}
	if first, last := r.Calibration[0], r.Calibration[3]; first.Together.Brier >= last.Together.Brier {
		t.Errorf("Brier %v as trained, %v at three times the nuisance", first.Together.Brier,
			last.Together.Brier)
	}
	if len(told) != 6 {
		t.Errorf("progress of %v", told)
	}
	if len(r.Unrelated) < 15 || len(r.Corrupted) < 15 {
		t.Errorf("%d kinds of unrelated images, %d of corrupted ones", len(r.Unrelated), len(r.Corrupted))
	}
	if r.Faulty == nil || len(r.Faulty.Good) != 2 || len(r.Faulty.Faults) != 4 ||
		len(r.Faulty.Changed) < 10 || len(r.Faulty.ChangedFaults) != 7 {
		t.Fatalf("tables that show no state: %+v", r.Faulty)
	}
	for _, s := range slices.Concat(r.Unrelated, r.Corrupted, r.Faulty.Good, r.Faulty.Faults,
		r.Faulty.Changed, r.Faulty.ChangedFaults) {
		refused := 0
		for _, n := range s.Refused {
			refused += n
		}
		if s.Images < 40 || s.Right+s.Wrong+refused != s.Images {
			t.Errorf("counts do not add up: %+v", s)
		}
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

// rate is the share of queries solved in the graph.
func rate(t testing.TB, horizons []Horizon) float64 {
	t.Helper()
	solved, queries := 0, 0
	for _, h := range horizons {
		solved, queries = solved+h.SolvedGraph, queries+h.Queries
	}
	if queries == 0 {
		t.Error("no queries")
		return 0
	}
	return float64(solved) / float64(queries)
}

// TestExceptions gives the model exceptions that leave no action in one state.
func TestExceptions(t *testing.T) {
	w, truth := blocks()
	var exceptions []strips.Exception
	for a := 1; a <= w.NumActions(); a++ {
		exceptions = append(exceptions, strips.Exception{Node: 0, Action: strips.ActionID(a)})
	}
	p := open(t, newBundle(t, w, truth, "", exceptions...))
	r := must(Run(t.Context(), p, w, Options{Queries: 16, Images: 1, Seed: 1, Size: shotSide,
		Nuisance: 1, Workers: 2, Quick: true}))
	stuck := 0
	for i, h := range r.Horizons {
		free := r.Methods[0].Horizons[i]
		if stuck += h.NoPlan; free.NoPlan != 0 || free.SolvedGraph < h.SolvedGraph+h.NoPlan {
			t.Errorf("with exceptions %+v, without %+v", h, free)
		}
	}
	if stuck == 0 || r.Abstraction.Eta != 18 {
		t.Errorf("%d queries without a plan, eta %d: want some and 18", stuck, r.Abstraction.Eta)
	}
}

func TestQuickRunOfABundleFromParts(t *testing.T) {
	w, truth := blocks()
	p := open(t, newBundle(t, w, truth, bundle.Dynamics))
	o := Options{Queries: 1, Images: 2, Seed: 1, Size: shotSide, Nuisance: 1, Quick: true}
	r := must(Run(t.Context(), p, w, o))
	if len(r.Methods) != 2 || r.Ablation != nil || r.Calibration != nil || r.Abstraction.Images != 32 {
		t.Errorf("a quick run without dynamics: %d methods, %d images", len(r.Methods),
			r.Abstraction.Images)
	}
	o.Queries = 0
	if _, err := Run(t.Context(), p, w, o); err == nil {
		t.Error("no queries were accepted")
	}
	o.Queries, o.Size = 1, 1
	if _, err := Run(t.Context(), p, w, o); err == nil {
		t.Error("images of one pixel were accepted")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o.Size = shotSide
	if _, err := Run(ctx, p, w, o); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted run gave %v", err)
	}
}

// TestNoCheckIsSwitchedOff has a bundle without one of the parts that images are refused by.
func TestNoCheckIsSwitchedOff(t *testing.T) {
	w, truth := blocks()
	for _, role := range []bundle.Role{bundle.Encoder, bundle.Appearance} {
		p, err := imageplan.Open(newBundle(t, w, truth, role), imageplan.Options{})
		if err == nil {
			p.Close()
		}
		if !errors.Is(err, bundle.ErrNoPart) {
			t.Errorf("without the part %s: %v", role, err)
		}
	}
}

// TestImagesOfAStateDiffer: no two images of a state are the same.
func TestImagesOfAStateDiffer(t *testing.T) {
	w, truth := blocks()
	p := open(t, newBundle(t, w, truth, ""))
	o := Options{Images: 2, Size: shotSide, Nuisance: 1, Workers: 2}
	s := must(recognizeStates(t.Context(), p, allOf(truth, o), o))
	for k := range s.strengths {
		for i, images := range s.seen[k] {
			if len(images) != 2 || slices.Equal(images[0].Probabilities, images[1].Probabilities) {
				t.Errorf("strength %d, state %d: %v", k, i, images)
			}
		}
	}
}

func Example() {
	h := Horizon{Horizon: 3, Queries: 200, SolvedGraph: 199, WrongPlan: 1}
	fmt.Printf("horizon %d: %d of %d\n", h.Horizon, h.SolvedGraph, h.Queries)
	// Output: horizon 3: 199 of 200
}

// slippery is a world in which every third skill moves nothing.
type slippery struct {
	*simulated
	skills int
}

func (w *slippery) apply(s sim.State, a strips.ActionID) (sim.State, bool) {
	if w.skills++; w.skills%3 == 0 {
		return s, true
	}
	return w.simulated.apply(s, a)
}

func TestClosedLoop(t *testing.T) {
	w, truth := blocks()
	p := open(t, newBundle(t, w, truth, ""))
	from := &slippery{simulated: allOf(truth, Options{Seed: 1, Size: shotSide, Nuisance: 1})}
	l := must(newLoop(p, from))
	recognized := func(s sim.State) imageplan.Recognition {
		for n := uint64(0); ; n++ { // an image in twenty is not
			img := must(from.image(s, n, 1)())
			r := must(p.Recognize(img))
			if r.Known() {
				return r
			}
		}
	}
	farthest := truth.Queries(1, 3, truth.States())[5]
	for _, q := range farthest {
		unknown := imageplan.Recognition{Refusal: imageplan.Blank}
		for _, c := range []struct {
			name string
			goal imageplan.Recognition
			to   sim.State
			want Horizon
		}{
			{"the goal", recognized(q.Goal), q.Goal, Horizon{Executed: 1, Reached: 1}},
			{"an image of another state", recognized(q.Goal), q.Start, Horizon{Executed: 1, Mistaken: 1}},
			{"an image that was not recognized", unknown, q.Goal, Horizon{Executed: 1, Reached: 1,
				SetUpAgain: 1}},
		} {
			var h Horizon
			err := l.execute(t.Context(), sim.Query{Start: q.Start, Goal: c.to}, c.goal, &h)
			if h.SetUpAgain == 1 { // an image of the start in twenty
				c.want.SetUpAgain = 1
			}
			if err != nil || h != c.want {
				t.Errorf("%s, from %s to %s: %+v, %v, want %+v", c.name, w.Describe(q.Start),
					w.Describe(q.Goal), h, err, c.want)
			}
		}
	}
	if l.images == 0 || from.skills <= 2*6*len(farthest) {
		t.Errorf("%d images and %d skills: nothing slipped", l.images, from.skills)
	}
}

// What a recording says of itself is enough to know which states it does not have.
func TestQueriesAreBetweenStatesThatWereNotRecorded(t *testing.T) {
	keydoor := must(sim.New("keydoor"))
	w := sim.Whole(keydoor)
	dir := filepath.Join(t.TempDir(), "bag")
	made := must(record.Run(t.Context(), w, dir, record.Options{Transitions: 60, Policy: sim.Balanced,
		Seed: 4, Size: 64, Quality: 90, Workers: 2, Unmarked: true,
		Faults: sim.Faults{Resets: 0.1, Failures: 0.1}}))
	r := must(learn.Load(t.Context(), dir, learn.Frame{Side: 64, Fit: pixels.Letterbox},
		w.NumActions(), nil))
	defer r.Close()
	from := must(simulate(w, (*bundle.Simulation)(r.Simulation), Options{Seed: 1, Explored: 4}))
	all := from.graph.States()
	if from.unrecorded < 10 || from.unrecorded+made.States != len(all) {
		t.Fatalf("%d states are not recorded, of %d, and %d are", from.unrecorded, len(all), made.States)
	}
	asked := 0
	for _, queries := range from.queries(20) {
		for _, q := range queries {
			asked++
			if !slices.Contains(from.asked, q.Start) || !slices.Contains(from.asked, q.Goal) {
				t.Errorf("from %s to %s: recorded", w.Describe(q.Start), w.Describe(q.Goal))
			}
		}
	}
	if asked < 60 {
		t.Errorf("%d queries", asked)
	}
	for name, other := range map[string]*bundle.Simulation{"no simulation": nil,
		"a rig":  {World: w.Name(), Seed: 4, Whole: true},
		"a part": {World: w.Name(), Seed: 4, Policy: "balanced", Transitions: 60}} {
		if never, err := Unrecorded(w, other); never != nil || err != nil {
			t.Errorf("%s: %v, %v", name, never, err)
		}
	}
}

// must is for what fails in no test.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// corridor is a graph of four nodes, the last two of which are one state.
func corridor() *taskgraph.Graph {
	return &taskgraph.Graph{Labels: []string{"right", "left"},
		Nodes: []taskgraph.Node{{Support: 5}, {Support: 5}, {Support: 2}, {Support: 3}},
		Edges: []taskgraph.Edge{{Source: 0, Action: 1, Target: 1, Support: 1},
			{Source: 1, Action: 1, Target: 2, Support: 1},
			{Source: 1, Action: 1, Target: 3, Support: 1}, {Source: 1, Action: 2, Target: 0, Support: 1},
			{Source: 3, Action: 2, Target: 1, Support: 1}}}
}

func coded(codes ...string) *strips.Model {
	m := &strips.Model{Predicates: len(codes[0])}
	for i, code := range codes {
		s := must(strips.ParseState(code))
		m.States = append(m.States, strips.Known{Node: strips.StateID(i), Code: s})
	}
	return m
}

func TestFalsePositivesAreApplicablePairsWithoutEdge(t *testing.T) {
	m := coded("00", "10", "11", "11")
	m.Operators = []strips.Operator{
		{Action: 1, Name: "right", PreNeg: []strips.Predicate{1}},
		{Action: 2, Name: "left"},
	}
	// Left at node 0, where the corridor ends, and at node 2, where it was not seen.
	if n := operators.FalsePositives(corridor(), m); n != 2 {
		t.Errorf("%d false positives, want 2", n)
	}
}

func TestStatesAreTranslatedByTheirBestNode(t *testing.T) {
	from, to := coded("00", "10", "11", "11"), coded("000", "001", "010", "011")
	translate := translation(from, to, corridor())
	for i, want := range []string{"000", "001", "011", "011"} {
		if got, ok := translate(from.States[i].Code); !ok || got.String() != want {
			t.Errorf("node %d became %s, want %s", i, got, want)
		}
	}
	if got, ok := translate(strips.NewState(2, 1)); ok {
		t.Errorf("an unknown state became %s", got)
	}
}
