package endtoend

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/models/bundle"
	"stripswm/test/internal/process"
)

// TestInterruptedLearn interrupts learn in each stage. It ends soon and says how to go on, a bundle
// has the stages that are finished, and --resume ends with a whole one.
func TestInterruptedLearn(t *testing.T) {
	t.Parallel()
	bag := filepath.Join(t.TempDir(), "bag")
	mustRun(t, "record", "-q", "--world", "blocksworld", "--transitions", "600", "--size", "64",
		"--out", bag)
	for name, tt := range map[string]struct {
		method string
		after  string        // what is the last that it says
		wait   time.Duration // then, to be in the middle of what follows
		parts  []bundle.Role // of the bundle; none if there is no bundle
		resume bool
	}{
		"reading":     {"auto", "", 100 * time.Millisecond, nil, false},
		"facts":       {"auto", "read recording: 6", 0, nil, false},
		"recognition": {"traces", "learn facts from attempts: 1/1", 0, nil, true},
		"stage 1":     {"graph", "read recording: 6", 2 * time.Second, nil, false},
		"stage 3": {"graph", "stage 2: operators: ", time.Second, []bundle.Role{bundle.Graph,
			bundle.Model}, true},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			args := []string{"learn", "--bag", bag, "--out", out, "--method", tt.method, "--threads", "1",
				"--steps", "30"}
			if tt.method == "graph" {
				args = append(args, "--preset", "small")
			}
			p := process.Start(t, command(args...))
			p.AwaitFile(out)
			for !strings.Contains(p.Err.String(), tt.after) && !p.Ended() {
				time.Sleep(10 * time.Millisecond)
			}
			time.Sleep(tt.wait)
			begin := time.Now()
			p.Signal(os.Interrupt)
			code := p.Wait()
			if took := time.Since(begin); code != 130 || took > 5*time.Second {
				t.Errorf("exit code %d after %s, want 130 within 5 s", code, took)
			}
			if !strings.Contains(p.Err.String(), "--resume") || p.Out.String() != "" {
				t.Errorf("it said: %s%s", &p.Out, &p.Err)
			}
			b, err := bundle.Open(filepath.Join(out, "bundle"))
			if (err == nil) != (tt.parts != nil) {
				t.Fatalf("bundle: %v", err)
			}
			for _, role := range tt.parts {
				if _, ok := b.Part(role); !ok {
					t.Errorf("the bundle has no %s", role)
				}
			}
			if !tt.resume {
				return
			}
			mustRun(t, append(args, "--resume", "-q")...)
			b = must(bundle.Open(filepath.Join(out, "bundle")))
			if _, ok := b.Part(bundle.Classifier); !ok {
				t.Error("the bundle of the resumed run has no classifier")
			}
		})
	}
}

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
