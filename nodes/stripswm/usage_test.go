package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/models/strips"
	"stripswm/nodes/eval"
)

// verb runs a command line in this process and returns its exit code, standard
// output and standard error.
func verb(t *testing.T, ctx context.Context, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	root := rootCommand()
	var out, errs bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&errs)
	root.SetArgs(args)
	code = exitCode(ctx, &errs, root.ExecuteContext(ctx))
	return code, out.String(), errs.String()
}

func TestMistypedWords(t *testing.T) {
	for line, says := range map[string]string{
		"chek bag":                    "did you mean check?",
		"chek bag --repair":           "did you mean check?",
		"deploy":                      "choose camera, check, completion, demo",
		"operators lern":              "did you mean learn?",
		"operators xyzzy":             "choose check, explain",
		"research sweep gahter":       "did you mean gather?",
		"up sin":                      "did you mean sim?",
		"completion bahs":             "did you mean bash?",
		"help chek":                   "did you mean check?",
		"help operators lern":         "did you mean learn?",
		"import":                      "which verb? bag, images",
		"operators":                   "which verb? check, explain",
		"research sweep":              "which verb?",
		"up":                          "which verb?",
		"learn --budgt 5s":            "did you mean --budget?",
		"operators learn --grap x":    "did you mean --graph?",
		"plan --quit":                 "did you mean --quiet?",
		"learn --xyzzy":               "unknown flag: --xyzzy\n",
		"learn -z":                    "unknown shorthand flag",
		"research sweep run --jbos 2": "did you mean --jobs or",
		"operators learn --no-such":   "unknown flag",
	} {
		code, _, stderr := verb(t, t.Context(), strings.Fields(line)...)
		if code != exitUsage || !strings.Contains(stderr, says) {
			t.Errorf("stripswm %s: exit %d, %s", line, code, stderr)
		}
	}
	for _, line := range []string{"", "help", "help check", "check --help", "operators --help"} {
		if code, stdout, stderr := verb(t, t.Context(), strings.Fields(line)...); code != exitOK ||
			stdout == "" {
			t.Errorf("stripswm %s: exit %d, %s", line, code, stderr)
		}
	}
}

func TestNumbersOutOfRange(t *testing.T) {
	graph, err := filepath.Abs(blocksworldGraph)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir()) // for what a verb that does not refuse would write
	for _, line := range []string{
		"record --out x --transitions -1", "record --out x --mislabel 1.5",
		"record --out x --mislabel NaN",
		"record --out x --resets -0.1", "record --out x --resets 1.5", "record --out x --resets NaN",
		"demo --out x --resets 2",
		"record --out x --unmarked", "demo --out x --unmarked", "record --out x --resets 0 --unmarked",
		"record --out x --size 1", "record --out x --nuisance -1", "record --out x --nuisance NaN",
		"learn --bag b --out x --dims -1", "learn --bag b --out x --dims 17",
		"learn --bag b --out x --threads -1",
		"learn --bag b --out x --budget -1s", "learn --bag b --out x --steps -1",
		"learn --bag b --out x --actions -1",
		"learn --bag b --out x --dims 5x", "learn --bag b --out x --encoder y --dims 5,6",
		"learn --bag b --out x --encoder y --stage operators",
		"import images nowhere", "import images --out x", "import bag nowhere --out x",
		"record --out x --skills rough", "demo --out x --skills rough",
		"plan --bundle b --start s --goal g --max-states -1",
		"plan --bundle b --start s --goal g --max-time -1s",
		"demo --out x --queries 0", "demo --out x --images -1",
		"operators learn --out x --graph " + graph + " --budget -1s",
		"operators learn --out x --graph " + graph + " --min-unique -1",
		"operators learn --out x --graph " + graph + " --predicates -1",
		"operators learn --out x --graph " + graph + " --slack-budget -1",
		"operators learn --out x --graph " + graph + " --predicates 9:4",
		"operators learn --out x --graph " + graph + " --predicates 4:x",
		"operators suspects --graph " + graph + " --limit -1",
		"operators suspects --graph " + graph + " --trust nodes:99",
		"operators explain --graph " + graph + " --model m --state -1 --action 1",
		"operators program --graph " + graph + " --predicates 0",
		"operators program --graph " + graph + " --min-unique -1",
		"operators program --graph " + graph + " --solve --budget -1s",
		"research sweep init --out x --dims 0", "research sweep init --out x --size 1",
		"research sweep init --out x --transitions -1", "research sweep init --out x --queries 0",
		"research sweep run --out x --jobs 0", "research sweep run --out x --threads -1",
		"research sweep run --out x --index -1",
		"up sim --record x --seed -1", "up sim --record x --size 0", "up sim --record x --skill-time -1",
	} {
		code, _, stderr := verb(t, t.Context(), strings.Fields(line)...)
		if code != exitUsage {
			t.Errorf("stripswm %s: exit %d, want %d: %s", line, code, exitUsage, stderr)
		}
	}
}

