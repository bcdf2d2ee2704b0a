package recorder

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// programs is where TestMain builds the nodes and the command line.
var programs string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "strips-wm-nodes-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	programs = dir
	build := exec.Command("go", "build", "-o", dir+"/", "stripswm/nodes/simrig", "stripswm/nodes/recorder", "stripswm/nodes/stripswm")
	build.Stderr = os.Stderr
	code := 1
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build the programs:", err)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

var (
	domainMu  sync.Mutex
	domainNow = os.Getpid()
)

// newDomain gives each test a ROS domain of its own, 60 to 79.
func newDomain() int {
	domainMu.Lock()
	defer domainMu.Unlock()
	domainNow++
	return 60 + domainNow%20
}

// A program is a node that runs.
type program struct {
	t        *testing.T
	cmd      *exec.Cmd
	out, err *safeBuffer
	exited   chan error
}

// launch starts a node in a domain of this machine, with parameters as in
// "rate:=30.0", and returns when it is ready.
func launch(t *testing.T, domain int, name string, parameters ...string) *program {
	t.Helper()
	args := []string{"--ros-args"}
	for _, p := range parameters {
		args = append(args, "-p", p)
	}
	cmd := exec.Command(filepath.Join(programs, name), args...)
	cmd.Env = append(os.Environ(), "ROS_DOMAIN_ID="+strconv.Itoa(domain), "ROS_LOCALHOST_ONLY=1")
	cmd.Dir = t.TempDir()
	p := &program{t: t, cmd: cmd, out: &safeBuffer{}, err: &safeBuffer{}, exited: make(chan error, 1)}
	cmd.Stderr = p.err
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ready := make(chan struct{})
	go func() {
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			if lines.Text() == "ready" {
				close(ready)
			}
			fmt.Fprintln(p.out, lines.Text())
		}
		p.exited <- cmd.Wait()
	}()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		if t.Failed() {
			t.Logf("%s said:\n%s%s", name, p.out, p.err)
		}
	})
	select {
	case <-ready:
	case err := <-p.exited:
		t.Fatalf("%s ended before it was ready: %v\n%s", name, err, p.err)
	case <-time.After(40 * time.Second):
		t.Fatalf("%s was not ready\n%s", name, p.err)
	}
	return p
}

// end sends a signal and waits for the process to end, which orderly ends do
// within two seconds on an idle machine; patience is for busy ones.
func (p *program) end(signal syscall.Signal) {
	p.t.Helper()
	start := time.Now()
	if err := p.cmd.Process.Signal(signal); err != nil {
		p.t.Fatal(err)
	}
	select {
	case err := <-p.exited:
		p.t.Logf("%s ended %s after %s", filepath.Base(p.cmd.Path), time.Since(start).Round(time.Millisecond), signal)
		if err != nil && signal != syscall.SIGKILL {
			p.t.Errorf("%s: %v", filepath.Base(p.cmd.Path), err)
		}
	case <-time.After(20 * time.Second):
		p.t.Fatalf("%s did not end after %s", filepath.Base(p.cmd.Path), signal)
	}
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func (b *safeBuffer) has(text string) bool { return strings.Contains(b.String(), text) }

// fromEnv is a number that the environment may raise.
func fromEnv(name string, value int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return value
}
