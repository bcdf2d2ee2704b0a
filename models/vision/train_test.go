package vision

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stripswm/models/inference"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// lamps is a world to learn in seconds: a row of lamps, each a block of pixels,
// and for each an action that lights it and one that puts it out. (With one
// action to toggle a lamp, ignoring all lamps but one would be a deterministic
// abstraction that tells the actions apart, and training finds it.) Its
// images carry noise and a brightness that mean nothing.
type lamps struct {
	count, size int
	light       float64 // by how much the brightness of images differs, either way
	rng         *rand.Rand
}

func (w lamps) image(on uint) []uint8 {
	pix := make([]uint8, w.size*w.size*3)
	brightness := 1 + w.light*(2*w.rng.Float64()-1)
	for y := range w.size {
		for x := range w.size {
			value := 40.0
			if lamp := x * w.count / w.size; on>>lamp&1 == 1 && y > w.size/4 {
				value = 180
			}
			for c := range 3 {
				noisy := value*brightness + 6*w.rng.NormFloat64()
				pix[(y*w.size+x)*3+c] = uint8(min(max(noisy, 0), 255))
			}
		}
	}
	return pix
}

// transitions records n of them, and the true state of every image.
func (w lamps) transitions(n int) (*Dataset, []uint) {
	d := NewDataset(w.size, 2*w.count, 2*n)
	var truth []uint
	on := uint(0)
	for i := range n {
		lamp := w.rng.IntN(w.count)
		next := on ^ 1<<lamp
		action := strips.ActionID(1 + 2*lamp + int(on>>lamp&1))
		var index [2]int
		for k, state := range []uint{on, next} {
			image, err := d.AddImage(w.image(state))
			if err != nil {
				panic(err)
			}
			index[k] = image
			truth = append(truth, state)
		}
		if err := d.AddTransition(Transition{Before: index[0], After: index[1], Action: action, Follows: i > 0}); err != nil {
			panic(err)
		}
		on = next
	}
	return d, truth
}

func newLamps(seed uint64) lamps {
	return lamps{count: 2, size: 16, light: 0.2, rng: rand.New(rand.NewPCG(seed, 1))}
}

// tiny is Small's recipe on a network for 16x16 pixels.
func tiny() Preset {
	p := Small()
	p.Name = "tiny"
	p.Backbone = Isotropic{Size: 16, Patch: 4, Dim: 16, Depth: 1, Kernel: 3, Expand: 2, Reduced: 4, Hidden: 16}
	p.FSQ = FSQ{Levels: 5, Dims: 3}
	p.Hidden = 32
	p.Batch = 32
	p.WorldModel.Steps, p.WorldModel.Evaluate, p.WorldModel.Warmup = 600, 50, 20
	p.Classifier.Epochs = 12
	p.Classifier.Batch = 16
	return p
}

