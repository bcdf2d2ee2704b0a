package vision

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stripswm/models/dataset"
	"stripswm/models/dataset/datasettest"
	"stripswm/models/identity"
	"stripswm/models/inference"
	"stripswm/models/networks"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// tiny is Small's recipe on a network for 16x16 pixels.
func tiny() Preset {
	p := Small()
	p.Name = "tiny"
	p.Backbone = networks.Isotropic{Size: 16, Patch: 4, Dim: 16, Depth: 1, Kernel: 3, Expand: 2,
		Reduced: 4, Hidden: 16}
	p.FSQ = FSQ{Levels: 5, Dims: 3}
	p.Hidden = 32
	p.Batch = 32
	p.WorldModel.Steps, p.WorldModel.Evaluate, p.WorldModel.Warmup = 600, 50, 20
	p.Classifier.Epochs = 12
	p.Classifier.Batch = 16
	return p
}

func TestWorldModelFindsTheTrueStates(t *testing.T) {
	d, truth := datasettest.NewLamps(1).Transitions(600)
	learned, err := TrainWorldModel(context.Background(), d, tiny(), Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	codes := codesOf(t, learned, d)
	byState := map[uint]map[identity.Code]bool{}
	byCode := map[identity.Code]map[uint]bool{}
	for i, c := range codes {
		if byState[truth[i]] == nil {
			byState[truth[i]] = map[identity.Code]bool{}
		}
		if byCode[c] == nil {
			byCode[c] = map[uint]bool{}
		}
		byState[truth[i]][c], byCode[c][truth[i]] = true, true
	}
	if len(byState) != 4 || len(byCode) != 4 {
		t.Fatalf("%d codes for %d states: %v", len(byCode), len(byState), byState)
	}
	graph, err := identity.TaskGraph(d, codes,
		[]string{"left_on", "left_off", "right_on", "right_off"})
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
		next, err := d.Successors(q.Latent(identity.Code(graph.Nodes[e.Source].Code)))
		if err != nil {
			t.Fatal(err)
		}
		at := q.Dims * int(e.Action-1)
		if got := q.Code(next[at : at+q.Dims]); string(got) != graph.Nodes[e.Target].Code {
			t.Errorf("%s from %s is predicted to lead to %s, it led to %s", graph.Label(e.Action),
				graph.Nodes[e.Source].Code, got, graph.Nodes[e.Target].Code)
		}
	}
}

// codesOf encodes all images with the teacher.
func codesOf(t *testing.T, l *Learned, d *dataset.Dataset) []identity.Code {
	t.Helper()
	e, err := networks.NewEncoder(l.Model.Backbone, l.Model.layout(), l.Model.FSQ.Dims,
		inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	latents, err := e.Encode(context.Background(), l.Teacher, d.Packed(0, d.Images()))
	if err != nil {
		t.Fatal(err)
	}
	l.Model.FSQ.boundAll(latents)
	return l.Model.FSQ.codes(latents)
}

func TestSameSeedSameWeights(t *testing.T) {
	d, _ := datasettest.NewLamps(2).Transitions(100)
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
	d, _ := datasettest.NewLamps(3).Transitions(100)
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
		t.Fatalf("an interrupted run returned %v, %v: want its checkpoint and the reason", stopped,
			err)
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
	if _, err := TrainWorldModel(context.Background(), d, p, other); !errors.Is(err,
		ErrCheckpoint) {
		t.Errorf("another seed resumed from the checkpoint: %v", err)
	}
	p.Objective["pull"] = Term{Weight: 1}
	if _, err := TrainWorldModel(context.Background(), d, p, o); !errors.Is(err, ErrCheckpoint) ||
		!strings.Contains(err.Error(), "other settings") {
		t.Errorf("another weight resumed from the checkpoint: %v", err)
	}
	// as an earlier program did
	if err := writeGob(o.Checkpoint, struct{ Preset struct{ Name string } }{}); err != nil {
		t.Fatal(err)
	}
	if _, err := TrainWorldModel(context.Background(), d, p, o); !errors.Is(err, ErrCheckpoint) {
		t.Errorf("an earlier program's checkpoint resumed: %v", err)
	}
}

func TestUnusableData(t *testing.T) {
	empty := dataset.New(16, 2, 0)
	one, _ := datasettest.NewLamps(5).Transitions(1)
	few, _ := datasettest.NewLamps(5).Transitions(3)
	big := datasettest.Noise(t, 32, 2, 8)
	for name, c := range map[string]struct {
		data *dataset.Dataset
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
	if err := one.AddTransition(dataset.Transition{Before: 0, After: 9, Action: 1}); err == nil {
		t.Error("a transition to an image that is not there was accepted")
	}
	if err := one.AddTransition(dataset.Transition{Before: 0, After: 1, Action: 5}); err == nil {
		t.Error("an action beyond L was accepted")
	}
	if _, err := TrainClassifier(context.Background(), one, make([][]bool, 2), 3, nil, tiny(),
		Options{}); err == nil {
		t.Error("a classifier was trained without any target")
	}
}

func TestCheckpointSelection(t *testing.T) {
	at := func(loss float64, nondeterminism int) Evaluation {
		return Evaluation{Losses: map[string]float64{"total": loss},
			Nondeterministic: nondeterminism}
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

// TestTrainOnAGPU trains on one, or returns an error where there is none: falling back
// in silence would take days.
func TestTrainOnAGPU(t *testing.T) {
	d, _ := datasettest.NewLamps(1).Transitions(200)
	p := tiny()
	p.WorldModel.Steps = 2
	learned, err := TrainWorldModel(t.Context(), d, p, Options{Seed: 1, Device: inference.CUDA})
	if learned == nil && (err == nil || !strings.Contains(err.Error(), "cuda")) {
		t.Errorf("%v, %v", learned, err)
	}
}

// TestSettling compares evaluations in a row: training goes on while they still
// improve, and does not wait for what single wrong transitions keep from zero.
func TestSettling(t *testing.T) {
	at := func(codes, nondeterminism, conflicts int, accuracy float64) Evaluation {
		return Evaluation{Codes: codes, Nondeterministic: nondeterminism, Conflicts: conflicts,
			Losses: map[string]float64{"inverse_accuracy": accuracy}}
	}
	for name, c := range map[string]struct {
		before, now Evaluation
		want        bool
	}{
		"nothing changed":         {at(101, 0, 0, 0.99), at(101, 0, 0, 0.99), true},
		"one misread image":       {at(101, 0, 0, 0.99), at(103, 0, 0, 0.99), true},
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
	d := dataset.New(1, 2, 0)
	var codes []identity.Code
	see := func(times int, from identity.Code, a strips.ActionID, to identity.Code) {
		for range times {
			codes = append(codes, from, to)
			d.Transitions = append(d.Transitions,
				dataset.Transition{Before: len(codes) - 2, After: len(codes) - 1, Action: a})
		}
	}
	check := func(want Evaluation) {
		t.Helper()
		e, err := (&trainer{data: d}).diagnose(codes)
		if err != nil || e.Codes != want.Codes || e.Nondeterministic != want.Nondeterministic ||
			e.Conflicts != want.Conflicts || math.Abs(e.MinorityShare-want.MinorityShare) > 1e-9 {
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
