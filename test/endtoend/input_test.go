package endtoend

import (
	"image"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stripswm/test/internal/process"
)

// TestDiskFullClosesTheRecording records onto a file system that is too small.
func TestDiskFullClosesTheRecording(t *testing.T) {
	t.Parallel()
	mount := t.TempDir()
	script := `mount -t tmpfs -o size=8m tmpfs "$1" || exit 99
"$0" record -q --size 64 --transitions 2000 --out "$1/bag"; code=$?
cp -r "$1/bag" "$2"; exit $code`
	kept := filepath.Join(t.TempDir(), "bag")
	full := process.Run(t, exec.Command("unshare", "-rm", "sh", "-c", script,
		process.Program("stripswm"), mount, kept))
	if full.Code == 99 || strings.Contains(full.Stderr, "unshare") {
		t.Skipf("no small file system can be made on this machine: %s", full.Stderr)
	}
	if full.Code != 6 || !strings.Contains(full.Stderr, "no space left") {
		t.Fatalf("exit code %d, want 6: %s", full.Code, full.Stderr)
	}
	if text := mustRun(t, "check", "-q", kept); !strings.Contains(text, "intact") ||
		strings.Contains(text, " 0 succeeded") {
		t.Errorf("what was recorded before is lost: %s", text)
	}
}

// TestLimitsOfTheSystem has a command line that is longer than the runtime of the networks reads,
// and none of the runtime, or another file in its place. Too little memory for it is tested in
// package inference.
func TestLimitsOfTheSystem(t *testing.T) {
	t.Parallel()
	blank := save(t, image.NewGray(image.Rect(0, 0, 64, 64)))
	args := append([]string{"plan", "--bundle", checkedIn, "--goal", blank},
		slices.Repeat([]string{"--start", blank}, 3000)...)
	if r := run(t, args...); r.Code != 13 {
		t.Errorf("a command line of %d words: exit code %d, want 13: %.500s", len(args), r.Code, r.Stderr)
	}
	for _, library := range []string{filepath.Join(t.TempDir(), "none.so"), blank} {
		if r := run(t, append(args[:7:7], "--onnxruntime", library)...); r.Code != 5 ||
			!strings.Contains(r.Stderr, library) || !strings.Contains(r.Stderr, "make setup") {
			t.Errorf("without the library: exit code %d: %.500s", r.Code, r.Stderr)
		}
	}
}
