package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"stripswm/internal/markdown"
	"stripswm/models/strips"
	"stripswm/models/vision"
	"stripswm/nodes/eval/experiment"
	"stripswm/nodes/sim"
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

// end is how a command line ends: its exit code, and part of what it says on stderr.
type end struct {
	code int
	says string
}

// ends runs command lines whose words are separated by spaces.
func ends(t *testing.T, lines map[string]end) {
	t.Helper()
	for line, want := range lines {
		code, _, stderr := verb(t, t.Context(), strings.Fields(line)...)
		if code != want.code || !strings.Contains(stderr, want.says) {
			t.Errorf("stripswm %s: exit %d, want %+v: %s", line, code, want, stderr)
		}
	}
}

// succeeds runs a command line that must succeed, and returns its standard output.
func succeeds(t *testing.T, line string) string {
	t.Helper()
	code, stdout, stderr := verb(t, t.Context(), strings.Fields(line)...)
	if code != exitOK {
		t.Fatalf("stripswm %s: exit %d: %s%s", line, code, stdout, stderr)
	}
	return stdout
}

// said reads what a command line says in JSON.
func said(t *testing.T, line string, into any) {
	t.Helper()
	text := succeeds(t, line+" --json")
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("stripswm %s: %v: %s", line, err, text)
	}
}

// must is for what fails in no test.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(0, os.WriteFile(path, []byte(text), 0o666))
}

func writePNG(t *testing.T, path string, m image.Image) {
	t.Helper()
	var b bytes.Buffer
	must(0, png.Encode(&b, m))
	write(t, path, b.String())
}

func TestMistypedWords(t *testing.T) {
	for line, says := range map[string]string{
		"chek bag":                  "did you mean check?",
		"chek bag --repair":         "did you mean check?",
		"deploy":                    "choose camera, check, completion, demo",
		"operators lern":            "did you mean learn?",
		"operators xyzzy":           "choose check, explain",
		"research rosw":             "did you mean rows?",
		"up sin":                    "did you mean sim?",
		"completion bahs":           "did you mean bash?",
		"help chek":                 "did you mean check?",
		"help operators lern":       "did you mean learn?",
		"import":                    "which verb? bag, images",
		"operators":                 "which verb? check, explain",
		"research":                  "which verb?",
		"up":                        "which verb?",
		"learn --budgt 5s":          "did you mean --budget?",
		"operators learn --grap x":  "did you mean --graph?",
		"plan --quit":               "did you mean --quiet?",
		"learn --xyzzy":             "unknown flag: --xyzzy\n",
		"learn -z":                  "unknown shorthand flag",
		"research run --jbos 2":     "did you mean --jobs or",
		"operators learn --no-such": "unknown flag",
	} {
		ends(t, map[string]end{line: {exitUsage, says}})
	}
	for _, line := range []string{"", "help", "help check", "check --help", "operators --help"} {
		if code, stdout, stderr := verb(t, t.Context(), strings.Fields(line)...); code != exitOK ||
			stdout == "" {
			t.Errorf("stripswm %s: exit %d, %s", line, code, stderr)
		}
	}
}

func TestNumbersOutOfRange(t *testing.T) {
	graph := must(filepath.Abs(blocksworldGraph))
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
		"operators learn --out x --graph " + graph + " --predicates 0:4",
		"operators suspects --graph " + graph + " --limit -1",
		"operators suspects --graph " + graph + " --trust nodes:99",
		"operators explain --graph " + graph + " --model m --state -1 --action 1",
		"operators program --graph " + graph + " --predicates 0",
		"operators program --graph " + graph + " --min-unique -1",
		"operators program --graph " + graph + " --solve --budget -1s",
		"research run x --jobs 0", "research run x --index -1", "research pairs --bundle x --pairs 0",
		"up sim --record x --seed -1", "up sim --record x --size 0", "up sim --record x --skill-time -1",
	} {
		ends(t, map[string]end{line: {exitUsage, ""}})
	}
}

func TestFolderIsTriedBeforeTheWork(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
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
	must(0, errors.Join(os.CopyFS(b, os.DirFS(blocksworldBundle)), os.Mkdir(bag, 0o755),
		os.Symlink(b, link)))
	before := must(os.ReadDir(b))
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
		ends(t, map[string]end{line: {exitUsage, "choose another folder"}})
	}
	after, inBag := must(os.ReadDir(b)), must(os.ReadDir(bag))
	if len(after) != len(before) || len(inBag) > 0 {
		t.Errorf("%v in the bundle, where there was %v; %v in the recording", after, before, inBag)
	}
	ends(t, map[string]end{
		"export --bundle " + b + " --out " + filepath.Join(dir, "pddl"): {exitOK, ""}})
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

