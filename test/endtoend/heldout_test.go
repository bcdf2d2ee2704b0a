package endtoend

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEvalOnAnotherRecording evaluates the checked-in bundle on recordings that it was not
// learned from: one of its world, one with wrong labels, and one of another world.
func TestEvalOnAnotherRecording(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	type counts struct {
		Images    int
		Known     bool
		Intervals struct{ Intervals, Evaluated, Agreed int }
		All       struct {
			Transitions, Evaluated, Predicted, Refusals, Refusals_evaluated,
			Refusals_foreseen int
		}
		Skills, Examples []struct{}
	}
	evaluated := func(name string, record ...string) (c counts) {
		bag, out := filepath.Join(dir, name), filepath.Join(dir, name+"-eval")
		mustRun(t, append([]string{"record", "--world", "blocksworld", "--seed", "9", "--transitions",
			"200", "--size", "96", "--out", bag}, record...)...)
		text := mustRun(t, "eval", "--bundle", checkedIn, "--bag", bag, "--out", out, "--json")
		must(0, json.Unmarshal([]byte(text), &c))
		_, err := os.Stat(filepath.Join(out, "unforeseen.png"))
		if (err == nil) != (len(c.Examples) > 0) {
			t.Errorf("%s: %d examples, image: %v", name, len(c.Examples), err)
		}
		return c
	}
	right := evaluated("right")
	if a := right.All; right.Known || len(right.Skills) != 18 || a.Transitions != 200 ||
		a.Evaluated < 196 || a.Predicted != a.Evaluated || a.Refusals < 10 ||
		a.Refusals_foreseen != a.Refusals_evaluated {
		t.Errorf("its own world: %+v", right)
	}
	if m := right.Intervals; m.Intervals != 199 || m.Evaluated < 195 || m.Agreed != m.Evaluated {
		t.Errorf("intervals of its own world: %+v", m)
	}
	// Three labels in ten are drawn among all actions, a few of which may be right.
	if a := evaluated("mislabelled", "--mislabel", "0.3").All; a.Predicted < a.Evaluated*6/10 ||
		a.Predicted > a.Evaluated*8/10 {
		t.Errorf("with wrong labels: %+v", a)
	}
	unrelated := filepath.Join(dir, "foreign")
	mustRun(t, "record", "--world", "dinnertable", "--transitions", "20", "--size", "96", "--out",
		unrelated)
	if r := run(t, "eval", "--bundle", checkedIn, "--bag", unrelated); r.Code != 4 ||
		!strings.Contains(r.Stderr, "not one of 1..18") {
		t.Errorf("another world: exit code %d, %s", r.Code, r.Stderr)
	}
	coarse := filepath.Join(dir, "state-dependent")
	mustRun(t, "record", "--world", "blocksworld", "--skills", "state-dependent", "--transitions",
		"20", "--size", "96", "--out", coarse)
	if r := run(t, "eval", "--bundle", checkedIn, "--bag", coarse); r.Code != 4 ||
		!strings.Contains(r.Stderr, "its actions are [pick") {
		t.Errorf("other skills: exit code %d, %s", r.Code, r.Stderr)
	}
}
