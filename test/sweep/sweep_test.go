package sweep

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
	return exec.Command(process.Program("stripswm"),
		args...)
}

// want runs a command that must end with that code and print that text.
func want(t testing.TB, code int, text string, cmd *exec.Cmd) {
	t.Helper()
	if got, out := run(t, cmd); got != code || !strings.Contains(out, text) {
		t.Fatalf("%v: exit code %d, want %d; want %q in\n%s", cmd.Args, got, code, text, out)
	}
}

// only finds the one path that fits.
func only(t testing.TB, pattern string) string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) != 1 {
		t.Fatalf("%s: %v, %v", pattern, paths, err)
	}
	return paths[0]
}

func changed(t testing.TB, path string) time.Time {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime()
}

// TestSweep takes two jobs on one recording through everything that happens to
// jobs: interruption, a time limit of the cluster, resuming, being asked for twice.
func TestSweep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	grid := []string{"research", "sweep", "init", "--out", dir, "--dims", "5,6", "--mislabel", "0.05",
		"--transitions", "120", "--steps", "30", "--size", "64", "--queries", "2"}
	want(t, 0, "2 jobs, 0 to 1", stripswm(grid...))
	want(t, 0, "2 jobs, 0 to 1", stripswm(grid...))
	want(t, 4, "another folder", stripswm("research", "sweep", "init", "--out", dir))
	want(t, 1, "2 of 2 are missing", stripswm("research", "sweep", "gather", "--out", dir))

	// Job 0 is interrupted when stage 1 is over.
	all := process.Start(t, stripswm("research", "sweep", "run", "--out", dir, "--threads", "1"))
	all.AwaitFile(filepath.Join(dir, "jobs", "000-*", "stage1.checkpoint"))
	want(t, 7, "another worker", stripswm("research", "sweep", "run", "--out", dir, "--index", "0"))
	all.Signal(os.Interrupt)
	if code := all.Wait(); code != 130 {
		t.Errorf("^C: exit code %d, want 130", code)
	}
	job := only(t, filepath.Join(dir, "jobs", "000-*"))
	if _, err := os.Stat(filepath.Join(job, "failure.txt")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an interrupted job counts as failed: %v", err)
	}
	checkpoint, bag := filepath.Join(job, "stage1.checkpoint"), only(t, filepath.Join(dir, "bags", "*",
		"bag", "*.mcap"))
	trained, recorded := changed(t, checkpoint), changed(t, bag)

	// It goes on: neither the recording nor stage 1 is made again.
	want(t, 0, "peak memory", stripswm("research", "sweep", "run", "--out", dir, "--threads", "1",
		"--index", "0"))
	if changed(t, checkpoint) != trained || changed(t, bag) != recorded {
		t.Error("the resumed job did again what was done")
	}
	want(t, 1, "1 of 2 are missing", stripswm("research", "sweep", "gather", "--out", dir))

	slurm(t, dir)

	result := changed(t, filepath.Join(job, "report", "demo.json"))
	want(t, 0, "2 jobs: 2 done before, 0 done now", stripswm("research", "sweep", "run", "--out", dir,
		"--jobs", "2"))
	want(t, 0, "job 0 is done", stripswm("research", "sweep", "run", "--out", dir, "--index", "0"))
	want(t, 2, "jobs are 0 to 1", stripswm("research", "sweep", "run", "--out", dir, "--index", "2"))
	if changed(t, filepath.Join(job, "report", "demo.json")) != result {
		t.Error("a job that is done ran again")
	}
	if report, err := bags.Check(t.Context(), filepath.Dir(bag), cvbridge.Describe, nil); err != nil ||
		report.Succeeded != 120 {
		t.Errorf("the recording: %+v, %v", report, err)
	}
	want(t, 0, `"selected": true`, stripswm("research", "sweep", "gather", "--out", dir, "--json"))
	for _, name := range []string{"results.csv", "results.json", "coverage-blocksworld-auto.svg"} {
		if _, err := os.Stat(filepath.Join(dir, "results", name)); err != nil {
			t.Error(err)
		}
	}
	rows, err := os.ReadFile(filepath.Join(dir, "results", "results.csv"))
	// true_states, and one selected
	if err != nil || bytes.Count(rows, []byte("\n")) != 3 || bytes.Count(rows, []byte("true")) != 2 {
		t.Errorf("results.csv: %v\n%s", err, rows)
	}
}
