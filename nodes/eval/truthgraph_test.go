package eval

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stripswm/nodes/sim"
)

// graph writes truth_graph.csv.
func (f *labelledFolder) graph(t testing.TB, rows ...string) {
	t.Helper()
	text := strings.Join(append([]string{"state,action,next"}, rows...), "\n")
	if err := os.WriteFile(filepath.Join(f.dir, TruthGraphName), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
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
	w, truth := blocks(t)
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
			made.graph(t, rows...)
		}
		f, err := made.open(t)
		if err != nil {
			t.Fatal(err)
		}
		r, err := RunFolder(t.Context(), p, f, o)
		if err != nil {
			t.Fatal(err)
		}
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
	made.attempt(t, 0, "go", 1, "succeeded")
	made.test(t, 0)
	made.test(t, 1)
	made.graph(t, named(0)+",go,"+named(1), named(1)+",go,far away")
	f, err := made.open(t)
	if err != nil {
		t.Fatal(err)
	}
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
		made.attempt(t, 0, "go", 1, "succeeded")
		made.test(t, 0)
		made.graph(t, rows...)
		if _, err := made.open(t); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
