package main

import (
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stripswm/models/baselines"
)

// TestBaselineIsLearnedAndAsked learns every baseline for a few steps, and asks it beside a bundle
// of the same recording.
func TestBaselineIsLearnedAndAsked(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	succeeds(t, "record --world blocksworld --transitions 300 --size 64 --quiet --out "+in("bag"))
	succeeds(t, "learn --preset small --steps 200 --threads 2 --quiet --bag "+in("bag")+" --out "+
		in("run"))
	asked, ids := "", []string{}
	for _, l := range baselines.Learners() {
		if !slices.ContainsFunc(baselines.All(), func(b baselines.Baseline) bool {
			return b.ID == l.ID
		}) {
			continue // a variant of another
		}
		var learned struct {
			Method  string         `json:"method"`
			Learned map[string]any `json:"learned"`
		}
		said(t, "research baseline learn --steps 60 --threads 2 --method "+l.ID+" --bag "+in("bag")+
			" --out "+in(l.ID), &learned)
		if learned.Method != l.ID || len(learned.Learned) == 0 {
			t.Errorf("%s: %+v", l.ID, learned)
		}
		asked += " --baseline " + in(l.ID)
		ids = append(ids, l.ID)
	}
	table := succeeds(t, "eval --quick --queries 2 --images 2 --bundle "+in("run/bundle")+asked+
		" --method "+strings.Join(ids, ","))
	for _, b := range baselines.All() {
		if shown, wanted := strings.Contains(table, b.Name), strings.Contains(strings.Join(ids, ","),
			b.ID); shown != wanted {
			t.Errorf("%s is shown: %v, want %v, in\n%s", b.Name, shown, wanted, table)
		}
	}
	if alone := succeeds(t, "eval --quiet --queries 2"+asked); !strings.Contains(alone,
		"LSR: horizon") || !strings.Contains(alone, "all") {
		t.Errorf("asked alone: %s", alone)
	}

	succeeds(t, "record --world blocksworld --transitions 20 --size 64 --seed 2 --quiet --out "+
		in("other"))
	succeeds(t, "research baseline learn --quiet --steps 20 --method lsr --bag "+in("other")+" --out "+
		in("lsr-other"))
	ask := "eval --quick --queries 2 --bundle " + in("run/bundle")
	learn := "research baseline learn --bag " + in("bag")
	ends(t, map[string]end{
		ask + " --baseline " + in("lsr-other"):   {exitUsage, "another recording"},
		ask + " --baseline " + in("run/nothing"): {exitInput, "no such file"},
		ask + " --method lsr": {exitUsage,
			"there are strips-wm, no-exceptions, graph-search, wm-bfs, wm-rollout"},
		"eval --method lsr --baseline " + in("lsr"):              {exitUsage, "need --bundle"},
		"eval --baseline " + in("lsr") + " --truth " + in("bag"): {exitUsage, "--bundle is needed"},
		learn + " --method magic --out " + in("x"):               {exitUsage, `no baseline "magic"`},
		learn + " --method lsr":                                  {exitUsage, `required flag(s) "out" not set`},
		learn + " --method lsr --steps -1 --out " + in("x"):      {exitUsage, "at least 0"},
		learn + " --method lsr --out " + in("run"):               {exitFailure, "will not replace"},
		"research baseline":                                      {exitUsage, "which verb?"},
	})
}

// TestBaselinePlanDrawsAndExports learns AMA3 from a few images, and asks it.
func TestBaselinePlanDrawsAndExports(t *testing.T) {
	dir, _ := labelledBlocks(t)
	out := filepath.Join(t.TempDir(), "ama3")
	succeeds(t, "research baseline learn --quiet --steps 30 --method ama3 --bag "+dir+" --out "+out)
	img := func(name string) string { return filepath.Join(dir, name) }
	sheet, pddl := filepath.Join(t.TempDir(), "plan.png"), filepath.Join(t.TempDir(), "pddl")
	var plan baselinePlanOutput
	said(t, "research baseline plan --bundle "+out+" --start "+img("1.png")+" --goal "+img("1.png")+
		" --drawing "+sheet+" --pddl "+pddl, &plan)
	if !plan.Found || plan.Method != "ama3" || len(plan.Plan) > 0 {
		t.Fatalf("from an image to itself: %+v", plan)
	}
	file := must(os.Open(sheet))
	defer file.Close()
	if drawn, err := png.Decode(file); err != nil || drawn.Bounds().Empty() {
		t.Errorf("the sheet: %v", err)
	}
	for name, has := range map[string]string{"domain.pddl": "(:action", "problem.pddl": "(:goal",
		"actions.json": "{"} {
		data, err := os.ReadFile(filepath.Join(pddl, name))
		if err != nil || !strings.Contains(string(data), has) {
			t.Errorf("%s: %v, want %q in it", name, err, has)
		}
	}
	query := "research baseline plan --start " + img("1.png") + " --goal " + img("2.png")
	ends(t, map[string]end{
		"research baseline plan --bundle " + out:     {exitUsage, "required flag"},
		query + " --bundle " + out + " --method lsr": {exitUsage, "has ama3"},
		query + " --bundle " + blocksworldBundle:     {exitUsage, "graph-search"},
		query + " --bundle " + blocksworldBundle + " --method wm-rollout --pddl " + pddl: {exitUsage,
			"has no operators"},
	})
}

func TestCompareDrawsTheKeptResults(t *testing.T) {
	out := t.TempDir()
	fresh := filepath.Join("..", "..", "test", "results", "fresh")
	if stdout := succeeds(t, "research compare "+fresh+" --world dinnertable,keydoorcoarse --out "+
		out); !strings.Contains(stdout, "keydoorcoarse") {
		t.Error(stdout)
	}
	for _, name := range []string{"success-by-horizon.svg", "success-by-horizon.png"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	samples := filepath.Join("..", "..", "test", "results", "samples")
	stdout := succeeds(t, "research compare "+fresh+" "+samples+"/50 "+samples+
		"/12 --over transitions --world blocksworld --out "+out)
	for _, x := range []string{"600", "2500", "5000"} { // 12, 50 and 100 %
		if !strings.Contains(stdout, `"x": `+x+",") {
			t.Errorf("no point at %s: %s", x, stdout)
		}
	}
	ends(t, map[string]end{
		"research compare --out " + out:                            {exitUsage, ""},
		"research compare " + fresh:                                {exitUsage, ""},
		"research compare " + fresh + " --over time --out " + out:  {exitUsage, ""},
		"research compare " + fresh + " --world mars --out " + out: {exitUsage, ""},
		"research compare " + t.TempDir() + " --out " + out:        {exitInput, ""},
	})
}
