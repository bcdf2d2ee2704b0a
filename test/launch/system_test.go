package launch

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/dds"
)

const bundleDir = "testdata/bundle"

// bin is where the nodes' programs are built.
var bin string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "launch")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		bin = dir
		build := exec.Command("go", "build", "-o", dir+"/", "stripswm/nodes/simrig", "stripswm/nodes/planner", "stripswm/nodes/recorder", "stripswm/nodes/learner", "stripswm/nodes/stripswm")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build the nodes: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// domains are taken one after the other, from 80 to 99.
var domains atomic.Int64

// system is a set of processes in one domain, and a node beside them.
type system struct {
	t      testing.TB
	domain int
	node   *ros.Node
}

func newSystem(t testing.TB) *system {
	t.Helper()
	s := &system{t: t, domain: 80 + int(domains.Add(1)-1)%20}
	transport, err := dds.Open(dds.Config{Domain: s.domain, Range: dds.Localhost}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { transport.Close() })
	if s.node, err = ros.NewNode(transport, "test", ros.Args{}, ros.Options{Log: io.Discard}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.node.Close() })
	return s
}

// process is one node's process.
type process struct {
	t    testing.TB
	name string
	cmd  *exec.Cmd
	log  *logBuffer
	done chan struct{} // closed when it has ended
	err  error         // of Wait, once done is closed
	once sync.Once
}

// start starts a node and waits until it is ready. It is stopped with the test.
func (s *system) start(name string, params ...string) *process {
	s.t.Helper()
	return s.startWith(name, []string{"--ros-args"}, params...)
}

// startWith is start with further arguments before the parameters.
func (s *system) startWith(name string, arguments []string, params ...string) *process {
	s.t.Helper()
	for _, p := range params {
		arguments = append(arguments, "-p", p)
	}
	return s.run(filepath.Join(bin, name), arguments...)
}

// env keeps programs in the system's domain and on this machine.
func (s *system) env() []string {
	return append(os.Environ(), "ROS_DOMAIN_ID="+strconv.Itoa(s.domain), "ROS_LOCALHOST_ONLY=1")
}

// run starts a program that prints "ready", and waits for that.
func (s *system) run(path string, arguments ...string) *process {
	s.t.Helper()
	name := filepath.Base(path)
	p := &process{t: s.t, name: name, cmd: exec.Command(path, arguments...), log: &logBuffer{}, done: make(chan struct{})}
	p.cmd.Env = s.env()
	p.cmd.Stderr = p.log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	ready := make(chan struct{})
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if lines.Text() == "ready" {
				close(ready)
			}
		}
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	s.t.Cleanup(func() { p.stop(syscall.SIGTERM) })
	select {
	case <-ready:
	case <-p.done:
		s.t.Fatalf("%s ended before it was ready: %v\n%s", name, p.err, p.log)
	case <-time.After(time.Minute):
		s.t.Fatalf("%s was not ready within a minute\n%s", name, p.log)
	}
	return p
}

// stop ends the process by a signal, and returns how long it took. It must end in order.
func (p *process) stop(signal os.Signal) (took time.Duration) {
	p.once.Do(func() {
		begin := time.Now()
		p.cmd.Process.Signal(signal)
		select {
		case <-p.done:
			if p.err != nil {
				p.t.Errorf("%s after %v: %v\n%s", p.name, signal, p.err, p.log)
			}
		case <-time.After(20 * time.Second):
			p.cmd.Process.Kill()
			p.t.Errorf("%s did not end after %v\n%s", p.name, signal, p.log)
		}
		took = time.Since(begin)
	})
	if p.t.Failed() {
		p.t.Logf("log of %s:\n%s", p.name, p.log)
	}
	return took
}

// call asks a std_srvs/Trigger service and returns its message.
func (s *system) call(service string) string {
	s.t.Helper()
	client, err := ros.NewClient[*msgs.TriggerRequest, *msgs.TriggerResponse](s.node, service)
	if err != nil {
		s.t.Fatal(err)
	}
	defer client.Close()
	res, err := client.Call(s.patience(), &msgs.TriggerRequest{})
	if err != nil || !res.Success {
		s.t.Fatalf("service %s: %v, %v", service, res, err)
	}
	return res.Message
}

// set asks a std_srvs/SetBool service.
func (s *system) set(service string, on bool) {
	s.t.Helper()
	client, err := ros.NewClient[*msgs.SetBoolRequest, *msgs.SetBoolResponse](s.node, service)
	if err != nil {
		s.t.Fatal(err)
	}
	defer client.Close()
	if res, err := client.Call(s.patience(), &msgs.SetBoolRequest{Data: on}); err != nil || !res.Success {
		s.t.Fatalf("service %s: %v, %v", service, res, err)
	}
}

// patience is a context that ends long after what is waited for should have happened.
func (s *system) patience() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	s.t.Cleanup(cancel)
	return ctx
}

// state is the true state of the rig.
func (s *system) state() int {
	s.t.Helper()
	text := s.call("/simrig/state")
	number, _, _ := strings.Cut(text, " ")
	state, err := strconv.Atoi(number)
	if err != nil {
		s.t.Fatalf("/simrig/state says %q", text)
	}
	return state
}

// times is how often something is tried: a number from the environment, or the default.
func times(t testing.TB, variable string, usual int) int {
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q: want a number from 1", variable, text)
	}
	return n
}

type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
