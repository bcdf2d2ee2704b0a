package endtoend

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"testing"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/test/internal/process"
)

func TestMain(m *testing.M) { process.Main(m, "stripswm", "simrig", "planner") }

// checkedIn is a learned bundle, for what does not depend on how it was learned.
const checkedIn = "../launch/testdata/bundle"

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

func blocks() *sim.World {
	return must(sim.New("blocksworld"))
}

// photograph writes an image of a state that no training has seen.
func photograph(t testing.TB, s sim.State, seed uint64) string {
	t.Helper()
	img := must(camera.New(96, 96).Render(blocks(), s, 1<<62|seed))
	return save(t, img)
}

func save(t testing.TB, img image.Image) string {
	t.Helper()
	f := must(os.CreateTemp(t.TempDir(), "*.png"))
	defer f.Close()
	must(0, png.Encode(f, img))
	return f.Name()
}

// execute runs a plan in the world.
func execute(w *sim.World, s sim.State, plan []strips.ActionID) (sim.State, error) {
	for i, a := range plan {
		next, ok := w.Apply(s, a)
		if !ok {
			return s, fmt.Errorf("step %d, %s, is refused in %s", i, w.ActionName(a), w.Describe(s))
		}
		s = next
	}
	return s, nil
}

// must is for what fails in no test.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
