package interop

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"stripswm/nodes/ros"
	"stripswm/nodes/ros/dds"
)

const (
	roleVar   = "INTEROP_ROLE"
	domainVar = "INTEROP_DOMAIN"
)

// firstDomain begins the domains of this run: runs side by side must not hear each other.
var firstDomain = 160 + os.Getpid()%37

var domainMu sync.Mutex

// newDomain gives each test a domain, so that no test hears what another one left behind.
func newDomain() int {
	domainMu.Lock()
	defer domainMu.Unlock()
	firstDomain++
	if firstDomain > 197 {
		firstDomain = 160
	}
	return firstDomain
}

func TestMain(m *testing.M) {
	role := os.Getenv(roleVar)
	if role == "" {
		os.Exit(m.Run())
	}
	domain, err := strconv.Atoi(os.Getenv(domainVar))
	if err == nil {
		err = play(domain, roles[role])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, role, err)
		os.Exit(1)
	}
}

// play runs a role's node until standard input ends.
func play(domain int, role func(*ros.Node) error) error {
	t, err := dds.Open(dds.Config{Domain: domain, Range: dds.Localhost}, nil)
	if err != nil {
		return err
	}
	defer t.Close()
	args, err := ros.ParseArgs(os.Args[1:])
	if err != nil {
		return err
	}
	n, err := ros.NewNode(t, "peer", args, ros.Options{})
	if err != nil {
		return err
	}
	defer n.Close()
	if err := role(n); err != nil {
		return err
	}
	fmt.Println("ready")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// A peer is another process, whose lines of output can be waited for.
type peer struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.Closer
	lines chan string
	errs  *bytes.Buffer
}

// startRole runs this test binary in a role.
func startRole(t *testing.T, role string, domain int, args ...string) *peer {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), roleVar+"="+role, domainVar+"="+strconv.Itoa(domain))
	return startPeer(t, cmd)
}

// startPeer runs a command until the test ends, and returns when it has said "ready".
func startPeer(t *testing.T, cmd *exec.Cmd) *peer {
	t.Helper()
	p := &peer{t: t, cmd: cmd, lines: make(chan string, 1000), errs: &bytes.Buffer{}}
	cmd.Stderr = p.errs
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.stdin = in
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(p.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			p.lines <- s.Text()
		}
	}()
	t.Cleanup(func() {
		in.Close()
		<-read
		cmd.Wait()
		if t.Failed() && p.errs.Len() > 0 {
			t.Logf("%s:\n%s", cmd.Path, p.errs)
		}
	})
	p.expect("ready")
	return p
}

// expect waits for a line of output.
func (p *peer) expect(want string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var seen []string
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				p.t.Fatalf("the peer ended without %q; it said %q", want, seen)
			}
			if line == want {
				return
			}
			seen = append(seen, line)
		case <-ctx.Done():
			p.t.Fatalf("the peer did not say %q; it said %q", want, strings.Join(seen, "\n"))
		}
	}
}

// kill ends the process as SIGKILL does.
func (p *peer) kill() {
	p.t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
}

// stop lets the process end in order.
func (p *peer) stop() { p.stdin.Close() }

// node makes a node of the test's own process.
func node(t *testing.T, domain int, name string, peers ...string) *ros.Node {
	t.Helper()
	tr := transport(t, domain, peers...)
	n, err := ros.NewNode(tr, name, ros.Args{}, ros.Options{Log: testLog{t}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	return n
}

func transport(t *testing.T, domain int, peers ...string) ros.Transport {
	t.Helper()
	tr, err := dds.Open(dds.Config{Domain: domain, Range: dds.Localhost, Peers: peers}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tr.Close() })
	return tr
}

type testLog struct{ t *testing.T }

func (l testLog) Write(p []byte) (int, error) {
	l.t.Logf("%s", bytes.TrimSpace(p))
	return len(p), nil
}

// soon is a context for what may take as long as discovery on a busy machine.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 40*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func receive[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-soon(t).Done():
		t.Fatalf("nothing came: %s", what)
		panic("unreachable")
	}
}

// until does something again and again until the condition holds.
func until(t *testing.T, what string, holds func() bool, do func()) {
	t.Helper()
	ctx := soon(t)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		do()
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("never: %s", what)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
