package main

import (
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/models/bundle"
	"stripswm/nodes/eval"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
)

const blocksworldBundle = "../../test/launch/testdata/bundle"

// labelledBlocks is a folder of BlocksWorld: every transition, and a test image of
// every state.
func labelledBlocks(t *testing.T) (dir string, truth *sim.Graph) {
	t.Helper()
	w, err := sim.New("blocksworld")
	if err != nil {
		t.Fatal(err)
	}
	dir, truth = t.TempDir(), sim.GroundTruth(w)
	labels := []string{"image,state"}
	img := func(s sim.State) string {
		img, err := camera.New(128, 128).Render(w, s, uint64(1000+len(labels)))
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%d.png", len(labels))
		labels = append(labels, fmt.Sprintf("%s,%q", name, w.Describe(s)))
		file, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if err := png.Encode(file, img); err != nil {
			t.Fatal(err)
		}
		return name
	}
	attempts := []string{"before,action,after,outcome"}
	for _, e := range truth.Edges() {
		attempts = append(attempts, fmt.Sprintf("%s,%d,%s,succeeded", img(e.From), e.Action, img(e.To)))
	}
	for _, s := range truth.States() {
		img(s)
	}
	for name, lines := range map[string][]string{"transitions.csv": attempts, "truth.csv": labels} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Join(lines, "\n")),
			0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir, truth
}

func TestEvalOnAFolder(t *testing.T) {
	dir, truth := labelledBlocks(t)
	out := filepath.Join(t.TempDir(), "out")
	code, stdout, stderr := verb(t, t.Context(), "eval", "--bundle", blocksworldBundle, "--truth", dir,
		"--quick", "--out", out, "--json")
	var r eval.Report
	if err := json.Unmarshal([]byte(stdout), &r); code != exitOK || err != nil {
		t.Fatalf("exit %d, %v: %s", code, err, stderr)
	}
	if a := r.Abstraction; a.TrueStates != 16 || !a.OneToOne || a.Images != 16 || r.Ground == nil ||
		r.Ground.Edges != 36 {
		t.Errorf("%+v, %+v", a, r.Ground)
	}
	all, _ := total(r.Horizons)
	if pairs := truth.Pairs(); len(r.Horizons) != len(pairs)-1 || all.Pairs != 16*15 ||
		all.SolvedGraph < all.Queries*9/10 {
		t.Errorf("%d horizons, %+v", len(r.Horizons), all)
	}
	for _, name := range []string{"eval.json", "report.html"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "truth.csv")); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := verb(t, t.Context(), "eval", "--bundle", blocksworldBundle, "--truth",
		dir); code != exitInput || !strings.Contains(stderr, "truth.csv") {
		t.Errorf("without truth.csv: exit %d, %s", code, stderr)
	}
}

// TestEvalOfOtherStates: a bundle is evaluated on the states that its recording explored.
func TestEvalOfOtherStates(t *testing.T) {
	b, err := bundle.Open(blocksworldBundle)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		recorded *bundle.Simulation
		flag     string
		want     string // states; none is an error
	}{
		{nil, "", ""},
		{nil, "all", "all"},
		{&bundle.Simulation{World: "blocksworld"}, "", "explored"},
		{&bundle.Simulation{World: "blocksworld"}, "explored", "explored"},
		{&bundle.Simulation{World: "blocksworld"}, "all", "error"},
		{&bundle.Simulation{World: "blocksworld", Whole: true}, "", "all"},
		{&bundle.Simulation{World: "blocksworld", Whole: true}, "all", "all"},
		{&bundle.Simulation{World: "blocksworld", Whole: true}, "explored", "error"},
	} {
		b.Manifest.Simulation = c.recorded
		f := worldFlags{name: "blocksworld", states: c.flag}
		err := f.recorded(b)
		if (err != nil) != (c.want == "error") || err == nil && f.states != c.want {
			t.Errorf("recorded %+v, --states %q: %q, %v; want %q", c.recorded, c.flag, f.states, err,
				c.want)
		}
		if err != nil && !strings.Contains(err.Error(), "--states") {
			t.Errorf("%v does not say which flag", err)
		}
	}
}

// TestEvalInAnotherWorld: a bundle is evaluated in the world that it was learned in.
func TestEvalInAnotherWorld(t *testing.T) {
	for _, other := range []string{"--world=dinnertable", "--skills=state-dependent",
		"--world=blocksworldcoarse"} {
		code, _, stderr := verb(t, t.Context(), "eval", "--bundle", blocksworldBundle, other)
		if code != exitUsage || !strings.Contains(stderr, "learned in blocksworld, not in ") {
			t.Errorf("%s: exit %d, %s", other, code, stderr)
		}
	}
}
