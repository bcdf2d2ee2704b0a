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
	"sync/atomic"
	"syscall"
	"time"

	"github.com/sourcegraph/conc/pool"
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

// run starts the children and waits until ctx ends or one of them does; then it
// stops the others. It returns nil after ctx.
func (f processGroup) run(ctx context.Context) error {
	out := &lineLog{to: f.log}
	if f.quiet {
		out.to = io.Discard
	}
	for _, c := range f.children {
		out.width = max(out.width, len(c.name))
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var waiting atomic.Int64
	waiting.Store(int64(len(f.children)))
	group := pool.New().WithErrors()
	for _, c := range f.children {
		group.Go(func() error {
			defer stop()
			return c.run(ctx, out, func() {
				if waiting.Add(-1) == 0 {
					f.ready()
				}
			})
		})
	}
	return group.Wait()
}

// run runs the child in a process group of its own, so that ^C reaches it once, from here. After
// ctx it is interrupted, and killed if that does not end it in time; it is told to end if this
// program is killed.
func (c child) run(ctx context.Context, out *lineLog, ready func()) error {
	path := c.path
	if path == "" {
		var err error
		if path, err = executable(c.name); err != nil {
			return fmt.Errorf("start %s: %w", c.name, err)
		}
	}
	arguments := slices.Clone(c.arguments)
	if len(c.params) > 0 {
		arguments = append(arguments, "--ros-args")
	}
	for _, p := range c.params {
		arguments = append(arguments, "-p", p)
	}
	cmd := exec.CommandContext(ctx, path, arguments...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = stopPatience
	cmd.Env = localEnv(os.Environ())
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	// Pdeathsig watches the thread that started the child: it must outlive it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); ctx.Err() != nil && err != nil {
		return nil // stopped before it began
	} else if err != nil {
		return fmt.Errorf("start %s: %w", c.name, err)
	}
	var pipes sync.WaitGroup
	pipes.Go(func() { out.copy(c.name, stderr, nil) })
	pipes.Go(func() { out.copy(c.name, stdout, ready) })
	pipes.Wait()
	err = cmd.Wait()
	switch {
	case ctx.Err() == nil:
		return fmt.Errorf("%s ended by itself: %w", c.name, cmp.Or(err, errors.New("exit status 0")))
	case cmd.ProcessState.Success():
		return nil
	}
	return fmt.Errorf("%s did not stop in order within %v: %w", c.name, stopPatience, err)
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
