package experiment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"stripswm/nodes/eval/report"
)

// read reads an experiment of this text into a folder of its own.
func read(t testing.TB, text string, set, rows []string) (*Experiment, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "experiment.yaml")
	must(0, os.WriteFile(path, []byte(text), 0o600))
	return Read(path, t.TempDir(), set, rows)
}

const grid = `
settings: {world: "{row}", noise: "", methods: [lsr, ama3], all: "{noise} --all"}
rows:
  blocks: {}
  table: {noise: --mislabel 0.03}
grid: {dims: [5, 6], seed: [11, 12]}
steps:
  - run: learn {world} {noise} --seed {seed} -d{dims} --baseline={name}/{methods} {all}
    row: .json
`

// TestNumbering pins numbers, names and command lines: tasks of a cluster know their job by its
// number alone.
func TestNumbering(t *testing.T) {
	for name, c := range map[string]struct {
		set, rows []string
		jobs      int
		want      map[int]string // a command line by number
	}{
		"all": {nil, nil, 8, map[int]string{
			0: "learn blocks --seed 11 -d5 --baseline=blocks-5-11/lsr --baseline=blocks-5-11/ama3 --all",
			7: "learn table --mislabel 0.03 --seed 12 -d6 --baseline=table-6-12/lsr " +
				"--baseline=table-6-12/ama3 --mislabel 0.03 --all"}},
		"a row, other settings": {[]string{"seed=7", "methods=", "noise=--x 1"}, []string{"table"}, 2,
			map[int]string{1: "learn table --x 1 --seed 7 -d6 --x 1 --all"}},
	} {
		e, err := read(t, grid, c.set, c.rows)
		if err != nil || len(e.Jobs) != c.jobs {
			t.Fatalf("%s: %v, %v", name, e, err)
		}
		for i, want := range c.want {
			lines, err := e.Lines(e.Jobs[i])
			if got := strings.Join(lines[0], " "); err != nil || got != want || e.Jobs[i].Index != i {
				t.Errorf("%s: job %d: %v\n%s\nwant %s", name, i, err, got, want)
			}
		}
	}
}

