package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"stripswm/nodes/ros/rostest"
)

// Patience is how long a test waits for one thing before it fails: long on an idle
// machine, enough on a slow one with ten times as much to do. Several of them fit into the time
// that make test allows, so that what is stuck is named.
const Patience = 8 * time.Minute

// Soon is a context that ends when patience does.
func Soon(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	t.Cleanup(cancel)
	return ctx
}

// Receive waits for what comes by a channel.
func Receive[T any](t testing.TB, what string, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(Patience):
		t.Fatalf("nothing came: %s", what)
		panic("unreachable")
	}
}

// Process is a program that runs.
type Process struct {
	Out, Err rostest.Log // what it has printed so far

	t     testing.TB
	name  string
	cmd   *exec.Cmd
	read  int           // bytes of Out that Await has passed over
	ended chan struct{} // closed when it has ended
}

// Start starts a command. It is killed when the test ends, with all that it
// started, and so it is when the test binary ends before.
func Start(t testing.TB, cmd *exec.Cmd) *Process {
	t.Helper()
	p := &Process{t: t, name: filepath.Base(cmd.Path), cmd: cmd, ended: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = &p.Out, &p.Err
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.WaitDelay = time.Minute // for what it leaves running with its output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	release, err := guard(cmd.Process.Pid)
	if err != nil {
		cmd.Process.Kill()
		t.Fatal(err)
	}
	go func() {
		defer close(p.ended)
		cmd.Wait()
	}()
	t.Cleanup(func() {
		release()
		cmd.Process.Kill() // where there is no /proc
		<-p.ended
		if t.Failed() {
			t.Logf("%s %q said:\n%s%s", p.name, cmd.Args[1:], &p.Out, &p.Err)
		}
	})
	return p
}

// Await waits until the program prints this line, from where an earlier Await left off.
func (p *Process) Await(line string) {
	p.t.Helper()
	p.until(fmt.Sprintf("%s prints %q", p.name, line), func() bool {
		for {
			next, _, whole := strings.Cut(p.Out.String()[p.read:], "\n")
			if !whole {
				return false
			}
			p.read += len(next) + 1
			if next == line {
				return true
			}
		}
	})
}

// AwaitFile waits until a file is there that fits the pattern.
func (p *Process) AwaitFile(pattern string) {
	p.t.Helper()
	p.until(fmt.Sprintf("%s makes %s", p.name, pattern), func() bool {
		paths, err := filepath.Glob(pattern)
		return err == nil && len(paths) > 0
	})
}

// until waits for something that only happens while the program runs.
func (p *Process) until(what string, holds func() bool) {
	p.t.Helper()
	for ctx := Soon(p.t); ; sleep() {
		ended := p.Ended()
		switch {
		case holds():
			return
		case ended:
			p.t.Fatalf("%s ended (%v) before this: %s", p.name, p.cmd.ProcessState, what)
		case ctx.Err() != nil:
			p.t.Fatalf("never: %s", what)
		}
	}
}

// Silent says whether the program has printed nothing since the last Await.
func (p *Process) Silent() bool { return len(p.Out.String()) == p.read }

// PID is the number of the process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done is closed when the program has ended.
func (p *Process) Done() <-chan struct{} { return p.ended }

// Ended says whether the program has ended.
func (p *Process) Ended() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// Signal sends a signal to the program alone.
func (p *Process) Signal(signal os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(signal); err != nil {
		p.t.Fatalf("%s: %v", p.name, err)
	}
}

// Wait waits until the program has ended and returns its exit code, -1 after a kill.
func (p *Process) Wait() int {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-Soon(p.t).Done():
		p.t.Fatalf("%s has not ended", p.name)
	}
	return p.cmd.ProcessState.ExitCode()
}

// Stop ends the program by a signal, if it has not ended before, and returns how
// long that took. It must have ended in order, unless by a kill.
func (p *Process) Stop(signal os.Signal) time.Duration {
	p.t.Helper()
	begin := time.Now()
	if err := p.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Fatalf("%s: %v", p.name, err)
	}
	if code := p.Wait(); code != 0 && signal != os.Kill {
		p.t.Errorf("%s after %v: exit code %d", p.name, signal, code)
	}
	return time.Since(begin)
}

// Result is how a program ended and what it printed.
type Result struct {
	Code           int
	Stdout, Stderr string
}

// Run runs a command to its end, which comes when it comes.
func Run(t testing.TB, cmd *exec.Cmd) Result {
	t.Helper()
	p := Start(t, cmd)
	<-p.ended
	return Result{cmd.ProcessState.ExitCode(), p.Out.String(), p.Err.String()}
}

func sleep() { time.Sleep(10 * time.Millisecond) }