// TestCompletion asks what the shell asks, for every flag that takes a world or a preset.
func TestCompletion(t *testing.T) {
	var presets []string
	for _, p := range vision.Presets() {
		presets = append(presets, p.Name)
	}
	for line, want := range map[string][]string{
		"record --world": sim.Names(), "demo --world": sim.Names(), "gazebo --world": sim.Names(),
		"up sim --world":         sim.Names(),
		"research pairs --world": sim.Names(), "eval --world": sim.Names(),
		"learn --preset": presets, "demo --preset": presets,
	} {
		code, stdout, stderr := verb(t, t.Context(), append([]string{"__complete"},
			append(strings.Fields(line), "")...)...)
		offered := strings.Fields(stdout)
		if len(offered) == 0 || code != exitOK {
			t.Errorf("%s: exit %d, %s", line, code, stderr)
			continue
		}
		if offered = offered[:len(offered)-1]; !slices.Equal(offered, want) { // the last is a directive
			t.Errorf("%s offers %q, want %q", line, offered, want)
		}
	}
}

// TestOneDefault compares flags with the parameter files of the nodes that have the same setting. A
// test in test/launch compares these files with the nodes.
func TestOneDefault(t *testing.T) {
	for _, c := range []struct {
		verb, node string
		flags      map[string]string // by parameter
	}{
		{"learn", "learner", map[string]string{"preset": "preset", "method": "method", "stage": "stage",
			"seed": "seed", "budget": "budget", "resume": "resume"}},
		{"explore", "explorer", map[string]string{"budget": "attempts",
			"target_coverage": "target-coverage"}},
		{"import bag", "recorder", map[string]string{"settle": "settle", "motion_threshold": "motion",
			"max_age": "max-age"}},
		{"up sim", "simrig", map[string]string{"seed": "seed", "width": "size",
			"skill_duration": "skill-time"}},
	} {
		data := must(os.ReadFile(filepath.Join("../../launch/config", c.node+".yaml")))
		var file map[string]map[string]map[string]any
		must(0, yaml.Unmarshal(data, &file))
		verb, _, err := rootCommand().Find(strings.Fields(c.verb))
		if err != nil {
			t.Fatal(err)
		}
		for parameter, name := range c.flags {
			flag, value := verb.Flags().Lookup(name), file[c.node]["ros__parameters"][parameter]
			if flag == nil || value == nil {
				t.Errorf("%s --%s and %s of %s.yaml: %v, %v", c.verb, name, parameter, c.node, flag, value)
			} else if normal(flag.DefValue) != normal(fmt.Sprint(value)) {
				t.Errorf("%s --%s is %s, %s of %s.yaml is %v", c.verb, name, flag.DefValue, parameter,
					c.node, value)
			}
		}
	}
}

// normal is a number, of seconds where it is a time, in one notation.
func normal(value string) string {
	if d, err := time.ParseDuration(value); err == nil {
		return fmt.Sprint(d.Seconds())
	}
	if f, err := strconv.ParseFloat(value, 64); err == nil {
		return fmt.Sprint(f)
	}
	return value
}

// repository is the root folder, from this package.
const repository = "../.."

func TestReferenceIsCurrent(t *testing.T) {
	var want bytes.Buffer
	must(0, writeReference(&want, rootCommand()))
	got := must(os.ReadFile(filepath.Join(repository, "docs/command-line.md")))
	if !bytes.Equal(got, want.Bytes()) {
		t.Error("docs/command-line.md differs from the help of the verbs: run `make docs`")
	}
}

// TestManPages writes the pages twice, and looks for a verb's flag and example in its own.
func TestManPages(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	var pages [2][]byte
	for i := range pages {
		dir := t.TempDir()
		must(0, writeManPages(dir, rootCommand()))
		pages[i] = must(os.ReadFile(filepath.Join(dir, "stripswm-learn.1")))
		if _, err := os.Stat(filepath.Join(dir, "stripswm-reference.1")); err == nil {
			t.Error("the hidden verb has a page")
		}
	}
	if !bytes.Equal(pages[0], pages[1]) {
		t.Error("the same command line has two man pages")
	}
	for _, want := range []string{".SH EXAMPLE", "bag", "Nov 2023"} {
		if !bytes.Contains(pages[0], []byte(want)) {
			t.Errorf("stripswm-learn.1 has no %q", want)
		}
	}
}

