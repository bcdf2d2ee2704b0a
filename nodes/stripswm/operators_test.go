package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/worlds/fixtures"
)

const (
	blocksworldGraph = "../../models/operators/testdata/blocksworld.dfa"
	hanoiGraph       = "../../models/operators/testdata/hanoi_3x3.dfa"
)

// operatorsVerb runs `stripswm operators ARGS` and returns its exit code and
// standard output.
func operatorsVerb(t *testing.T, args ...string) (int, string) {
	t.Helper()
	code, stdout, stderr := verb(t, t.Context(), append([]string{"operators"}, args...)...)
	t.Logf("%v: exit %d\n%s", args, code, stderr)
	return code, stdout
}

func TestOperatorsLearnThenCheck(t *testing.T) {
	dir := t.TempDir()
	var report operators.Report
	said(t, "operators learn --graph "+blocksworldGraph+" --out "+dir, &report)
	if report.Predicates != 6 || report.Eta != 0 || !report.Proved.Predicates {
		t.Errorf("%+v", report)
	}
	model := filepath.Join(dir, "model.json")
	check := []string{"check", "--graph", blocksworldGraph, "--model", model}
	if code, text := operatorsVerb(t, check...); code != exitOK || strings.Contains(text, "fault") {
		t.Errorf("exit %d: %s", code, text)
	}
	data := must(os.ReadFile(model))
	corrupted := bytes.Replace(data, []byte(`"add":[],"del":[3,4]`), []byte(`"add":[],"del":[3]`), 1)
	if bytes.Equal(data, corrupted) {
		t.Fatal("nothing was corrupted")
	}
	write(t, model, string(corrupted))
	if code, text := operatorsVerb(t, check...); code != exitFailure || !strings.Contains(text, "C2") {
		t.Errorf("exit %d for a corrupted model: %s", code, text)
	}
}

func TestOperatorsVerbs(t *testing.T) {
	dir := t.TempDir()
	succeeds(t, "operators learn --graph "+blocksworldGraph+" --out "+dir)
	words := strings.NewReplacer("BLOCKS", "--graph "+blocksworldGraph, "HANOI", "--graph "+hanoiGraph,
		"DIR", dir, "MODEL", "--model "+filepath.Join(dir, "model.json"))
	for _, c := range []struct {
		line string
		code int
		want string
	}{
		{"plan BLOCKS --model DIR --from 0 --to 1", exitOK, "3\tpick_0_3\n"},
		{"plan BLOCKS --model DIR --from 0 --to 0 --json", exitOK, `"plan": [],`},
		{"plan BLOCKS --model DIR --from 0 --to 15 --max-states 1", exitLimit, ""},
		{"plan BLOCKS --model DIR --from 0", exitUsage, ""},
		{"plan BLOCKS --model DIR --from 0 --to 16", exitUsage, ""},
		{"plan BLOCKS --from 0 --to 15", exitUsage, ""},
		{"explain HANOI MODEL --state 0 --action 3", exitInput, ""},
		{"check HANOI MODEL", exitInput, ""},
		{"plan HANOI MODEL --from 0 --to 1", exitInput, ""},
		{"explain BLOCKS MODEL --state 0 --action place_0_1", exitOK, "ruled out"},
		{"explain BLOCKS MODEL --state 0 --action 3", exitOK, "seen to lead to node 1"},
		{"suspects BLOCKS", exitOK, ""},
		{"learn BLOCKS --predicates 5:6 --budget 1s", exitOK, "  6    0    0      36"},
		{"learn BLOCKS --trust none --out DIR", exitOK, "16  of 16 nodes"},
		{"learn BLOCKS --trust none --single --out DIR", exitOK, "2  of 16 nodes"},
		{"program BLOCKS --predicates 2 --opb DIR/p.opb --wcnf DIR/p.wcnf", exitOK, ""},
		{"explain BLOCKS MODEL --state 0 --action jump", exitUsage, ""},
		{"explain BLOCKS MODEL --state 99 --action 3", exitUsage, ""},
		{"learn BLOCKS", exitUsage, ""},
		{"learn BLOCKS --out DIR --trust some", exitUsage, ""},
		{"learn BLOCKS --out DIR --distinct 1", exitUsage, ""},
		{"learn --graph DIR/none.dfa --out DIR", exitInput, ""},
		{"check BLOCKS --model " + blocksworldGraph, exitInput, ""},
	} {
		args := strings.Fields(words.Replace(c.line))
		if code, text := operatorsVerb(t, args...); code != c.code || !strings.Contains(text, c.want) {
			t.Errorf("%s: exit %d, want %d with %q:\n%s", c.line, code, c.code, c.want, text)
		}
	}
}

