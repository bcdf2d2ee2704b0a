package endtoend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
