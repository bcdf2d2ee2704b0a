package launch

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stripswm/test/internal/process"
)

// TestUpSimAndPlan does what the README says, in two terminals: up sim with the
// bundle, plan to the goal image that it has written, ^C. Started again at
// once, it works again. up reports nodes that do not stop within 1.7 s as an
// error, so a clean end is one within 2 s.
func TestUpSimAndPlan(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	goal := filepath.Join(t.TempDir(), "goal.png")
	for range 2 {
		up := s.bring(s.command("stripswm", "up", "sim", "--bundle", bundleDir, "--goal", goal,
			"--skill-time", "0.2"))
		if info, err := os.Stat(goal); err != nil || info.Size() == 0 {
			t.Fatalf("no goal image: %v", err)
		}
		// The command line has the answer for people and the one for scripts.
		if out := s.stripswm("plan", "--goal", goal, "--execute"); !strings.Contains(out,
			"goal reached: 4 skill(s) as predicted, 0 not") {
			t.Errorf("plan says %q", out)
		}
		var again struct {
			Outcome string
			Plan    []int
		}
		if out := s.stripswm("plan", "--goal", goal, "--execute", "--json"); json.Unmarshal([]byte(out),
			&again) != nil || again.Outcome != "succeeded" || len(again.Plan) != 0 {
			t.Errorf("plan at the goal says %q", out)
		}
		t.Logf("stopped within %v", up.Stop(os.Interrupt).Round(time.Millisecond))
	}
}

// stripswm runs the command line in the system's domain to its end.
func (s *system) stripswm(arguments ...string) (stdout string) {
	s.t.Helper()
	p := process.Start(s.t, s.command("stripswm", arguments...))
	if code := p.Wait(); code != 0 {
		s.t.Fatalf("stripswm %v: exit code %d", arguments, code)
	}
	return p.Out.String()
}
