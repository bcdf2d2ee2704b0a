package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// IgnitionWorld compiles the program of test/interop/ignition, which is at path: a world on
// Debian's Ignition Transport.
func IgnitionWorld(t testing.TB, path string) string {
	t.Helper()
	Needs(t, "libignition-transport-dev")
	flags, err := exec.Command("pkg-config", "--cflags", "--libs", "ignition-transport11",
		"ignition-msgs8").Output()
	if err != nil {
		t.Fatalf("pkg-config (run make setup-test for libignition-transport-dev): %v", err)
	}
	return Compile(t, filepath.Join(path, "world.cpp"), strings.Fields(string(flags))...)
}

// Ignition is that world in a partition of its own, ready.
func Ignition(t testing.TB, path, partition, world string, bodies ...string) *Process {
	t.Helper()
	cmd := exec.Command(IgnitionWorld(t, path), append([]string{world}, bodies...)...)
	cmd.Env = append(os.Environ(), "IGN_IP=127.0.0.1", "IGN_PARTITION="+partition)
	p := Start(t, cmd)
	p.Await("ready")
	return p
}
