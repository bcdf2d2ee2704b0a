package eval

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// labelledFolder is a folder in the making: its tables, and images as they are
// mentioned.
type labelledFolder struct {
	dir                string
	transitions, truth []string
	images             int
	paint              func(sim.State, int) image.Image
}

func newFolder(t testing.TB) *labelledFolder {
	return &labelledFolder{dir: t.TempDir(), transitions: []string{"before,action,after,outcome"},
		truth: []string{"image,state"},
		paint: func(sim.State, int) image.Image { return image.NewGray(image.Rect(0, 0, 2, 2)) }}
}

// shows adds an image of a state, with its label, and returns its name.
func (f *labelledFolder) shows(s sim.State, label string) string {
	name := fmt.Sprintf("%d.png", f.images)
	file := must(os.Create(filepath.Join(f.dir, name)))
	defer file.Close()
	must(0, png.Encode(file, f.paint(s, f.images)))
	f.images++
	f.truth = append(f.truth, name+","+label)
	return name
}

func (f *labelledFolder) attempt(from sim.State, action any, to sim.State,
	outcome string,
) {
	f.transitions = append(f.transitions, fmt.Sprintf("%s,%v,%s,%s", f.shows(from, named(from)),
		action, f.shows(to, named(to)), outcome))
}

func (f *labelledFolder) test(s sim.State) { f.shows(s, named(s)) }

// open writes the tables and reads the folder.
func (f *labelledFolder) open(t testing.TB) (*Folder, error) {
	for name, lines := range map[string][]string{bags.TableName: f.transitions, TruthName: f.truth} {
		must(0, os.WriteFile(filepath.Join(f.dir, name), []byte(strings.Join(lines, "\n")+"\n"),
			0o666))
	}
	return OpenFolder(t.Context(), f.dir)
}

// named is a state in any words.
func named(s sim.State) string { return fmt.Sprintf("the table as on day %d", s) }

// photographed is BlocksWorld as a folder: every transition once, a refusal in every
// state, two test images of every state but the last, which has none.
func photographed(t testing.TB, w *sim.World, truth *sim.Graph) *labelledFolder {
	t.Helper()
	camera := allOf(truth, Options{Size: shotSide, Nuisance: 1})
	f := newFolder(t)
	f.paint = func(s sim.State, number int) image.Image {
		p := must(camera.image(s, 1<<40+uint64(number), 1)())
		return p.Image()
	}
	for i, s := range truth.States() {
		for a := strips.ActionID(1); int(a) <= w.NumActions(); a++ {
			if _, ok := truth.Next(s, a); !ok {
				f.attempt(s, a, s, "refused")
				break
			}
		}
		for range 2 {
			if i < len(truth.States())-1 {
				f.test(s)
			}
		}
	}
	for _, e := range truth.Edges() {
		f.attempt(e.From, e.Action, e.To, "succeeded")
	}
	return f
}

func TestFolderIsEvaluatedAsAWorldIs(t *testing.T) {
	w, truth := blocks()
	p := open(t, newBundle(t, w, truth, ""))
	f := must(photographed(t, w, truth).open(t))
	o := Options{Queries: 20, Images: 3, Seed: 1, Workers: 2, Quick: true}
	r := must(RunFolder(t.Context(), p, f, o))
	if want := (Ground{Attempts: 52, Edges: 36, Refused: 16, Untried: 16*18 - 52, WithoutImage: 1,
		UnaskedPairs: 30}); *r.Ground != want {
		t.Errorf("ground truth %+v, want %+v", *r.Ground, want)
	}
	if a := r.Abstraction; a.TrueStates != 16 || a.Images != 30 || !a.OneToOne ||
		a.Unrecognized+a.Outliers > 2 {
		t.Errorf("abstraction %+v", a)
	}
	withoutImage := truth.States()[15]
	want := 0
	for d, pairs := range truth.Pairs() {
		pairs = slices.DeleteFunc(pairs, func(q sim.Query) bool {
			return q.Start == withoutImage ||
				q.Goal == withoutImage
		})
		if d > 0 {
			want += min(len(pairs), o.Queries)
		}
	}
	asked := 0
	for i, h := range r.Horizons {
		asked += h.Queries
		if h.Horizon != i+1 || h.Pairs != h.Queries || h.SolvedPairs != h.SolvedGraph ||
			h.Executed != 0 || h.Shortest != h.SolvedGraph {
			t.Errorf("horizon %+v", h)
		}
	}
	if asked != want || rate(t, r.Horizons) < 0.9 || r.MedianMilliseconds <= 0 {
		t.Errorf("%d queries, want %d, %v solved in %v ms", asked, want, rate(t, r.Horizons),
			r.MedianMilliseconds)
	}
	again, err := RunFolder(t.Context(), p, f, o)
	if err != nil || !reflect.DeepEqual(again.Horizons, r.Horizons) {
		t.Errorf("the same seed asked otherwise: %v", err)
	}
}

