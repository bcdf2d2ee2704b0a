package sweep

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestMislabelFlag: the share is checked, and the summary says what came of it.
func TestMislabelFlag(t *testing.T) {
	t.Parallel()
	for _, share := range []string{"-0.1", "1.5", "NaN"} {
		out := filepath.Join(t.TempDir(), "bag")
		want(t, 2, "--mislabel", stripswm("record", "--out", out, "--mislabel", share))
		want(t, 2, "--mislabel", stripswm("demo", "--out", out, "--mislabel", share))
	}
	code, out := run(t, stripswm("record", "-q", "--size", "64", "--transitions", "20", "--mislabel", "1", "--out", filepath.Join(t.TempDir(), "bag")))
	if code != 0 || !strings.Contains(out, "20 transitions (20 mislabelled)") {
		t.Errorf("exit code %d: %s", code, out)
	}
}
