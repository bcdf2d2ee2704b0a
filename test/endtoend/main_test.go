package endtoend

import (
	"bytes"
	"errors"
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
)

// program is the built command; scratch holds what the tests share.
var program, scratch string

func TestMain(m *testing.M) {
	code := func() int {
		var err error
		if scratch, err = os.MkdirTemp("", "stripswm-endtoend-*"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(scratch)
		// In bin, so that the program finds ONNX Runtime as an installed one does.
		program = filepath.Join("..", "..", "bin", fmt.Sprintf("stripswm-test-%d", os.Getpid()))
		if program, err = filepath.Abs(program); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.Remove(program)
		if out, err := exec.Command("go", "build", "-o", program, "stripswm/nodes/stripswm").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}()
	os.Exit(code)
}

// result of one run of the program.
type result struct {
	code           int
	stdout, stderr string
}

func run(t testing.TB, args ...string) result {
	t.Helper()
	cmd := exec.Command(program, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// mustRun runs the program, which must succeed.
func mustRun(t testing.TB, args ...string) string {
	t.Helper()
	r := run(t, args...)
	if r.code != 0 {
		t.Fatalf("stripswm %v: exit code %d\n%s", args, r.code, r.stderr)
	}
	return r.stdout
}

// demo runs the whole pipeline once, on a smaller recording than the default,
// and returns its folder and what it printed.
var demo = sync.OnceValues(func() (string, result) {
	dir := filepath.Join(scratch, "demo")
	return dir, run(&testing.T{}, "demo", "--seed", "5", "--transitions", "2500", "--size", "96", "--queries", "25", "--out", dir, "--json")
})

// learned is the folder of a demo that succeeded.
func learned(t testing.TB) string {
	t.Helper()
	dir, r := demo()
	if r.code != 0 {
		t.Fatalf("demo: exit code %d\n%s", r.code, r.stderr)
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