// TestWrongPlansAreWrongInAFolder: where the bundle's skills do not do what the
// attempts say, plans of more than one step fail.
func TestWrongPlansAreWrongInAFolder(t *testing.T) {
	w, truth := blocks()
	p := open(t, newBundle(t, w, truth, ""))
	made := photographed(t, w, truth)
	for i, line := range made.transitions {
		made.transitions[i] = strings.Replace(line, ",succeeded", ",refused", 1)
	}
	// nothing but one circle, by an action that means something else
	for i, s := range truth.States() {
		made.attempt(s, 1, truth.States()[(i+1)%16], "succeeded")
	}
	f := must(made.open(t))
	r := must(RunFolder(t.Context(), p, f, Options{Queries: 20, Images: 3, Seed: 1, Workers: 2,
		Budget: 100 * time.Millisecond}))
	if rate(t, r.Horizons) > 0.1 || len(r.Horizons) != 15 || r.Ground.SometimesRefused == 0 {
		t.Errorf("%v solved at %d horizons, %+v", rate(t, r.Horizons), len(r.Horizons), r.Ground)
	}
	if len(r.Calibration) != 1 ||
		r.Calibration[0].Abstention.With.Reached > r.Calibration[0].Abstention.Queries/10 {
		t.Errorf("calibration %+v", r.Calibration)
	}
}

func TestGroundTruthIsWhatMostAttemptsSay(t *testing.T) {
	made := newFolder(t)
	made.attempt(0, 1, 2, "succeeded")
	made.attempt(0, 1, 1, "succeeded")
	made.attempt(0, 1, 1, "succeeded")
	made.attempt(1, 2, 0, "refused")
	made.attempt(1, 2, 0, "succeeded")
	made.attempt(2, 2, 2, "refused")
	made.attempt(2, 1, 0, "failed")
	made.test(0)
	made.test(1)
	made.test(7)
	f := must(made.open(t))
	if want := (Ground{Attempts: 7, Edges: 2, Refused: 1, Untried: 5, Nondeterministic: 1,
		SometimesRefused: 1, Unrecorded: 1, WithoutImage: 1, UnconnectedPairs: 4}); f.Ground != want {
		t.Errorf("%+v, want %+v", f.Ground, want)
	}
	// Numbered as they appear: 0 is 0, then 2, then 1.
	want := []sim.Edge{{From: 0, Action: 1, To: 2}, {From: 2, Action: 2, To: 0}}
	if got := f.graph.Edges(); !slices.Equal(got, want) {
		t.Errorf("edges %v, want %v", got, want)
	}
}

