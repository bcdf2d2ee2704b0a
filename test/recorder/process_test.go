package recorder

import (
	"os"
	"os/exec"
	"strconv"
	"testing"

	"stripswm/test/internal/process"
)

func TestMain(m *testing.M) { process.Main(m, "simrig", "recorder", "stripswm") }

// launch starts a node in a domain of this machine, with parameters as in
// "rate:=30.0", and returns when it is ready.
func launch(t *testing.T, domain int, name string, parameters ...string) *process.Process {
	t.Helper()
	args := []string{"--ros-args"}
	for _, p := range parameters {
		args = append(args, "-p", p)
	}
	cmd := exec.Command(process.Program(name), args...)
	cmd.Env = process.Env(domain)
	cmd.Dir = t.TempDir()
	p := process.Start(t, cmd)
	p.Await("ready")
	return p
}

// fromEnv is a number that the environment may raise.
func fromEnv(name string, value int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return value
}
