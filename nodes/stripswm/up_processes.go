package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// stopPatience is how long nodes may take to end in order: together with the
// kill after it, all of them are gone within 2 s.
const stopPatience = 1700 * time.Millisecond

// readyLine is what a node prints on stdout when it is ready.
const readyLine = "ready"

// child is one node's process.
type child struct {
	name   string
	path   string   // of the program; empty: found by name
	params []string // NAME:=VALUE
	// arguments of a program that is no node.
	arguments []string
}

// processGroup runs processes that live and die together.
type processGroup struct {
	children []child
	log      io.Writer // one line at a time, with the child's name
	quiet    bool      // only the lines of children that end by themselves are told
	ready    func()    // called once, when every child is ready
}

// ended tells how a child ended.
type ended struct {
	name string
	err  error
}

// run starts the children and waits until ctx ends or one of them does; then it
// stops the others. It returns nil after ctx.
func (f processGroup) run(ctx context.Context) error {
	out := &lineLog{to: f.log}
	for _, c := range f.children {
		out.width = max(out.width, len(c.name))
	}
	if f.quiet {
		out.to = io.Discard
	}
	ends := make(chan ended, len(f.children))
	waiting := make(chan string, len(f.children))
	var running []*exec.Cmd
	var err error
	for _, c := range f.children {
		var cmd *exec.Cmd
		if cmd, err = c.start(out, waiting, ends); err != nil {
			err = fmt.Errorf("start %s: %w", c.name, err)
			break
		}
		running = append(running, cmd)
	}
	left := len(running)
	for unready := len(f.children); err == nil; {
		select {
		case <-ctx.Done():
			return f.stop(running, left, ends)
		case <-waiting:
			if unready--; unready == 0 {
				f.ready()
			}
		case e := <-ends:
			left--
			err = fmt.Errorf("%s ended by itself: %w", e.name,
				cmp.Or(e.err, errors.New("exit status 0")))
		}
	}
	return errors.Join(err, f.stop(running, left, ends))
}

// stop interrupts those that still run, and kills those that do not end in time.
func (f processGroup) stop(running []*exec.Cmd, left int, ends chan ended) error {
	for _, cmd := range running {
		cmd.Process.Signal(os.Interrupt) // fails for those that have ended
	}
	timer := time.NewTimer(stopPatience)
	defer timer.Stop()
	var errs []error
	for ; left > 0; left-- {
		select {
		case e := <-ends:
			if e.err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", e.name, e.err))
			}
		case <-timer.C:
			for _, cmd := range running {
				cmd.Process.Kill()
			}
			errs = append(errs, fmt.Errorf("%d node(s) did not stop within %v and were killed", left,
				stopPatience))
			for ; left > 0; left-- {
				<-ends
			}
			return errors.Join(errs...)
		}
	}
	return errors.Join(errs...)
}

// start runs the child in a process group of its own, so that ^C reaches it once,
// from here; it is told to end if this program is killed.
func (c child) start(out *lineLog, ready chan<- string, ends chan<- ended) (*exec.Cmd, error) {
	path := c.path
	if path == "" {
		var err error
		if path, err = executable(c.name); err != nil {
			return nil, err
		}
	}
	arguments := slices.Clone(c.arguments)
	if len(c.params) > 0 {
		arguments = append(arguments, "--ros-args")
	}
	for _, p := range c.params {
		arguments = append(arguments, "-p", p)
	}
	cmd := exec.Command(path, arguments...)
	cmd.Env = localEnv(os.Environ())
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	started := make(chan error)
	go func() {
		// Pdeathsig watches the thread that started the child: it must outlive it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		var pipes sync.WaitGroup
		pipes.Go(func() { out.copy(c.name, stderr, nil) })
		pipes.Go(func() { out.copy(c.name, stdout, func() { ready <- c.name }) })
		pipes.Wait()
		ends <- ended{c.name, cmd.Wait()}
	}()
	return cmd, <-started
}

// lineLog joins the lines of several processes.
type lineLog struct {
	mu    sync.Mutex
	to    io.Writer
	width int
}

// copy writes each line with a name before it, and calls ready at the first line that says so.
func (l *lineLog) copy(name string, from io.Reader, ready func()) {
	r := bufio.NewReader(from)
	for {
		line, err := r.ReadString('\n')
		if ready != nil && line == readyLine+"\n" {
			ready()
			ready = nil
		}
		if line != "" {
			if line[len(line)-1] != '\n' {
				line += "\n"
			}
			l.mu.Lock()
			fmt.Fprintf(l.to, "%-*s | %s", l.width, name, line)
			l.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// discoveryVariables say how far ROS 2 nodes look for each other.
var discoveryVariables = []string{"ROS_AUTOMATIC_DISCOVERY_RANGE", "ROS_LOCALHOST_ONLY",
	"CYCLONEDDS_URI"}

// localEnv keeps nodes on this machine, unless the environment says how far they are to look.
func localEnv(env []string) []string {
	for _, assignment := range env {
		name, value, _ := strings.Cut(assignment, "=")
		for _, v := range discoveryVariables {
			if name == v && value != "" {
				return env
			}
		}
	}
	return append(env, "ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST")
}

// stayLocal does to this process what localEnv does to children.
func stayLocal() error {
	if env := localEnv(os.Environ()); len(env) > len(os.Environ()) {
		return os.Setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
	}
	return nil
}