func TestUnusableExperiments(t *testing.T) {
	const steps = "steps: [{run: 'a {row}', row: .json}]\n"
	for text, want := range map[string]string{
		"":                                 "EOF",
		"rows: 3\n" + steps:                "want names and values",
		"rows: {a: {}}\n":                  "steps of which the last has a row",
		"speed: 3\n":                       "field speed not found",
		steps:                              "want rows",
		"rows: {../a: {}}\n" + steps:       "fit for a file",
		"rows: {a: {}, a: {}}\n" + steps:   "a name of its own",
		"rows: {a: {x: {y: 1}}}\n" + steps: "want text or a list",
		"rows: {a: {row: '{row}'}}\nsteps: [{run: '{x}', row: x}]\n":           "{x}: no such setting",
		"settings: {x: '{x}'}\nrows: {a: {}}\nsteps: [{run: '{x}', row: x}]\n": "stands for itself",
		"rows: {a: {}}\nsteps: [{run: a, row: x, each: y}]\n":                  "{y}: no such setting",
		"rows: {a: {}}\nbest: dims\n" + steps:                                  `best "dims"`,
		"rows: {a: {}}\nfigures: [{name: f, x: seed, y: solved}]\n" + steps:    "no column \"solved\"",
	} {
		if _, err := read(t, text, nil, nil); !errors.Is(err, ErrExperiment) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for _, c := range []struct{ set, row, want string }{
		{"sed=1", "blocks", `no setting "sed"; there are dims, seed, all`}, {"seed=1", "block", "no row"},
		{"seed=1,1", "blocks", "a name of its own"}, {"seed=", "blocks", "want rows"},
	} {
		if _, err := read(t, grid, []string{c.set}, []string{c.row}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v, want %q", c.set, c.row, err, c.want)
		}
	}
}

// shell has steps that are commands of a shell, and note in the file trace that they ran.
const shell = `
settings: {made: "{out}/made/{kind}", methods: [good, bad], how: echo}
rows: {a: {kind: x}, b: {kind: x}, c: {kind: y}}
grid: {seed: [1, 2]}
steps:
  - {run: "sh -c 'echo {kind} >> {out}/trace; sleep 0.1'", shared: "{made}"}
  - {run: "sh -c 'echo stripswm: cannot >&2; test {methods} = good'", each: methods}
  - {run: "sh -c 'echo {name} >> {out}/trace; {how} [{seed}, \"{methods}\"]'", row: .json}
`

// runner runs the commands between quotes.
func runner(e *Experiment) Runner {
	return Runner{Experiment: e, Parallel: 3, Progress: func(int, int) {},
		Command: func(ctx context.Context, args []string) *exec.Cmd {
			return exec.CommandContext(ctx, "sh", "-c", strings.Trim(strings.Join(args[2:], " "), "'"))
		}}
}

// traced says how often each word was noted.
func traced(e *Experiment) map[string]int {
	data, _ := os.ReadFile(filepath.Join(e.Out, "trace"))
	n := map[string]int{}
	for _, word := range strings.Fields(string(data)) {
		n[word]++
	}
	return n
}

// TestWorkersShareTheJobs runs two workers on one folder: each job once, each shared step once.
func TestWorkersShareTheJobs(t *testing.T) {
	e := must(read(t, shell, nil, nil))
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			if report, err := runner(e).Run(t.Context()); err != nil || len(report.Failed) > 0 {
				t.Errorf("%+v, %v", report, err)
			}
		})
	}
	workers.Wait()
	want := "map[a-1:1 a-2:1 b-1:1 b-2:1 c-1:1 c-2:1 x:1 y:1]"
	if got := fmt.Sprint(traced(e)); got != want {
		t.Errorf("%s ran, want %s", got, want)
	}
	row, err := os.ReadFile(filepath.Join(e.Out, "c-2.json"))
	if err != nil || strings.TrimSpace(string(row)) != "[2, good]" {
		t.Errorf("the row is %q: %v", row, err)
	}
	log, err := os.ReadFile(filepath.Join(e.Out, "c-2", "log.txt"))
	if err != nil || !strings.Contains(string(log), "bad is left out") {
		t.Errorf("%v: %s", err, log)
	}
}

// TestJobsThatEndEarly are tried again from the step that was running.
func TestJobsThatEndEarly(t *testing.T) {
	for how, want := range map[string]string{
		"exit 3; echo":                 "exit status 3; see",
		"kill -9 $$; echo":             "signal: killed; see",
		"echo stripswm: no >&2; false": "sh: no (exit status 1)",
	} {
		e := must(read(t, shell, []string{"seed=1", "how=" + how}, []string{"a", "c"}))
		report, err := runner(e).Run(t.Context())
		if err != nil || len(report.Failed) != 2 || !strings.Contains(report.Failed[0].Why, want) {
			t.Errorf("%s: %+v, %v, want %q", how, report, err, want)
		}
		if _, missing, err := e.Gather(); err != nil || len(missing) != 2 ||
			!strings.Contains(missing[0].Why, want) {
			t.Errorf("%s: missing %+v, %v", how, missing, err)
		}
		for _, j := range e.Jobs {
			j.settings["how"] = words{"echo"}
		}
		if err := runner(e).One(t.Context(), e.Jobs[0]); !errors.Is(err, ErrExperiment) ||
			!strings.Contains(err.Error(), "other settings") {
			t.Errorf("%s: with other settings: %v", how, err)
		}
		os.Remove(filepath.Join(e.dir(e.Jobs[0]), "settings.json"))
		if err := runner(e).One(t.Context(), e.Jobs[0]); err != nil || !e.Done(e.Jobs[0]) {
			t.Errorf("%s: again: %v", how, err)
		}
		if n := traced(e); n["x"] != 1 || n["a-1"] != 2 || n["c-1"] != 1 {
			t.Errorf("%s: %v ran", how, n)
		}
	}
}

