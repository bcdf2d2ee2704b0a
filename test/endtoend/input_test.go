package endtoend

import (
	"bytes"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stripswm/bags"
	"stripswm/test/internal/process"
)

// recording makes a small recording of its own.
func recording(t testing.TB, transitions string) string {
	t.Helper()
	bag := filepath.Join(t.TempDir(), "bag")
	mustRun(t, "record", "-q", "--size", "64", "--seed", "3", "--transitions", transitions, "--out",
		bag)
	return bag
}

func dataFile(bag string) string {
	return must(filepath.Glob(filepath.Join(bag, "*.mcap")))[0]
}

func TestCheckFindsDamage(t *testing.T) {
	t.Parallel()
	bag := recording(t, "350")
	if out := mustRun(t, "check", "-q", bag); !strings.Contains(out, "350 succeeded") {
		t.Errorf("check printed %q", out)
	}
	flipped, cut := copyOf(t, bag), copyOf(t, bag)
	data := must(os.ReadFile(dataFile(bag)))
	bad := bytes.Clone(data)
	bad[len(bad)/2] ^= 0x10
	must(0, os.WriteFile(dataFile(flipped), bad, 0o600))
	must(0, os.WriteFile(dataFile(cut), data[:2*len(data)/3], 0o600))
	for name, c := range map[string]struct{ path, want string }{
		"flipped bit": {flipped, "fault"},
		"cut short":   {cut, "fault"},
		"no bag":      {t.TempDir(), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if r := run(t, "check", "-q", c.path); r.Code == 0 || !strings.Contains(r.Stdout, c.want) {
				t.Errorf("exit code %d, %q", r.Code, r.Stdout)
			}
			if r := run(t, "learn", "-q", "--bag", c.path, "--out", t.TempDir()); r.Code != 4 ||
				r.Stderr == "" {
				t.Errorf("learn: exit code %d, want 4: %q", r.Code, r.Stderr)
			}
		})
	}
	t.Run("repair", func(t *testing.T) {
		if r := run(t, "check", "-q", cut, "--repair"); r.Code != 3 ||
			!strings.Contains(r.Stdout, "kept") {
			t.Fatalf("exit code %d: %s%s", r.Code, r.Stdout, r.Stderr)
		}
		if out := mustRun(t, "check", "-q", cut); !strings.Contains(out, "intact") {
			t.Errorf("after repair: %q", out)
		}
	})
}

func TestTooLittleToLearnFrom(t *testing.T) {
	t.Parallel()
	one := recording(t, "1")
	empty := filepath.Join(t.TempDir(), "empty")
	w := must(bags.Create(empty, bags.Options{}))
	must(0, w.Close())
	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"empty bag":         {[]string{"--bag", empty}, 4, "0 successful attempts"},
		"one transition":    {[]string{"--bag", one}, 4, "1 successful attempt"},
		"unknown action id": {[]string{"--bag", recording(t, "20"), "--actions", "2"}, 4, "1..2"},
		"unknown preset":    {[]string{"--bag", one, "--preset", "huge"}, 2, "small"},
		"unknown stage":     {[]string{"--bag", one, "--stage", "4"}, 2, "choose"},
		"stage 3 alone":     {[]string{"--bag", one, "--stage", "classifier"}, 4, "bundle"},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"learn", "-q", "--out", filepath.Join(t.TempDir(), "out")}, c.args...)
			if r := run(t, args...); r.Code != c.code || !strings.Contains(r.Stderr, c.want) {
				t.Errorf("exit code %d, want %d; %q, want %q in it", r.Code, c.code, r.Stderr, c.want)
			}
		})
	}
}

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

// copyOf copies a folder.
func copyOf(t testing.TB, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(dir))
	must(0, os.CopyFS(to, os.DirFS(dir)))
	return to
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