func TestFoldersThatCannotBeUsed(t *testing.T) {
	for says, corrupt := range map[string]func(*labelledFolder){
		"no test images: ": func(f *labelledFolder) {
			f.truth = f.truth[:3]
		},
		"truth.csv:5: 0.png again: line 2 says": func(f *labelledFolder) {
			f.truth = append(f.truth, "./0.png,on")
		},
		"truth.csv:5: missing image: stat ": func(f *labelledFolder) {
			f.truth = append(f.truth, "9.png,on")
		},
		"truth.csv:5: image \"../x.png\": want a path": func(f *labelledFolder) {
			f.truth = append(f.truth, "../x.png,on")
		},
		"truth.csv:3: no state for 1.png": func(f *labelledFolder) {
			f.truth[2] = "1.png,"
		},
		"truth.csv:3: 1 fields, want an image": func(f *labelledFolder) {
			f.truth[2] = "1.png"
		},
		"truth.csv:1: the header is \"file,state\"": func(f *labelledFolder) {
			f.truth[0] = "file,state"
		},
		"truth.csv: record on line 3": func(f *labelledFolder) { f.truth[2] = `1.png,"on` },
		"truth.csv has no state for 1.png (transitions.csv:2)": func(f *labelledFolder) {
			f.truth = slices.Delete(f.truth, 2, 3)
		},
		"transitions.csv:3: missing image": func(f *labelledFolder) {
			f.transitions = append(f.transitions, "0.png,1,9.png,succeeded")
		},
	} {
		made := newFolder(t)
		made.attempt(0, 1, 1, "succeeded")
		made.test(0)
		corrupt(made)
		if _, err := made.open(t); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	if _, err := OpenFolder(t.Context(), t.TempDir()); err == nil {
		t.Error("an empty folder was opened")
	}
}

func TestFolderOfOtherSkills(t *testing.T) {
	w, truth := blocks()
	p := open(t, newBundle(t, w, truth, ""))
	for says, action := range map[string]any{"has action 19, the bundle 18": 19,
		"action 1 is jump in": "jump"} {
		made := newFolder(t)
		made.attempt(0, action, 1, "succeeded")
		made.test(0)
		f := must(made.open(t))
		if _, err := RunFolder(t.Context(), p, f, Options{Queries: 1, Images: 1}); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

func TestPairsAreSolvedEveryTimeOrNot(t *testing.T) {
	_, truth := blocks()
	from := &simulated{graph: truth}
	edge := truth.Edges()[0]
	q := question{sim.Query{Start: edge.From, Goal: edge.To}, 1}
	back := question{sim.Query{Start: edge.To, Goal: edge.From}, 1}
	yes, no := answer{found: true, plan: []strips.ActionID{edge.Action}}, answer{}
	for _, c := range []struct {
		answers []answer
		solved  int
	}{{[]answer{yes, yes}, 1}, {[]answer{yes, no, yes, no}, 0}, {[]answer{no, yes}, 0}} {
		m := method{horizons: []Horizon{{Horizon: 1}}}
		m.count(from, back, no)
		for _, a := range c.answers {
			m.count(from, q, a)
		}
		if h := m.horizons[0]; h.Pairs != 2 || h.SolvedPairs != c.solved ||
			h.Queries != len(c.answers)+1 {
			t.Errorf("%+v of %v", h, c)
		}
	}
}

// graph writes truth_graph.csv.
func (f *labelledFolder) graph(rows ...string) {
	text := strings.Join(append([]string{"state,action,next"}, rows...), "\n")
	must(0, os.WriteFile(filepath.Join(f.dir, TruthGraphName), []byte(text), 0o666))
}

// without drops the attempts that led to a state; their images become test images.
func (f *labelledFolder) without(truth *sim.Graph, lost sim.State) {
	rows := f.transitions[len(f.transitions)-len(truth.Edges()):]
	var kept []string
	for i, e := range truth.Edges() {
		if e.To != lost {
			kept = append(kept, rows[i])
		}
	}
	f.transitions = append(f.transitions[:len(f.transitions)-len(rows)], kept...)
}

// TestPlansThatLeaveTheRecording has a bundle that knows the whole world, and a folder whose
// attempts lead into all of its states but one. One state has no test image.
func TestPlansThatLeaveTheRecording(t *testing.T) {
	w, truth := blocks()
	p := open(t, newBundle(t, w, truth, ""))
	lost := truth.States()[7]
	o := Options{Queries: 300, Images: 3, Seed: 1, Workers: 2, Quick: true}
	for name, c := range map[string]struct {
		rows        func(sim.Edge) bool // of truth_graph.csv; nil without one
		unevaluated bool
		solved      bool // the pairs of the lost goal, else unconnected
	}{
		"attempts alone":                {nil, true, false},
		"the whole truth":               {func(sim.Edge) bool { return true }, false, true},
		"a truth in which it is closed": {func(e sim.Edge) bool { return e.To != lost }, false, false},
	} {
		made := photographed(t, w, truth)
		made.without(truth, lost)
		if c.rows != nil {
			var rows []string
			for _, e := range truth.Edges() {
				if c.rows(e) {
					rows = append(rows, fmt.Sprintf("%s,%d,%s", named(e.From), e.Action, named(e.To)))
				}
			}
			made.graph(rows...)
		}
		f := must(made.open(t))
		r := must(RunFolder(t.Context(), p, f, o))
		var all Horizon
		for _, h := range r.Horizons {
			all.Queries += h.Queries
			all.SolvedGraph += h.SolvedGraph
			all.Unevaluated += h.Unevaluated
		}
		if pairs := 15 * 14; r.Ground.WithoutImage != 1 || r.Ground.Complete != (c.rows != nil) ||
			all.Queries+r.Ground.UnconnectedPairs != pairs {
			t.Errorf("%s: %d pairs are asked for, %+v", name, all.Queries, r.Ground)
		}
		if c.solved {
			if r.Unconnected != nil || all.SolvedGraph < all.Queries*9/10 || all.Unevaluated != 0 {
				t.Errorf("%s: %+v, unconnected %+v", name, all, r.Unconnected)
			}
			continue
		}
		h := r.Unconnected
		if h == nil {
			t.Errorf("%s: no pair without a path is asked for", name)
			continue
		}
		plans := h.Unevaluated
		if !c.unevaluated {
			plans = h.WrongPlan
		}
		if h.Queries != 14 || plans < 12 || h.SolvedGraph != 0 || h.Unevaluated+h.WrongPlan != plans {
			t.Errorf("%s: unconnected %+v", name, h)
		}
	}
}

// TestStatesOutsideTheRecording counts what is in truth_graph.csv alone.
func TestStatesOutsideTheRecording(t *testing.T) {
	made := newFolder(t)
	made.attempt(0, "go", 1, "succeeded")
	made.test(0)
	made.test(1)
	made.graph(named(0)+",go,"+named(1), named(1)+",go,far away")
	f := must(made.open(t))
	want := Ground{Attempts: 1, Edges: 1, Untried: 2, Complete: true, Unrecorded: 1, WithoutImage: 1,
		UnaskedPairs: 2, UnconnectedPairs: 1}
	if f.Ground != want {
		t.Errorf("%+v, want %+v", f.Ground, want)
	}
	edges := []sim.Edge{{From: 0, Action: 1, To: 1}, {From: 1, Action: 1, To: 2}}
	if got := f.graph.Edges(); !slices.Equal(got, edges) {
		t.Errorf("edges %v, want %v", got, edges)
	}
}

func TestTruthGraphsThatCannotBeUsed(t *testing.T) {
	for says, rows := range map[string][]string{
		"truth_graph.csv:2: 2 fields, want":                                {"a,go"},
		"truth_graph.csv:2: field 3 is empty":                              {"a,go, "},
		`truth_graph.csv:3: no attempt is of action "jump"`:                {"a,go,b", "b,jump,a"},
		`truth_graph.csv:2: no attempt is of action "1"`:                   {"a,1,b"},
		"truth_graph.csv:3: state a and action go again: line 2 says what": {"a,go,b", "a,go,c"},
	} {
		made := newFolder(t)
		made.attempt(0, "go", 1, "succeeded")
		made.test(0)
		made.graph(rows...)
		if _, err := made.open(t); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// FuzzLabels gives arbitrary text for truth.csv: what it lets through is inside the folder and has
// a state.
func FuzzLabels(f *testing.F) {
	f.Add("image,state\n1.png,on table\n")
	f.Add("\ufeffimage, state\r\n\"1.png\",\"a\nb\"\n")
	f.Add("image,state\n../1.png,a\n/dev/zero,b\n,\n1.png\n")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		for name, content := range map[string]string{TruthName: text, "1.png": ""} {
			must(0, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
		}
		l, err := readLabels(dir)
		if err != nil {
			return
		}
		for _, file := range l.files {
			if s, ok := l.state[file]; !ok || !filepath.IsLocal(file) || l.names[s] == "" {
				t.Errorf("%q shows state %d of %q", file, s, l.names)
			}
		}
	})
}
