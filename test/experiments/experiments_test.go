package experiments

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/nodes/cvbridge"
	"stripswm/test/internal/process"
)

func TestMain(m *testing.M) { process.Main(m, "stripswm") }

// run runs a command and returns its exit code and all it printed.
func run(t testing.TB, cmd *exec.Cmd) (int, string) {
	t.Helper()
	r := process.Run(t, cmd)
	return r.Code, r.Stdout + r.Stderr
}

func stripswm(args ...string) *exec.Cmd {
	return exec.Command(process.Program("stripswm"), args...)
}

// want runs a command that must end with that code and print that text.
func want(t testing.TB, code int, text string, cmd *exec.Cmd) {
	t.Helper()
	if got, out := run(t, cmd); got != code || !strings.Contains(out, text) {
		t.Fatalf("%v: exit code %d, want %d; want %q in\n%s", cmd.Args, got, code, text, out)
	}
}

func changed(path string) time.Time {
	info := must(os.Stat(path))
	return info.ModTime()
}

// small are two jobs on one recording.
const small = `
settings: {bag: "{out}/bags/{seed}", threads: 1, device: cpu}
rows: {blocksworld: {}}
grid: {dims: [5, 6], seed: [1]}
steps:
  - run: record --transitions 120 --mislabel 0.05 --size 64 --out {bag}/bag
    shared: "{bag}"
  - run: learn --resume --steps 30 --dims {dims} --threads {threads} --device {device}
      --bag {bag}/bag --out {dir} --json
    row: .json
  - run: eval --bundle {dir}/bundle --quick --queries 2 --size 64 --json
    row: -eval.json
columns: {states: abstraction.true_states, solved: horizons.solved_graph / horizons.queries}
best: dims
then: research compare {out} --out {out}
`

// TestExperiment takes two jobs on one recording through everything that happens to jobs:
// interruption, a time limit of the cluster, resuming, being asked for twice.
func TestExperiment(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "small.yaml")
	must(0, os.WriteFile(file, []byte(small), 0o600))
	verb := func(name string, args ...string) *exec.Cmd {
		return stripswm(append([]string{"research", name, file, "--out", dir}, args...)...)
	}
	want(t, 1, "2 of 2 are missing", verb("rows"))

	// Job 0 is interrupted when stage 1 is over.
	job := filepath.Join(dir, "blocksworld-5-1")
	checkpoint := filepath.Join(job, "stage1.checkpoint")
	all := process.Start(t, verb("run"))
	all.AwaitFile(checkpoint)
	want(t, 7, "another worker", verb("run", "--index", "0"))
	all.Signal(os.Interrupt)
	if code := all.Wait(); code != 130 {
		t.Errorf("^C: exit code %d, want 130", code)
	}
	if _, err := os.Stat(filepath.Join(job, "failure.txt")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an interrupted job counts as failed: %v", err)
	}
	bag := filepath.Join(dir, "bags", "1", "bag")
	trained, recorded := changed(checkpoint), changed(bag)

	// It goes on: neither the recording nor stage 1 is made again.
	want(t, 0, "", verb("run", "--index", "0"))
	if changed(checkpoint) != trained || changed(bag) != recorded {
		t.Error("the resumed job did again what was done")
	}
	want(t, 1, "1 of 2 are missing", verb("rows"))
	row := filepath.Join(dir, "blocksworld-5-1-eval.json")
	result := changed(row)

	slurm(t, file, dir, "blocksworld-6-1")

	want(t, 0, "STRIPS-WM", verb("run", "--jobs", "2"))
	want(t, 0, "job 0 is done", verb("run", "--index", "0"))
	want(t, 2, "jobs are 0 to 1", verb("run", "--index", "2"))
	want(t, 4, "no setting", verb("run", "--set", "seeds=3"))
	want(t, 0, `"best": true`, verb("rows", "--json"))
	if changed(row) != result {
		t.Error("a job that is done ran again")
	}
	if report, err := bags.Check(t.Context(), bag, cvbridge.Describe, nil); err != nil ||
		report.Succeeded != 120 {
		t.Errorf("the recording: %+v, %v", report, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "success-by-horizon.svg")); err != nil {
		t.Error(err)
	}
	rows, err := os.ReadFile(filepath.Join(dir, "rows.csv"))
	if err != nil || bytes.Count(rows, []byte("\n")) != 3 || bytes.Count(rows, []byte("true\n")) != 1 {
		t.Errorf("rows.csv: %v\n%s", err, rows)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
