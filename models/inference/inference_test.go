package inference_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"stripswm/models/inference"
)

func TestDeviceNames(t *testing.T) {
	for _, name := range []string{"cpu", "cuda", "tensorrt"} {
		if p, err := inference.ParseDevice(name); err != nil || string(p) != name {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
	if _, err := inference.ParseDevice("gpu"); err == nil || !strings.Contains(err.Error(), "choose") {
		t.Errorf("an unknown provider gave %v", err)
	}
}

func TestNotANetwork(t *testing.T) {
	for name, model := range map[string][]byte{"empty": {}, "text": []byte("not a model"),
		"truncated": {0x08, 0x0a, 0x3a}} {
		t.Run(name, func(t *testing.T) {
			if _, err := inference.Open(model, inference.Options{}); err == nil {
				t.Error("opened")
			}
		})
	}
}

// TestUnusableLibrary loads wrong libraries, each in a process of its own since
// a process loads the library once.
func TestUnusableLibrary(t *testing.T) {
	if path := os.Getenv("TEST_LIBRARY"); path != "" {
		_, err := inference.Load(path)
		if !errors.Is(err, inference.ErrNoLibrary) || !strings.Contains(err.Error(), path) {
			t.Errorf("Load(%s) = %v, want ErrNoLibrary naming the file", path, err)
		}
		return
	}
	dir := t.TempDir()
	text := filepath.Join(dir, "text.so")
	if err := os.WriteFile(text, []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, filepath.Join(dir, "missing.so"), dir} {
		child := exec.Command(os.Args[0], "-test.run=^TestUnusableLibrary$")
		child.Env = append(os.Environ(), "TEST_LIBRARY="+path)
		if out, err := child.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", path, err, out)
		}
	}
}

// TestTooLittleMemory loads the library in a process with room for half of it. With a limit from
// the start, as of ulimit -v, Go's runtime may meet it first.
func TestTooLittleMemory(t *testing.T) {
	if os.Getenv("TEST_LITTLE_MEMORY") == "" {
		child := exec.Command(os.Args[0], "-test.run=^TestTooLittleMemory$")
		child.Env = append(os.Environ(), "TEST_LITTLE_MEMORY=1")
		if out, err := child.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	var pages uint64
	if text, err := os.ReadFile("/proc/self/statm"); err != nil {
		t.Fatal(err)
	} else if _, err := fmt.Sscan(string(text), &pages); err != nil {
		t.Fatal(err)
	}
	limit := syscall.Rlimit{Cur: pages*uint64(os.Getpagesize()) + 20<<20, Max: math.MaxUint64}
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		t.Fatal(err)
	}
	_, err := inference.Load("")
	if !errors.Is(err, inference.ErrNoLibrary) || !strings.Contains(err.Error(), "ulimit -v") ||
		strings.Contains(err.Error(), "version") {
		t.Errorf("with room for 20 MB: %v", err)
	}
}