func TestFolderIsTriedBeforeTheWork(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(file, "out")
	canceled, cancel := context.WithCancel(t.Context())
	cancel() // so that work which is begun ends at once, with another exit code
	for _, line := range []string{
		"operators learn --graph " + blocksworldGraph + " --distinct all --predicates 1 --out " + out,
		"operators suspects --graph " + blocksworldGraph + " --bundle b --bag b --out " + out,
		"eval --bundle ../../test/launch/testdata/bundle --out " + out,
		"learn --bag nowhere --out " + out,
		"demo --out " + out,
	} {
		if code, _, stderr := verb(t, canceled, strings.Fields(line)...); !strings.Contains(stderr,
			"cannot write to "+out) {
			t.Errorf("stripswm %s: exit %d, %s", line, code, stderr)
		}
	}
}

// TestOutputsLieOutsideOfInputs has each verb write into what it reads.
func TestOutputsLieOutsideOfInputs(t *testing.T) {
	dir := t.TempDir()
	b, bag, link := filepath.Join(dir, "bundle"), filepath.Join(dir, "bag"), filepath.Join(dir, "link")
	if err := errors.Join(os.CopyFS(b, os.DirFS("../../test/launch/testdata/bundle")),
		os.Mkdir(bag, 0o755), os.Symlink(b, link)); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadDir(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"export --bundle %s --out %s", "export --bundle %s --out %s/pddl/new",
		"export --model %s/model.json --out %s", "eval --bundle %s --out %s/eval",
		"operators learn --graph %s/graph.json --out %s",
		"export --bundle %s --out " + link + "/pddl",
		"learn --bag " + bag + " --out " + bag,
		"import images " + bag + " --out " + bag + "/new",
		"import bag " + bag + " --image-topic /i --skill-topic /s --end-rule x --out " + bag + "/new",
		"research baseline learn --method lsr --bag " + bag + " --out " + bag + "/lsr",
	} {
		line = strings.ReplaceAll(line, "%s", b)
		if code, _, stderr := verb(t, t.Context(), strings.Fields(line)...); code != exitUsage ||
			!strings.Contains(stderr, "choose another folder") {
			t.Errorf("%s: exit %d: %s", line, code, stderr)
		}
	}
	after, err := os.ReadDir(b)
	if inBag, bagErr := os.ReadDir(bag); err != nil || bagErr != nil || len(after) != len(before) ||
		len(inBag) > 0 {
		t.Errorf("%v in the bundle, where there was %v; %v in the recording", after, before, inBag)
	}
	line := "export --bundle " + b + " --out " + filepath.Join(dir, "pddl")
	if code, _, stderr := verb(t, t.Context(), strings.Fields(line)...); code != exitOK {
		t.Errorf("%s: exit %d: %s", line, code, stderr)
	}
}

// TestWrappedRows has a fact that 26 skills add.
func TestWrappedRows(t *testing.T) {
	var names []string
	for a := range 26 {
		names = append(names, fmt.Sprintf("place_mug_%d", a))
	}
	var b strings.Builder
	wrappedRow(&b, "after_place_mug", "fact", strings.Join(names, " "), 7)
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if !strings.HasPrefix(lines[0], "after_place_mug\tfact\tplace_mug_0 ") ||
		!strings.HasSuffix(lines[0], "\t7") || len(lines) < 10 {
		t.Errorf("%d lines, the first %q", len(lines), lines[0])
	}
	said := ""
	for _, l := range lines {
		cells := strings.Split(l, "\t")
		if len(cells) != 4 || len(cells[2]) > cellWidth {
			t.Errorf("line %q", l)
		}
		said += cells[2] + " "
	}
	if strings.TrimSpace(said) != strings.Join(names, " ") {
		t.Errorf("skills %q", said)
	}
}

// TestNodesOfFacts asks for nodes where there are none.
func TestNodesOfFacts(t *testing.T) {
	if _, _, err := nodeCodes(&strips.Model{Predicates: 1}, 0, 1); err == nil ||
		!strings.Contains(err.Error(), "plan --want") {
		t.Errorf("error %v", err)
	}
}

// TestEvalOfFacts speaks of facts where the model has no nodes.
func TestEvalOfFacts(t *testing.T) {
	for states, says := range map[int]string{0: "share all facts", 3: "share a code"} {
		var b strings.Builder
		r := eval.Report{Abstraction: eval.Abstraction{States: states}}
		if err := printEval(&b, "table", r); err != nil || !strings.Contains(b.String(), says) ||
			strings.Contains(b.String(), "outliers") != (states > 0) {
			t.Errorf("%v: %s", err, b.String())
		}
	}
}
