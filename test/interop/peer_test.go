package interop

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"stripswm/nodes/ros"
	"stripswm/nodes/ros/dds"
	"stripswm/nodes/ros/rostest"
	"stripswm/test/internal/process"
)

const (
	roleVar   = "INTEROP_ROLE"
	domainVar = "INTEROP_DOMAIN"
)

func TestMain(m *testing.M) {
	role := os.Getenv(roleVar)
	if role == "" {
		m.Run()
		return
	}
	domain := must(strconv.Atoi(os.Getenv(domainVar)))
	t := must(dds.Open(dds.Config{Domain: domain, Range: dds.Localhost}, nil))
	defer t.Close()
	n := must(ros.NewNode(t, "peer", must(ros.ParseArgs(os.Args[1:])), ros.Options{}))
	defer n.Close()
	roles[role](n)
	fmt.Println("ready")
	must(io.Copy(io.Discard, os.Stdin)) // which ends with the test
}

// A peer is another process, which ends when its standard input does.
type peer struct {
	*process.Process
	stdin io.WriteCloser
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
	stdin := must(cmd.StdinPipe())
	p := &peer{process.Start(t, cmd), stdin}
	p.Await("ready")
	return p
}

// say gives the process a line.
func (p *peer) say(line string) { fmt.Fprintln(p.stdin, line) }

// kill ends the process as SIGKILL does.
func (p *peer) kill() { p.Stop(os.Kill) }

// stop has the process end in order.
func (p *peer) stop() {
	p.stdin.Close()
	p.Wait()
}

// node makes a node of the test's own process.
func node(t *testing.T, domain int, name string, peers ...string) *ros.Node {
	t.Helper()
	return rostest.Node(t, transport(t, domain, peers...), name, t.Output())
}

func transport(t *testing.T, domain int, peers ...string) ros.Transport {
	t.Helper()
	tr := must(dds.Open(dds.Config{Domain: domain, Range: dds.Localhost, Peers: peers}, nil))
	t.Cleanup(func() { tr.Close() })
	return tr
}

// until does something again and again until the condition holds.
func until(t *testing.T, what string, holds func() bool, do func()) {
	t.Helper()
	ctx := process.Soon(t)
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
