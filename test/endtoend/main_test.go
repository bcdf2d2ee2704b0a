package endtoend

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/test/internal/process"
)

// scratch holds what the tests share.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "stripswm-endtoend-*"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer os.RemoveAll(scratch)
	process.Main(m, "stripswm")
}

func command(args ...string) *exec.Cmd {
	return exec.Command(process.Program("stripswm"), args...)
}

// run runs the program to its end.
func run(t testing.TB, args ...string) process.Result {
	t.Helper()
	return process.Run(t, command(args...))
}

// mustRun runs the program, which must succeed.
func mustRun(t testing.TB, args ...string) string {
	t.Helper()
	r := run(t, args...)
	if r.Code != 0 {
		t.Fatalf("stripswm %v: exit code %d\n%s", args, r.Code, r.Stderr)
	}
	return r.Stdout
}

var once struct {
	sync.Once
	demo process.Result
}

// demo runs the whole pipeline once, on a smaller recording than the default,
// and returns its folder and what it printed. One thread: two lose more by waiting
// for each other on a busy machine than they gain on an idle one.
func demo(t testing.TB) (string, process.Result) {
	t.Helper()
	dir := filepath.Join(scratch, "demo")
	once.Do(func() {
		once.demo.Code = -1
		once.demo = run(t, "demo", "--seed", "5", "--transitions", "600", "--steps", "600", "--threads", "1", "--size", "96", "--queries", "25", "--out", dir, "--json")
	})
	return dir, once.demo
}

// learned is the folder of a demo that succeeded.
func learned(t testing.TB) string {
	t.Helper()
	dir, r := demo(t)
	if r.Code != 0 {
		t.Fatalf("demo: exit code %d\n%s", r.Code, r.Stderr)
	}
	return dir
}

func bundleOf(t testing.TB) string { return filepath.Join(learned(t), "bundle") }

func blocks(t testing.TB) sim.World {
	t.Helper()
	w, err := sim.New("blocksworld")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// photograph writes a picture of a state that no training has seen.
func photograph(t testing.TB, s sim.State, seed uint64) string {
	t.Helper()
	img, err := camera.New(96, 96).Render(blocks(t), s, 1<<62|seed)
	if err != nil {
		t.Fatal(err)
	}
	return save(t, img)
}

func save(t testing.TB, img image.Image) string {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "*.png")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// execute runs a plan in the world.
func execute(w sim.World, s sim.State, plan []strips.ActionID) (sim.State, error) {
	for i, a := range plan {
		next, ok := w.Apply(s, a)
		if !ok {
			return s, fmt.Errorf("step %d, %s, is refused in %s", i, w.ActionName(a), w.Describe(s))
		}
		s = next
	}
	return s, nil
}