// A model without a way back: the light can only be switched on.
const oneWay = `{"predicates":1,"actions":[{"name":"on","pre_pos":[],"pre_neg":[0],"add":[0],"del":[]}],
"states":[{"node":0,"code":"0"},{"node":1,"code":"1"}],"exceptions":[],"slack":[]}`

func TestOperatorsPlan(t *testing.T) {
	dir := t.TempDir()
	graph, model := filepath.Join(dir, "graph.dfa"), filepath.Join(dir, "model.json")
	write(t, graph, "dfa 2 -1\n1 on\n1 0\n1 on 1\n0\n")
	write(t, model, oneWay)
	line := "operators plan --graph " + graph + " --model " + model
	if code, text := operatorsVerb(t, strings.Fields(line + " --from 1 --to 0")[1:]...); code !=
		exitUnsolvable || text != "" {
		t.Errorf("exit %d: %s", code, text)
	}
	var out nodePlan
	said(t, line+" --from 0 --to 1", &out)
	if out.Outcome != "found" || !slices.Equal(out.Plan, []strips.ActionID{1}) ||
		!slices.Equal(out.Names, []string{"on"}) || !slices.Equal(out.States, []string{"0", "1"}) {
		t.Errorf("%+v", out)
	}
	// The same nodes and actions by number, but the action is another.
	write(t, graph, "dfa 2 -1\n1 off\n1 0\n1 off 1\n0\n")
	ends(t, map[string]end{line + " --from 0 --to 1": {exitInput, ""}})
}

// A light whose switch somebody tried only while it was off.
const lamp = `{"predicates":1,
"actions":[{"name":"switch","pre_pos":[],"pre_neg":[],"add":[],"del":[],"toggle":[0]}],
"states":[{"node":0,"code":"0"},{"node":1,"code":"1"}],"exceptions":[],"slack":[],
"untried":[{"node":1,"action":"switch"}]}`

// TestOperatorsPlanThroughUntried has a plan through a step that nobody tried: an exit code of
// its own, whatever is printed.
func TestOperatorsPlanThroughUntried(t *testing.T) {
	dir := t.TempDir()
	graph, model := filepath.Join(dir, "graph.dfa"), filepath.Join(dir, "model.json")
	write(t, graph, "dfa 2 -1\n1 switch\n1 0\n1 switch 1\n0\n")
	write(t, model, lamp)
	of := []string{"operators", "plan", "--graph", graph, "--model", model}
	for line, want := range map[string]struct {
		code           int
		stdout, stderr string
	}{
		"--from 1 --to 0":         {exitUntried, "1\tswitch\n", "never tried there: step(s) [1]; "},
		"--from 1 --to 0 --quiet": {exitUntried, "1\tswitch\n", "--allow-untried"},
		"--from 1 --to 0 --json": {exitUntried, `"untried": [
  0
 ]`, "--allow-untried"},
		"--from 1 --to 0 --allow-untried":        {exitOK, "1\tswitch\n", "step 1: never tried there"},
		"--from 1 --to 0 --allow-untried --json": {exitOK, `"untried": [`, ""},
		"--from 0 --to 1":                        {exitOK, "1\tswitch\n", ""},
		"--from 0 --to 1 --json":                 {exitOK, `"untried": []`, ""},
	} {
		code, stdout, stderr := verb(t, t.Context(), append(of, strings.Fields(line)...)...)
		if code != want.code || !strings.Contains(stdout, want.stdout) ||
			!strings.Contains(stderr, want.stderr) {
			t.Errorf("%s: exit %d, want %+v:\n%s%s", line, code, want, stdout, stderr)
		}
	}
}

// A robot on two cells: one skill moves it there and back, and may miss the door
// from the right while the lamp (predicate 2) is on. The two last nodes have one
// code.
const rover = `{"predicates":3,"actions":[
{"name":"move","pre_pos":[0],"pre_neg":[],"add":[1],"del":[0]},
{"name":"move","pre_pos":[1],"pre_neg":[],"add":[0],"del":[1]},
{"name":"switch","pre_pos":[],"pre_neg":[],"add":[],"del":[],"toggle":[2]}],
"states":[{"node":0,"code":"100"},{"node":1,"code":"010"},{"node":2,"code":"101"},{"node":3,"code":"011"},{"node":4,"code":"000"},{"node":5,"code":"000"}],
"exceptions":[{"node":3,"action":"switch"},{"node":4,"action":"switch"},{"node":5,"action":"switch"}],"slack":[],
"chances":[{"node":3,"action":"move","outcomes":[{"target":2,"count":3},{"target":3,"count":1}]}]}`

