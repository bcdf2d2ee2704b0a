package sweep

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/nodes/cvbridge"
)

// program is the built command.
var program string

func TestMain(m *testing.M) {
	code := func() int {
		// In a folder of bin, so that the program finds ONNX Runtime as an installed one does.
		dir, err := filepath.Abs(filepath.Join("..", "..", "bin", fmt.Sprintf("sweep-test-%d", os.Getpid())))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		program = filepath.Join(dir, "stripswm")
		if out, err := exec.Command("go", "build", "-o", program, "stripswm/nodes/stripswm").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}()
	os.Exit(code)
}

// run runs a command and returns its exit code and all it printed.
func run(t testing.TB, cmd *exec.Cmd) (int, string) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func stripswm(args ...string) *exec.Cmd { return exec.Command(program, args...) }

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

// start starts a command and waits for a file that it makes.
func start(t testing.TB, cmd *exec.Cmd, pattern string) {
	t.Helper()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if paths, _ := filepath.Glob(pattern); len(paths) > 0 {
			return
		}
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			cmd.Wait()
			t.Fatalf("%v made no %s:\n%s", cmd.Args, pattern, out.String())
		}
	}
}

// TestSweep takes two jobs on one recording through everything that happens to
// jobs: interruption, a time limit of the cluster, resuming, being asked for twice.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	grid := []string{"sweep", "init", "--out", dir, "--dims", "5,6", "--mislabel", "0.05",
		"--transitions", "120", "--steps", "30", "--size", "64", "--queries", "2"}
	want(t, 0, "2 jobs, 0 to 1", stripswm(grid...))
	want(t, 0, "2 jobs, 0 to 1", stripswm(grid...))
	want(t, 4, "another folder", stripswm("sweep", "init", "--out", dir))
	want(t, 1, "2 of 2 are missing", stripswm("sweep", "gather", "--out", dir))

	// Job 0 is interrupted when stage 1 is over.
	all := stripswm("sweep", "run", "--out", dir)
	start(t, all, filepath.Join(dir, "jobs", "000-*", "stage1.checkpoint"))
	want(t, 7, "another worker", stripswm("sweep", "run", "--out", dir, "--index", "0"))
	if err := all.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	if code := all.ProcessState.ExitCode(); code != 130 {
		t.Errorf("^C: exit code %d, want 130", code)
	}
	job := only(t, filepath.Join(dir, "jobs", "000-*"))
	if _, err := os.Stat(filepath.Join(job, "failure.txt")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an interrupted job counts as failed: %v", err)
	}
	checkpoint, bag := filepath.Join(job, "stage1.checkpoint"), only(t, filepath.Join(dir, "bags", "*", "bag", "*.mcap"))
	trained, recorded := changed(t, checkpoint), changed(t, bag)

	// It goes on: neither the recording nor stage 1 is made again.
	want(t, 0, "peak memory", stripswm("sweep", "run", "--out", dir, "--index", "0"))
	if changed(t, checkpoint) != trained || changed(t, bag) != recorded {
		t.Error("the resumed job did again what was done")
	}
	want(t, 1, "1 of 2 are missing", stripswm("sweep", "gather", "--out", dir))

	slurm(t, dir)

	result := changed(t, filepath.Join(job, "report", "demo.json"))
	want(t, 0, "2 jobs: 2 done before, 0 done now", stripswm("sweep", "run", "--out", dir, "--jobs", "2"))
	want(t, 0, "job 0 is done", stripswm("sweep", "run", "--out", dir, "--index", "0"))
	want(t, 2, "jobs are 0 to 1", stripswm("sweep", "run", "--out", dir, "--index", "2"))
	if changed(t, filepath.Join(job, "report", "demo.json")) != result {
		t.Error("a job that is done ran again")
	}
	if report, err := bags.Check(t.Context(), filepath.Dir(bag), cvbridge.Describe, nil); err != nil || report.Succeeded != 120 {
		t.Errorf("the recording: %+v, %v", report, err)
	}
	want(t, 0, `"selected": true`, stripswm("sweep", "gather", "--out", dir, "--json"))
	for _, name := range []string{"results.csv", "results.json", "coverage-blocksworld-small.svg"} {
		if _, err := os.Stat(filepath.Join(dir, "results", name)); err != nil {
			t.Error(err)
		}
	}
	rows, err := os.ReadFile(filepath.Join(dir, "results", "results.csv"))
	if err != nil || bytes.Count(rows, []byte("\n")) != 3 || bytes.Count(rows, []byte("true")) != 2 { // true_states, and one selected
		t.Errorf("results.csv: %v\n%s", err, rows)
	}
}
