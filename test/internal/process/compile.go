package process

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Needs skips a test where a Debian package is missing. make setup-test installs it as root.
func Needs(t testing.TB, pkg string) {
	t.Helper()
	if err := exec.Command("dpkg", "-s", pkg).Run(); err != nil {
		t.Skipf("not tested: the Debian package %s is not installed", pkg)
	}
}

// compiling is for tests that need the same program at once.
var compiling sync.Mutex

// Compile compiles a C++ program of one source, once for each state of it, and returns its path.
func Compile(t testing.TB, source string, flags ...string) string {
	t.Helper()
	compiling.Lock()
	defer compiling.Unlock()
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "stripswm")
	name := filepath.Base(filepath.Dir(source)) + "-" + strings.TrimSuffix(filepath.Base(source),
		".cpp")
	binary := filepath.Join(dir, fmt.Sprintf("%s-%x", name, sha256.Sum256(text)))
	if _, err := os.Stat(binary); err == nil {
		return binary
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	fresh := fmt.Sprintf("%s.%d", binary, os.Getpid())
	if out, err := exec.Command("g++", append([]string{"-O1", "-w", source, "-o", fresh},
		flags...)...).CombinedOutput(); err != nil {
		t.Fatalf("compile %s (run make setup-test for its libraries): %v\n%s", source, err, out)
	}
	if err := os.Rename(fresh, binary); err != nil {
		t.Fatal(err)
	}
	return binary
}