// TestQuotedCommandLines parses each stripswm command line of a Markdown code block, and of the
// verbs' own examples.
func TestQuotedCommandLines(t *testing.T) {
	quoted := 0
	for _, path := range must(markdown.Files(repository)) {
		for _, block := range must(markdown.Read(path)).Blocks {
			if block.Language != "" && block.Language != "sh" && block.Language != "bash" {
				continue // shows what a program prints
			}
			for i, line := range commandLines(block.Lines) {
				for _, args := range invocations(line) {
					quoted++
					if err := parses(args); err != nil {
						t.Errorf("%s:%d: %s: %v", strings.TrimPrefix(path, repository+"/"),
							block.Line+i, strings.TrimSpace(line), err)
					}
				}
			}
		}
	}
	if quoted == 0 {
		t.Error("no Markdown file quotes a command line")
	}
	for _, v := range documented(rootCommand()) {
		for _, line := range commandLines(strings.Split(v.Example, "\n")) {
			for _, args := range invocations(line) {
				if err := parses(args); err != nil {
					t.Errorf("%s --help: %s: %v", v.CommandPath(), strings.TrimSpace(line), err)
				}
			}
		}
	}
}

// TestExperiments parses each command line of the experiments that are kept.
func TestExperiments(t *testing.T) {
	paths := must(filepath.Glob(repository + "/test/experiments/*.yaml"))
	if len(paths) == 0 {
		t.Error("there is no experiment")
	}
	for _, path := range paths {
		e := must(experiment.Read(path, "runs/x", nil, nil))
		lines := [][]string{must(e.Last())}
		for _, j := range e.Jobs {
			lines = append(lines, must(e.Lines(j))...)
		}
		for _, args := range lines {
			if err := parses(args); err != nil {
				t.Errorf("%s: %v: %v", path, args, err)
			}
		}
	}
}

// commandLines joins a line that ends in a backslash with the next one. The count of lines stays.
func commandLines(lines []string) []string {
	joined := slices.Clone(lines)
	for i := len(joined) - 2; i >= 0; i-- {
		if first, ok := strings.CutSuffix(joined[i], "\\"); ok {
			joined[i], joined[i+1] = first+joined[i+1], ""
		}
	}
	return joined
}

func TestInvocations(t *testing.T) {
	for line, want := range map[string]string{
		"stripswm check runs/bag    # every record": "[[check runs/bag]]",
		"./bin/stripswm learn --bag b && stripswm eval --bundle c": "[[learn --bag b] [eval " +
			"--bundle c]]",
		"OUT=/x sbatch stripswm.sh; X=1 stripswm demo | cat": "[[demo]]",
		`stripswm import bag d --start-rule '^start (.+)' --end-rule "a # b"`: "[[import bag d " +
			"--start-rule ^start (.+) --end-rule a # b]]",
		"ros2 launch strips_wm sim.launch.py": "[]",
	} {
		if got := fmt.Sprint(invocations(line)); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// parses says what is wrong with the arguments of a stripswm command line.
func parses(args []string) error {
	root := rootCommand()
	cmd, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	if err := cmd.ParseFlags(rest); err != nil {
		return cmd.FlagErrorFunc()(cmd, err)
	}
	if help, err := cmd.Flags().GetBool("help"); err == nil && help {
		return nil
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		return err
	}
	if err := cmd.ValidateRequiredFlags(); err != nil {
		return err
	}
	if cmd.HasSubCommands() && cmd.HasParent() {
		return cmd.RunE(cmd, nil) // which verb?
	}
	return nil
}

// invocations are the arguments of each stripswm command in a line of shell.
func invocations(line string) [][]string {
	var found [][]string
	var words []string
	end := func() {
		for len(words) > 0 && strings.Contains(words[0], "=") && !strings.HasPrefix(words[0], "-") {
			words = words[1:] // an assignment before the command
		}
		if len(words) > 0 && filepath.Base(words[0]) == "stripswm" {
			found = append(found, append([]string{}, words[1:]...))
		}
		words = nil
	}
	word, some, quote := strings.Builder{}, false, rune(0)
	flush := func() {
		if w := word.String(); strings.HasPrefix(w, "$") {
			words = append(words, "1") // a variable, most likely a number
		} else if some {
			words = append(words, w)
		}
		word.Reset()
		some = false
	}
scan:
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, some = r, true
		case r == '#' && !some:
			break scan
		case r == ' ' || r == '\t' || r == '\n':
			flush()
		case strings.ContainsRune("&|;()", r):
			flush()
			end()
		default:
			word.WriteRune(r)
			some = true
		}
	}
	flush()
	end()
	return found
}
