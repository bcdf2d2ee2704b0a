package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func shell(script string, arguments ...string) *exec.Cmd {
	return exec.Command("sh", append([]string{"-c", script, "sh"}, arguments...)...)
}

// process group is a program that notes its number and that of a child in a group of its
// own. Neither minds being asked to end.
const processGroup = `trap '' INT TERM; set -m; sleep 1000 & echo "$$ $!" >"$1.new"; mv "$1.new" "$1"; echo ready; wait`

// lives says whether there is such a process, other than one that waits to be buried.
func lives(pid string) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	_, state, _ := strings.Cut(string(stat), ") ")
	return err == nil && !strings.HasPrefix(state, "Z")
}

// gone waits until a process group has ended.
func gone(t *testing.T, notes string) {
	t.Helper()
	text, err := os.ReadFile(notes)
	if err != nil {
		t.Fatal(err)
	}
	pids := strings.Fields(string(text))
	if len(pids) != 2 {
		t.Fatalf("a family of %q", pids)
	}
	for _, pid := range pids {
		for ctx := Soon(t); lives(pid); sleep() {
			if ctx.Err() != nil {
				t.Fatalf("process %s has been left behind", pid)
			}
		}
	}
}

// TestKilledBinaryLeavesNothing kills a test binary that has started a process group.
func TestKilledBinaryLeavesNothing(t *testing.T) {
	notes := filepath.Join(t.TempDir(), "pids")
	binary := exec.Command(os.Args[0], "-test.run=^TestToBeKilled$")
	binary.Env = append(os.Environ(), "TO_BE_KILLED="+notes)
	if err := binary.Start(); err != nil {
		t.Fatal(err)
	}
	defer binary.Wait()
	for ctx := Soon(t); ; sleep() {
		if _, err := os.Stat(guarded(notes)); err == nil {
			break
		}
		if ctx.Err() != nil {
			t.Fatal("the family was not started")
		}
	}
	if err := binary.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	gone(t, notes)
}

// TestToBeKilled is the test that TestKilledBinaryLeavesNothing kills.
func TestToBeKilled(t *testing.T) {
	notes := os.Getenv("TO_BE_KILLED")
	if notes == "" {
		t.Skip("only for TestKilledBinaryLeavesNothing")
	}
	p := Start(t, shell(processGroup, notes))
	p.AwaitFile(notes)
	if err := os.WriteFile(guarded(notes), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p.Wait()
}

// guarded is a file that says that the process group has its guard, too.
func guarded(notes string) string { return notes + ".guarded" }

func TestNothingIsLeftByATest(t *testing.T) {
	notes := filepath.Join(t.TempDir(), "pids")
	t.Run("starts a family", func(t *testing.T) {
		p := Start(t, shell(processGroup, notes))
		p.Await("ready")
		p.AwaitFile(notes)
	})
	gone(t, notes)
}

func TestConversation(t *testing.T) {
	p := Start(t, shell(`trap 'echo bye; exit 7' TERM; echo one; echo two; echo two; echo hot >&2; while :; do sleep 0.01; done`))
	p.Await("two")
	p.Await("two")
	if !p.Silent() || p.Ended() {
		t.Errorf("it said %q and ended: %t", &p.Out, p.Ended())
	}
	p.Signal(syscall.SIGTERM)
	p.Await("bye")
	if code := p.Wait(); code != 7 || p.Err.String() != "hot\n" {
		t.Errorf("exit code %d, errors %q", code, &p.Err)
	}
	polite := Start(t, shell(`trap 'exit 0' INT; echo ready; while :; do sleep 0.01; done`))
	polite.Await("ready")
	polite.Stop(os.Interrupt)
	if r := Run(t, shell("echo out; echo err >&2; exit 3")); r != (Result{3, "out\n", "err\n"}) {
		t.Errorf("%+v", r)
	}
}

func TestDomainsAreOnesOwn(t *testing.T) {
	taken := map[int]bool{}
	for range 5 {
		d := Domain(t)
		if taken[d] {
			t.Errorf("domain %d is given twice", d)
		}
		taken[d] = true
		if env := strings.Join(Env(d), " "); !strings.Contains(env, "ROS_DOMAIN_ID="+strconv.Itoa(d)) {
			t.Error(env)
		}
	}
}
