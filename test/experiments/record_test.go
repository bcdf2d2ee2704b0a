package experiments

import (
	"path/filepath"
	"strings"
	"testing"

	"stripswm/bags"
)

// TestMislabelFlag: the share is checked, and the summary says what came of it.
func TestMislabelFlag(t *testing.T) {
	t.Parallel()
	for _, share := range []string{"-0.1", "1.5", "NaN"} {
		out := filepath.Join(t.TempDir(), "bag")
		want(t, 2, "--mislabel", stripswm("record", "--out", out, "--mislabel", share))
		want(t, 2, "--mislabel", stripswm("demo", "--out", out, "--mislabel", share))
	}
	code, out := run(t, stripswm("record", "-q", "--size", "64", "--transitions", "20", "--mislabel",
		"1", "--out", filepath.Join(t.TempDir(), "bag")))
	if code != 0 || !strings.Contains(out, "20 transitions (20 mislabelled)") {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// TestResetsFlag: with a share of 1 somebody changes the scene before every attempt.
func TestResetsFlag(t *testing.T) {
	t.Parallel()
	want(t, 2, "--unmarked", stripswm("record", "--out", filepath.Join(t.TempDir(), "bag"),
		"--unmarked"))
	for _, marks := range [][]string{nil, {"--unmarked"}} {
		bag := filepath.Join(t.TempDir(), "bag")
		args := append([]string{"record", "-q", "--world", "lamps", "--size", "64", "--transitions", "20",
			"--resets", "1", "--out", bag}, marks...)
		code, out := run(t, stripswm(args...))
		if code != 0 || !strings.Contains(out, "20 resets") {
			t.Errorf("exit code %d: %s", code, out)
		}
		r := must(bags.Open(bag))
		defer r.Close()
		for tr, err := range r.Transitions(t.Context()) {
			if err != nil || tr.Reset != (marks == nil) {
				t.Errorf("%v: attempt %d, reset %t, %v", marks, tr.Index, tr.Reset, err)
			}
		}
	}
}
