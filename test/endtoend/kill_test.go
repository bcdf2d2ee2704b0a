package endtoend

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/test/internal/process"
)

// TestExploreGoesOnAfterAKill kills an exploration at many instants, from before it has made
// anything, and goes on each time.
func TestExploreGoesOnAfterAKill(t *testing.T) {
	out := filepath.Join(t.TempDir(), "explored")
	explore := func(attempts string) []string {
		return []string{"explore", "--out", out, "--resume", "--attempts", attempts, "--size", "64",
			"--target-coverage", "1"}
	}
	recorded := 0
	for kill := range 20 {
		p := process.Start(t, command(explore("100000")...))
		select {
		case <-p.Done():
			t.Fatalf("after %d kills it ends by itself: %s", kill, p.Err.String())
		case <-time.After(time.Duration(kill) * 60 * time.Millisecond):
		}
		p.Stop(syscall.SIGKILL)
		now := attempted(t, filepath.Join(out, "bag"))
		if now < recorded {
			t.Fatalf("kill %d left %d attempts, where there had been %d", kill, now, recorded)
		}
		recorded = now
	}
	if done := process.Run(t, command(explore("1")...)); !strings.Contains(done.Stdout, "explored ") {
		t.Errorf("in the end: exit code %d: %s%s", done.Code, done.Stdout, done.Stderr)
	}
	t.Logf("%d attempts", recorded)
}

// attempted counts the attempts of a recording that may still be being made.
func attempted(t *testing.T, bag string) (n int) {
	t.Helper()
	r, err := bags.OpenLive(bag)
	if err != nil {
		return 0 // killed before there was one
	}
	defer r.Close()
	for _, err := range r.Transitions(t.Context()) {
		must(0, err)
		n++
	}
	return n
}
