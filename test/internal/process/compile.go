package process

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Compile compiles a C++ program of one source, once for each state of it, and returns its path.
func Compile(t testing.TB, source string, flags ...string) string {
	t.Helper()
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "stripswm")
	name := filepath.Base(filepath.Dir(source)) + "-" + strings.TrimSuffix(filepath.Base(source), ".cpp")
	binary := filepath.Join(dir, fmt.Sprintf("%s-%x", name, sha256.Sum256(text)))
	if _, err := os.Stat(binary); err == nil {
		return binary
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	fresh := fmt.Sprintf("%s.%d", binary, os.Getpid())
	if out, err := exec.Command("g++", append([]string{"-O1", "-w", source, "-o", fresh}, flags...)...).CombinedOutput(); err != nil {
		t.Fatalf("compile %s (run make setup-test for its libraries): %v\n%s", source, err, out)
	}
	if err := os.Rename(fresh, binary); err != nil {
		t.Fatal(err)
	}
	return binary
}

// Ignition is a world on Debian's Ignition Transport, as test/interop/ignition has it: path is where that
// is. It runs in a partition of its own, and is ready.
func Ignition(t testing.TB, path, partition, world string, bodies ...string) *Process {
	t.Helper()
	flags, err := exec.Command("pkg-config", "--cflags", "--libs", "ignition-transport11", "ignition-msgs8").Output()
	if err != nil {
		t.Fatalf("pkg-config (run make setup-test for libignition-transport-dev): %v", err)
	}
	cmd := exec.Command(Compile(t, filepath.Join(path, "world.cpp"), strings.Fields(string(flags))...), append([]string{world}, bodies...)...)
	cmd.Env = append(os.Environ(), "IGN_IP=127.0.0.1", "IGN_PARTITION="+partition)
	p := Start(t, cmd)
	p.Await("ready")
	return p
}
