package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"stripswm/models/bundle"
	"stripswm/nodes/eval"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
)

// evaluated is an evaluation with something of everything.
func evaluated() eval.Report {
	horizons := func(solved int) []eval.Horizon {
		return []eval.Horizon{
			{Horizon: 1, Queries: 10, Pairs: 4, SolvedPairs: 4, SolvedGraph: 10, Executed: 2, Reached: 2,
				Shortest: 10},
			{Horizon: 2, Queries: 10, Pairs: 5, SolvedPairs: 4, SolvedGraph: solved, Executed: 2, Reached: 1,
				Shortest: solved - 2, WrongPlan: 10 - solved},
		}
	}
	of := eval.Reliability{ECE: 0.0125, Brier: 0.25,
		Bins: []eval.Bin{{Images: 40, Predicted: 0.5, Holds: 0.5}}}
	return eval.Report{
		Abstraction: eval.Abstraction{Actions: 18, Transitions: 5000, TrueStates: 16, States: 17,
			DistinctCodes: 16, Operators: 20, NondeterministicPairs: 1, Predicates: 6, Eta: 2, Split: 1,
			Trusted: 40, Accepted: 2, Untried: 3},
		Horizons: horizons(9), MedianMilliseconds: 1.5,
		Methods: []eval.Method{{Name: "no exceptions", Horizons: horizons(6)},
			{Name: "graph search", Horizons: horizons(3)}},
		Ablation: []eval.Ablation{
			{Condition: "STRIPS-WM", TrueStates: 16, Predicates: 6, Eta: 2, FalsePositives: 2,
				DistinctCodes: 16, Horizons: horizons(9)},
			{Condition: "no neg.", TrueStates: 16, Impossible: "nodes 1 and 2 cannot be kept distinct"},
		},
		Calibration: []eval.Calibration{{Strength: 1.5, Images: 40, Right: 30, Wrong: 4, WrongCertain: 1,
			Unrecognized: 6,
			Together:     of, Predicates: []eval.Reliability{of, of},
			Abstention: eval.Abstention{Queries: 20, With: eval.Outcomes{Reached: 12, Wrong: 3,
				Abstained: 5},
				Without: eval.Outcomes{Reached: 14, Wrong: 6}, WrongAvoided: 3, RightLost: 2}}},
	}
}

