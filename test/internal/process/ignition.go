package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Ignition is a world on Debian's Ignition Transport, as test/interop/ignition has it: path is
// where that is. It runs in a partition of its own, and is ready.
func Ignition(t testing.TB, path, partition, world string, bodies ...string) *Process {
	t.Helper()
	Needs(t, "libignition-transport-dev")
	flags, err := exec.Command("pkg-config", "--cflags", "--libs", "ignition-transport11",
		"ignition-msgs8").Output()
	if err != nil {
		t.Fatalf("pkg-config (run make setup-test for libignition-transport-dev): %v", err)
	}
	cmd := exec.Command(Compile(t, filepath.Join(path, "world.cpp"), strings.Fields(string(flags))...),
		append([]string{world}, bodies...)...)
	cmd.Env = append(os.Environ(), "IGN_IP=127.0.0.1", "IGN_PARTITION="+partition)
	p := Start(t, cmd)
	p.Await("ready")
	return p
}