func TestWorldModelFindsTheTrueStates(t *testing.T) {
	d, truth := newLamps(1).transitions(600)
	learned, err := TrainWorldModel(context.Background(), d, tiny(), Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	codes := codesOf(t, learned, d)
	byState := map[uint]map[Code]bool{}
	byCode := map[Code]map[uint]bool{}
	for i, c := range codes {
		if byState[truth[i]] == nil {
			byState[truth[i]] = map[Code]bool{}
		}
		if byCode[c] == nil {
			byCode[c] = map[uint]bool{}
		}
		byState[truth[i]][c], byCode[c][truth[i]] = true, true
	}
	if len(byState) != 4 || len(byCode) != 4 {
		t.Fatalf("%d codes for %d states: %v", len(byCode), len(byState), byState)
	}
	graph, err := TaskGraph(d, codes, []string{"left_on", "left_off", "right_on", "right_off"})
	if err != nil {
		t.Fatal(err)
	}
	if got := graph.Stats(); got.States != 4 || got.Edges != 8 || got.Nondeterministic != 0 {
		t.Errorf("task graph: %+v, want 4 states, 8 edges, deterministic", got)
	}
	checkDynamics(t, learned, graph)
}

// checkDynamics asks the exported dynamics for every edge of the graph.
func checkDynamics(t *testing.T, l *Learned, graph *taskgraph.Graph) {
	t.Helper()
	model, err := l.ExportDynamics()
	if err != nil {
		t.Fatal(err)
	}
	d, err := inference.OpenDynamics(model, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	q := l.Model.FSQ
	for _, e := range graph.Edges {
		next, err := d.Successors(q.Latent(Code(graph.Nodes[e.Source].Code)))
		if err != nil {
			t.Fatal(err)
		}
		at := q.Dims * int(e.Action-1)
		if got := q.Code(next[at : at+q.Dims]); string(got) != graph.Nodes[e.Target].Code {
			t.Errorf("%s from %s is predicted to lead to %s, it led to %s", graph.Label(e.Action), graph.Nodes[e.Source].Code, got, graph.Nodes[e.Target].Code)
		}
	}
}

// codesOf encodes all images with the teacher.
func codesOf(t *testing.T, l *Learned, d *Dataset) []Code {
	t.Helper()
	e, err := newEncoder(l.Model.Backbone, l.Model.layout(), l.Model.FSQ.Dims, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	latents, err := e.encode(context.Background(), l.Teacher, d, d.Images())
	if err != nil {
		t.Fatal(err)
	}
	l.Model.FSQ.boundAll(latents)
	return l.Model.FSQ.codes(latents)
}

func TestSameSeedSameWeights(t *testing.T) {
	d, _ := newLamps(2).transitions(100)
	p := tiny()
	p.WorldModel.Steps, p.WorldModel.Evaluate = 20, 10
	train := func(seed uint64) *Learned {
		l, err := TrainWorldModel(context.Background(), d, p, Options{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	a, b, c := train(5), train(5), train(6)
	if !slices.Equal(a.Teacher, b.Teacher) {
		t.Error("two runs with one seed differ")
	}
	if slices.Equal(a.Teacher, c.Teacher) {
		t.Error("two seeds give the same weights")
	}
}

// TestResumeEqualsUninterrupted stops a run in the middle and goes on from its
// checkpoint: the weights must be those of a run that was never stopped.
func TestResumeEqualsUninterrupted(t *testing.T) {
	d, _ := newLamps(3).transitions(100)
	p := tiny()
	p.WorldModel.Steps, p.WorldModel.Evaluate = 40, 10
	whole, err := TrainWorldModel(context.Background(), d, p, Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Seed: 1, Resume: true, Checkpoint: filepath.Join(t.TempDir(), "stage1")}
	ctx, cancel := context.WithCancel(context.Background())
	o.Progress = func(step, _ int, _ *Evaluation) {
		if step == 25 {
			cancel()
		}
	}
	stopped, err := TrainWorldModel(ctx, d, p, o)
	if !errors.Is(err, context.Canceled) || stopped == nil || len(stopped.History) != 2 {
		t.Fatalf("an interrupted run returned %v, %v: want its checkpoint and the reason", stopped, err)
	}
	o.Progress = nil
	resumed, err := TrainWorldModel(context.Background(), d, p, o)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(whole.Teacher, resumed.Teacher) || len(resumed.History) != 4 {
		t.Error("a resumed run ends elsewhere than an uninterrupted one")
	}
	other := o
	other.Seed = 2
	if _, err := TrainWorldModel(context.Background(), d, p, other); !errors.Is(err, ErrCheckpoint) {
		t.Errorf("another seed resumed from the checkpoint: %v", err)
	}
	p.Objective["pull"] = Term{Weight: 1}
	if _, err := TrainWorldModel(context.Background(), d, p, o); !errors.Is(err, ErrCheckpoint) || !strings.Contains(err.Error(), "other settings") {
		t.Errorf("another weight resumed from the checkpoint: %v", err)
	}
	if err := writeGob(o.Checkpoint, struct{ Preset struct{ Name string } }{}); err != nil { // as an earlier program did
		t.Fatal(err)
	}
	if _, err := TrainWorldModel(context.Background(), d, p, o); !errors.Is(err, ErrCheckpoint) {
		t.Errorf("an earlier program's checkpoint resumed: %v", err)
	}
}

func TestUnusableData(t *testing.T) {
	empty := NewDataset(16, 2, 0)
	one, _ := newLamps(5).transitions(1)
	few, _ := newLamps(5).transitions(3)
	big := noiseData(t, 32, 2, 8)
	for name, c := range map[string]struct {
		data *Dataset
		want string
	}{
		"empty":          {empty, "0 successful attempts"},
		"one transition": {one, "1 successful attempts"},
		"too few":        {few, "at least 4"},
		"wrong size":     {big, "32 pixels wide"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := TrainWorldModel(context.Background(), c.data, tiny(), Options{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
	if err := one.AddTransition(Transition{Before: 0, After: 9, Action: 1}); err == nil {
		t.Error("a transition to an image that is not there was accepted")
	}
	if err := one.AddTransition(Transition{Before: 0, After: 1, Action: 5}); err == nil {
		t.Error("an action beyond L was accepted")
	}
	if _, err := TrainClassifier(context.Background(), one, make([][]bool, 2), 3, nil, tiny(), Options{}); err == nil {
		t.Error("a classifier was trained without any target")
	}
}

func TestCheckpointSelection(t *testing.T) {
	at := func(loss float64, nondeterminism int) Evaluation {
		return Evaluation{Losses: map[string]float64{"total": loss}, Nondeterministic: nondeterminism}
	}
	for name, c := range map[string]struct {
		a, b Evaluation
		want bool
	}{
		"much lower loss wins":                     {at(1, 9), at(10, 0), true},
		"comparable loss: less nondeterminism":     {at(1.2, 0), at(1, 3), true},
		"comparable loss: more nondeterminism":     {at(0.9, 3), at(1, 0), false},
		"same nondeterminism: lower loss":          {at(0.9, 1), at(1, 1), true},
		"a collapsed early checkpoint loses later": {at(9, 0), at(1, 2), false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.a.Better(c.b); got != c.want {
				t.Errorf("better = %v, want %v", got, c.want)
			}
		})
	}
}

// TestTrainOnAGPU trains on one or, where there is none, is told so: falling back
// in silence would take days.
func TestTrainOnAGPU(t *testing.T) {
	d, _ := newLamps(1).transitions(200)
	p := tiny()
	p.WorldModel.Steps = 2
	learned, err := TrainWorldModel(t.Context(), d, p, Options{Seed: 1, Device: inference.CUDA})
	if learned == nil && (err == nil || !strings.Contains(err.Error(), "cuda")) {
		t.Errorf("%v, %v", learned, err)
	}
}

// TestSettling looks at evaluations in a row: training goes on while they still
// improve, and does not wait for what single wrong transitions keep from zero.
func TestSettling(t *testing.T) {
	at := func(codes, nondeterminism, conflicts int, accuracy float64) Evaluation {
		return Evaluation{Codes: codes, Nondeterministic: nondeterminism, Conflicts: conflicts, Losses: map[string]float64{"inverse_accuracy": accuracy}}
	}
	for name, c := range map[string]struct {
		before, now Evaluation
		want        bool
	}{
		"nothing changed":         {at(101, 0, 0, 0.99), at(101, 0, 0, 0.99), true},
		"a stray image":           {at(101, 0, 0, 0.99), at(103, 0, 0, 0.99), true},
		"codes still merge":       {at(120, 0, 0, 0.99), at(101, 0, 0, 0.99), false},
		"wrong labels":            {at(101, 700, 0, 0.9), at(101, 690, 0, 0.9), true},
		"an image at an edge":     {at(71, 2, 0, 0.99), at(72, 1, 0, 0.99), true},
		"nondeterminism falls":    {at(101, 4, 0, 0.99), at(101, 2, 0, 0.99), false},
		"successors in conflict":  {at(101, 9, 1, 0.99), at(101, 9, 1, 0.99), false},
		"one code for everything": {at(1, 0, 0, 0.1), at(1, 0, 0, 0.1), false},
	} {
		if got := c.now.settledSince(c.before); got != c.want {
			t.Errorf("%s: settled = %v, want %v", name, got, c.want)
		}
	}
}

// TestDiagnosis builds transitions under handmade codes.
func TestDiagnosis(t *testing.T) {
	d := NewDataset(1, 2, 0)
	var codes []Code
	see := func(times int, from Code, a strips.ActionID, to Code) {
		for range times {
			codes = append(codes, from, to)
			d.Transitions = append(d.Transitions, Transition{Before: len(codes) - 2, After: len(codes) - 1, Action: a})
		}
	}
	check := func(want Evaluation) {
		t.Helper()
		e, err := (&trainer{data: d}).diagnose(codes)
		if err != nil || e.Codes != want.Codes || e.Nondeterministic != want.Nondeterministic || e.Conflicts != want.Conflicts || math.Abs(e.MinorityShare-want.MinorityShare) > 1e-9 {
			t.Errorf("%+v, %v, want %+v", e, err, want)
		}
	}
	see(20, "a", 1, "b")
	see(1, "a", 1, "c") // misread
	see(2, "b", 1, "d")
	see(2, "b", 1, "e") // seen too rarely to tell
	check(Evaluation{Codes: 5, Nondeterministic: 2, MinorityShare: 3. / 25})
	see(30, "b", 1, "d")
	see(10, "b", 1, "e") // too many for that
	check(Evaluation{Codes: 5, Nondeterministic: 2, Conflicts: 1, MinorityShare: 13. / 65})
	see(300, "c", 1, "a")
	see(15, "c", 2, "b")
	see(14, "c", 2, "a") // mislabelled: no conflict
	check(Evaluation{Codes: 5, Nondeterministic: 3, Conflicts: 1, MinorityShare: 27. / 394})
}

func ExampleTrainWorldModel() {
	d, _ := newLamps(1).transitions(600)
	p := tiny()
	p.WorldModel.Steps = 300
	learned, err := TrainWorldModel(context.Background(), d, p, Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(learned.Chosen.Codes, "codes, nondeterminism", learned.Chosen.Nondeterministic)
	// Output: 4 codes, nondeterminism 0
}