// TestFoldersOfOthers are not emptied.
func TestFoldersOfOthers(t *testing.T) {
	folder := t.TempDir()
	mine := filepath.Join(folder, "recording")
	must(0, os.WriteFile(mine, nil, 0o666))
	e := must(read(t, shell, []string{"seed=1", "made=" + folder}, []string{"a"}))
	report, err := runner(e).Run(t.Context())
	if err != nil || len(report.Failed) != 1 || !strings.Contains(report.Failed[0].Why, "not empty") {
		t.Errorf("%+v, %v", report, err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}

// TestInterruption ends the running steps; their jobs do not count as failed, and are free.
func TestInterruption(t *testing.T) {
	e := must(read(t, shell, []string{"seed=1", "how=exec sleep 60;"}, nil))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for n := traced(e); n["a-1"]+n["b-1"]+n["c-1"] < 3; n = traced(e) {
			time.Sleep(5 * time.Millisecond)
		}
		held, err := lock(filepath.Join(e.dir(e.Jobs[0]), "lock"))
		if !errors.Is(err, ErrBusy) {
			t.Errorf("a job that runs: %v, %v", held, err)
		}
		if report, err := runner(e).Run(t.Context()); err != nil ||
			!slices.Equal(slices.Sorted(slices.Values(report.Elsewhere)), []string{"a-1", "b-1", "c-1"}) {
			t.Errorf("beside another worker: %+v, %v", report, err)
		}
		cancel()
	}()
	report, err := runner(e).Run(ctx)
	if !errors.Is(err, context.Canceled) || len(report.Failed)+len(report.Done) > 0 {
		t.Errorf("%+v, %v", report, err)
	}
	for _, j := range e.Jobs {
		held, err := lock(filepath.Join(e.dir(j), "lock"))
		if _, stat := os.Stat(e.failure(j)); err != nil || e.Done(j) || stat == nil {
			t.Fatalf("%s: %v, done %v, failed %v", j.Name, err, e.Done(j), stat == nil)
		}
		held.Close()
	}
}

// A step that is done when ^C comes is not run again.
func TestInterruptionOfWhatIsDone(t *testing.T) {
	e := must(read(t, shell, []string{"seed=1", "how=trap true INT; sleep 0.5; echo"}, nil))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for n := traced(e); n["a-1"]+n["b-1"]+n["c-1"] < 3; n = traced(e) {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	runner(e).Run(ctx)
	for _, j := range e.Jobs {
		if !e.Done(j) {
			t.Errorf("%s is not done", j.Name)
		}
	}
}

const measured = `
settings: {world: blocks}
rows: {all: {share: 100}, half: {share: 50}}
grid: {dims: [5, 7], mislabel: [0, 3], seed: [1, 2]}
steps: [{run: a, row: .json}, {run: b, row: -eval.json}]
columns: {states: abstraction.states, solved: horizons.solved / horizons.queries, s: seconds}
best: dims
figures:
  - {name: success, x: mislabel, y: solved, each: share, of: world}
  - {name: states, x: mislabel, y: [states, s]}
`

// TestPoints: curves of two jobs, one of which ends before the other, become their mean.
func TestPoints(t *testing.T) {
	e := must(read(t, `
rows: {a: {}}
grid: {seed: [1, 2]}
steps: [{run: a, row: .json}]
figures: [{name: f, points: curve, x: ks, y: [plans]}]
`, nil, nil))
	for name, curve := range map[string]string{"a-1": `{"ks": 1, "plans": 40}, {"ks": 3, "plans": 96}`,
		"a-2": `{"ks": 2, "plans": 20}, {"ks": 4, "plans": 30}`} {
		must(0, os.WriteFile(filepath.Join(e.Out, name+".json"), []byte(`{"curve": [`+curve+`]}`),
			0o600))
	}
	rows, _, err := e.Gather()
	if err != nil {
		t.Fatal(err)
	}
	want := []report.Point{{X: 1, Y: 20}, {X: 2, Y: 30}, {X: 3, Y: 58}, {X: 4, Y: 63}}
	if c := e.draw(e.Figures[0], rows).Curves; len(c) != 1 || !slices.Equal(c[0].Points, want) {
		t.Errorf("%+v, want %+v", c, want)
	}
}

// TestRows: what is done becomes rows, what is missing is named, and figures are of the best.
func TestRows(t *testing.T) {
	e := must(read(t, measured, nil, nil))
	finish := func(i, states int, loss float64, nondeterminism int) {
		said := fmt.Sprintf(`{"chosen": {"losses": {"total": %g}, "latent_nondeterminism": %d},
			"seconds": {"a": 60, "b": 2}}`, loss, nondeterminism)
		eval := fmt.Sprintf(`{"abstraction": {"states": %d},
			"horizons": [{"solved": 10, "queries": 10}, {"solved": %d, "queries": 10}]}`, states, i)
		for ending, text := range map[string]string{".json": said, "-eval.json": eval} {
			must(0, os.WriteFile(filepath.Join(e.Out, e.Jobs[i].Name+ending), []byte(text),
				0o600))
		}
	}
	finish(0, 16, 0.5, 3)
	finish(4, 18, 0.6, 1) // the same but for dims: comparable loss, less nondeterminism
	finish(1, 16, 0.1, 9)
	finish(5, 16, 0.5, 0) // no comparable loss
	finish(2, 40, 0.5, 0)
	rows, missing, err := e.Gather()
	if err != nil || len(rows) != 5 || len(missing) != 11 || missing[0].Job != "all-5-3-2" {
		t.Fatalf("%d rows, missing %+v, %v", len(rows), missing, err)
	}
	var text strings.Builder
	for _, cells := range e.Table(rows) {
		fmt.Fprintln(&text, strings.Join(cells, " "))
	}
	if want := "name dims mislabel seed states solved s best dims\nall-5-0-1 5 0 1 16 50 62 false\n" +
		"all-5-0-2 5 0 2 16 55 62 true\nall-5-3-1 5 3 1 40 60 62 true\n" +
		"all-7-0-1 7 0 1 18 70 62 true\nall-7-0-2 7 0 2 16 75 62 false\n"; text.String() != want {
		t.Errorf("%s\nwant\n%s", text.String(), want)
	}
	best := slices.DeleteFunc(rows, func(r Row) bool { return !r.Best })
	if c := e.draw(e.Figures[1], best).Curves; len(c) != 2 || len(c[0].Points) != 2 ||
		c[0].Points[0].Y != 17 || c[0].Points[1].X != 3 || c[0].Points[1].Y != 40 {
		t.Errorf("states over wrong labels: %+v", c)
	}
	must(0, e.Write(rows))
	for _, name := range []string{"rows.csv", "success-blocks.svg", "success-blocks.png",
		"states.svg"} {
		if info, err := os.Stat(filepath.Join(e.Out, name)); err != nil || info.Size() < 100 {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(0, os.WriteFile(filepath.Join(e.Out, "all-5-0-1.json"), []byte("{"), 0o600))
	if _, _, err := e.Gather(); !errors.Is(err, ErrExperiment) ||
		!strings.Contains(err.Error(), "all-5-0-1.json") {
		t.Errorf("a damaged row: %v", err)
	}
}

func Example() {
	e, err := Read("../../../test/experiments/skills.yaml", "runs/skills", []string{"seed=11,12"},
		[]string{"lamp-2000"})
	if err != nil {
		fmt.Println(err)
		return
	}
	lines, err := e.Lines(e.Jobs[1])
	fmt.Println(e.Jobs[1].Name, strings.Join(lines[1][:5], " "), err)
	// Output:
	// lamp-2000-12 learn --threads 1 --seed 12 <nil>
}

// must is for what fails in no test.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