func TestEvalPrintsEveryTable(t *testing.T) {
	says := func(domain string, r eval.Report, all ...string) string {
		var b bytes.Buffer
		printEval(&b, domain, r)
		text := regexp.MustCompile(` +`).ReplaceAllString(b.String(), " ")
		for _, want := range all {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
		return text
	}
	says("blocksworld", evaluated(),
		" learned 18 5000 16 17 16 6 0 2\n paper 18 5000 16 16 16 9 0 0\n",
		"\n20 operators of 18 skills; 1 (state, action) pairs nondeterministic, 3 untried; of 40 "+
			"trusted not to apply the world accepts 2\n", "not one to one: 1 true states have several nodes",
		" horizon queries pairs in graph closed loop shortest unrecognized no plan wrong\n",
		" 2 10 5 90.0 % 50.0 % 70.0 % 0 0 1\n all 20 9 95.0 % 75.0 % 85.0 % 0 0 1\n8 of 9 distinct pairs",
		" STRIPS-WM 95.0 % 90.0 % 0 0 1\n no exceptions 80.0 % 60.0 % 0 0 4\n graph search 65.0 % 30.0 "+
			"% 0 0 7\n",
		" STRIPS-WM 16 0 2 2 16 6 95.0 %\n", "cannot be kept distinct",
		" x 1.5 40 75.0 % 10.0 % 2.5 % 15.0 % 0.0125 0.2500\n",
		" x 1.5 20 12 3 5 14 6 3 2\n")
	folder := evaluated()
	folder.Ground = &eval.Ground{Attempts: 40, Edges: 9, Untried: 3, WithoutImage: 2,
		UnaskedPairs: 6, UnconnectedPairs: 30}
	folder.Horizons[1].WrongPlan, folder.Horizons[1].Unevaluated = 0, 1
	folder.Unconnected = &eval.Horizon{Queries: 20, Pairs: 20, NoPlan: 7, Unevaluated: 13}
	says("mine", folder, "of 40 attempts: 9 (state", "2 have no test image, so that 6 pairs",
		" horizon queries pairs in graph shortest unrecognized no plan wrong not evaluated\n",
		" 2 10 5 90.0 % 70.0 % 0 0 0 1\n",
		" all 20 9 95.0 % 85.0 % 0 0 0 1\n no path 20 20 0.0 % 0.0 % 0 7 0 13\n",
		"no path between 30 pairs")
	quick := eval.Report{Horizons: evaluated().Horizons}
	if text := says("mine", quick); strings.Contains(text, "nuisance") {
		t.Errorf("a quick evaluation prints\n%s", text)
	}
	// Facts have no nodes.
	if text := says("table", eval.Report{}, "share all facts"); strings.Contains(text, "outliers") {
		t.Errorf("an evaluation of facts prints\n%s", text)
	}
	says("table", eval.Report{Abstraction: eval.Abstraction{States: 3}}, "share a code", "outliers")
}

func TestEvalIsWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "eval")
	must(0, writeEval(dir, "blocksworld", evalOutput{originOf(11, ""), evaluated()}))
	var fields map[string]json.RawMessage
	must(0, json.Unmarshal(must(os.ReadFile(filepath.Join(dir, "eval.json"))), &fields))
	for _, name := range []string{"run", "abstraction", "horizons", "median_milliseconds", "methods",
		"ablation", "calibration"} {
		if _, ok := fields[name]; !ok {
			t.Errorf("eval.json has no %s", name)
		}
	}
	page := must(os.ReadFile(filepath.Join(dir, "report.html")))
	for _, want := range []string{"graph search", "cannot be kept distinct", "× 1.5", "2.5",
		"the paper's"} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, name := range []string{"success.svg", "ablation.svg", "reliability.svg", "mistakes.svg"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestEvalRefusesNothingToMeasure(t *testing.T) {
	for _, flag := range []string{"--queries=0", "--images=0", "--size=1", "--world=nowhere",
		"--world=blocksworld --truth=x", "--size=64 --truth=x"} {
		ends(t, map[string]end{"eval --bundle " + t.TempDir() + " " + flag: {exitUsage, ""}})
	}
}

const blocksworldBundle = "../../test/launch/testdata/bundle"

// labelledBlocks is a folder of BlocksWorld: every transition, and a test image of
// every state.
func labelledBlocks(t *testing.T) (dir string, truth *sim.Graph) {
	t.Helper()
	w := must(sim.New("blocksworld"))
	dir, truth = t.TempDir(), sim.GroundTruth(w)
	labels := []string{"image,state"}
	img := func(s sim.State) string {
		img := must(camera.New(128, 128).Render(w, s, uint64(1000+len(labels))))
		name := fmt.Sprintf("%d.png", len(labels))
		labels = append(labels, fmt.Sprintf("%s,%q", name, w.Describe(s)))
		writePNG(t, filepath.Join(dir, name), img)
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
		write(t, filepath.Join(dir, name), strings.Join(lines, "\n"))
	}
	return dir, truth
}

func TestEvalOnAFolder(t *testing.T) {
	dir, truth := labelledBlocks(t)
	out := filepath.Join(t.TempDir(), "out")
	var r eval.Report
	said(t, "eval --bundle "+blocksworldBundle+" --truth "+dir+" --quick --out "+out, &r)
	if a := r.Abstraction; a.TrueStates != 16 || !a.OneToOne || a.Images != 16 || r.Ground == nil ||
		r.Ground.Edges != 36 {
		t.Errorf("%+v, %+v", a, r.Ground)
	}
	all, _ := eval.Total(r.Horizons)
	if pairs := truth.Pairs(); len(r.Horizons) != len(pairs)-1 || all.Pairs != 16*15 ||
		all.SolvedGraph < all.Queries*9/10 {
		t.Errorf("%d horizons, %+v", len(r.Horizons), all)
	}
	for _, name := range []string{"eval.json", "report.html"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	must(0, os.Remove(filepath.Join(dir, "truth.csv")))
	ends(t, map[string]end{
		"eval --bundle " + blocksworldBundle + " --truth " + dir: {exitInput, "truth.csv"}})
}

// TestEvalOfPhotographs has images of two states and of none, as they are and changed.
func TestEvalOfPhotographs(t *testing.T) {
	dir, _ := labelledBlocks(t)
	for from, to := range map[string]string{"1.png": "good_1.png", "3.png": "good_2.png"} {
		must(0, os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)))
	}
	writePNG(t, filepath.Join(dir, "grey_1.png"), image.NewGray(image.Rect(0, 0, 128, 128)))
	line := "eval --bundle " + blocksworldBundle + " --photographs " + dir
	var found []eval.Photographs
	if said(t, line, &found); len(found) != 2 {
		t.Fatalf("%d kinds", len(found))
	}
	for i, want := range []eval.OutOfDistribution{{Images: 2, Right: 2}, {Images: 1}} {
		if is := found[i].Changes[0]; is.Images != want.Images || is.Right != want.Right ||
			is.Wrong != 0 {
			t.Errorf("%s: %+v, want %+v", found[i].Kind, is, want)
		}
	}
	ends(t, map[string]end{line + " --out x": {exitUsage, "photographs"}})
}

// TestEvalOfOtherStates: a bundle is evaluated on the states that its recording explored.
func TestEvalOfOtherStates(t *testing.T) {
	b := must(bundle.Open(blocksworldBundle))
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
		ends(t, map[string]end{"eval --bundle " + blocksworldBundle + " " + other: {exitUsage,
			"learned in blocksworld, not in "}})
	}
}