// roverGraph has the edges of rover; its refused attempt is the exception.
func roverGraph() *taskgraph.Graph {
	g := &taskgraph.Graph{Labels: []string{"move", "switch"}, Nodes: make([]taskgraph.Node, 6),
		Refused: []taskgraph.Refusal{{State: 3, Action: 2, Count: 1}}}
	for i := range g.Nodes {
		g.Nodes[i].Support = 1
	}
	for _, e := range [][4]int{{0, 1, 1, 2}, {0, 2, 2, 1}, {1, 1, 0, 1}, {1, 2, 3, 1}, {2, 1, 3, 1},
		{2, 2, 0, 1}, {3, 1, 2, 3}, {3, 1, 3, 1}} {
		g.Edges = append(g.Edges, taskgraph.Edge{Source: strips.StateID(e[0]),
			Action: strips.ActionID(e[1]), Target: strips.StateID(e[2]), Support: e[3]})
	}
	return g
}

func TestOperatorsWithVariants(t *testing.T) {
	dir := t.TempDir()
	graph, model := filepath.Join(dir, "graph.json"), filepath.Join(dir, "model.json")
	must(0, writeWith(graph, roverGraph().WriteJSON))
	write(t, model, rover)
	of := []string{"--graph", graph, "--model", model}
	for line, want := range map[string][]string{
		"explain --action move": {"skill 1 (move) does two things:",
			"1. in 2 nodes, seen 3x: adds [1], deletes [0]; requires [0]",
			"2. in 1 nodes, seen 1x: adds [0], deletes [1]",
			"1 and 2 are distinguished by each of the predicates [0 1]",
			"in node 3 its outcome is nondeterministic", "led 3x to node 2"},
		"explain --action switch": {"skill 2 (switch) does one thing:",
			"toggles [2]; requires nothing"},
		"explain --action move --state 1": {"move in node 1: observed", "operator 2 applies",
			"operator 1 does not apply: predicate 0 is required"},
		"explain --action 1 --state 3": {"nondeterministic", "led 1x to node 3"},
		"plan --from 0 --to 3":         {"1\tmove\n2\tswitch\n"},
		"plan --from 3 --to 0":         {"1\tmove\n2\tswitch\n"},
		"plan --from 3 --to 0 --json":  {`"wanted": 3`, `"seen": 4`, `"step": 0`},
		"check --trust all": {"3 operators (2 skills), 3 predicates",
			"5 codes for 6 nodes, 2 of which share theirs, 1 pairs nondeterministic, 0 untried"},
		"explain --action move --json": {`"variant": 2`, `"distinct"`, `"target": 3`},
		"explain --action 2 --state 4": {"exception"},
		"plan --from 4 --to 4":         {""},
	} {
		code, text := operatorsVerb(t, append(strings.Fields(line), of...)...)
		if code != exitOK {
			t.Errorf("%s: exit %d", line, code)
		}
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: want %q:\n%s", line, w, text)
			}
		}
	}
	plan := "operators plan " + strings.Join(of, " ")
	ends(t, map[string]end{plan + " --from 3 --to 2": {exitOK, "step 1: 3 of 4 attempts of move"},
		plan + " --from 4 --to 5": {exitUnrecognized, "nodes 4 and 5 cannot be distinguished"}})
}

// TestInterruptedLearning ends the context before any improvement: the model is written all the
// same, it is without a fault, and the exit code says that it was cut short.
func TestInterruptedLearning(t *testing.T) {
	dir := t.TempDir()
	graph := filepath.Join(dir, "tiles.dfa")
	must(0, writeWith(graph, fixtures.Tiles(2, 2).Graph().WriteDFA))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	code, stdout, stderr := verb(t, ctx, "operators", "learn", "--graph", graph, "--out", dir,
		"--merge=false", "--json")
	var report operators.Report
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatalf("%v: %s%s", err, stdout, stderr)
	}
	if code != exitInterrupted || !report.CutShort || !strings.Contains(stderr, "best model so far") {
		t.Errorf("exit %d, cut short %t: %s", code, report.CutShort, stderr)
	}
	if code, text := operatorsVerb(t, "check", "--graph", graph, "--model",
		filepath.Join(dir, modelFile)); code != exitOK {
		t.Errorf("exit %d: %s", code, text)
	}
	if code, stdout, stderr := verb(t, ctx, "operators", "learn", "--graph", graph, "--merge=false",
		"--predicates", "1:2"); code != exitInterrupted {
		t.Errorf("sweep: exit %d: %s%s", code, stdout, stderr)
	}
}
