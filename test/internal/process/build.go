package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Main is what a package's TestMain does: it builds the named programs of nodes/
// and runs the tests, whose exit code the testing package keeps.
func Main(m *testing.M, programs ...string) {
	if err := build(programs); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	m.Run()
}

// Program is the path of a program that Main has built: in bin, where `make build`
// puts it, so that it finds ONNX Runtime and its siblings as an installed one does.
func Program(name string) string { return filepath.Join(bin, name) }

var bin string

// binVariable names a folder of programs that are built already, in place of bin: those on rclgo.
const binVariable = "STRIPSWM_BIN"

// build does nothing where `make build` has just run. One package builds at a
// time: no other may start a program that is being written.
func build(programs []string) error {
	if bin = os.Getenv(binVariable); bin != "" {
		return nil
	}
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return fmt.Errorf("find the module: %w", err)
	}
	bin = filepath.Join(filepath.Dir(strings.TrimSpace(string(out))), "bin")
	if err := os.MkdirAll(bin, 0o777); err != nil {
		return err
	}
	lock, err := os.Create(filepath.Join(bin, ".lock"))
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("lock %s: %w", lock.Name(), err)
	}
	args := []string{"build", "-o", bin + "/"}
	for _, name := range programs {
		args = append(args, "stripswm/nodes/"+name)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", strings.Join(programs, ", "), err, out)
	}
	return nil
}
