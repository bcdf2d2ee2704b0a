package ros

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"stripswm/msgs"
)

// A Node is one participant of the ROS graph: a name, parameters, a clock, a log, and the endpoints
// made with it.
type Node struct {
	name      NodeName
	args      Args
	endpoints Endpoints
	log       *slog.Logger
	rosout    *rosout
	params    *paramSet
	clock     *Clock

	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup
	once   sync.Once
}

// Options are what a program decides about a node. The zero Options are ready to use.
type Options struct {
	Namespace string    // until a __ns rule replaces it; "" is "/"
	Log       io.Writer // where the log is printed; nil is standard error
}

// NewNode makes a node of that name, unless the arguments rename it. It has the parameter
// use_sim_time, the parameter services and /rosout from the start, and warns when another node has
// its name. It lives until Close.
func NewNode(t Transport, name string, args Args, o Options) (*Node, error) {
	full := NodeName{Namespace: "/", Name: name}
	if o.Namespace != "" {
		full.Namespace = o.Namespace
	}
	full = args.rename(full)
	if err := checkNodeName(full); err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = os.Stderr
	}
	endpoints, err := t.AddNode(full)
	if err != nil {
		return nil, fmt.Errorf("node %s: %w", full, err)
	}
	n := &Node{name: full, args: args, endpoints: endpoints}
	n.ctx, n.cancel = context.WithCancel(context.Background())
	n.clock = newClock()
	n.rosout = newRosout(n, o.Log)
	n.log = slog.New(n.rosout.handler())
	n.params = newParamSet(n)
	if err := n.equip(); err != nil {
		return nil, errors.Join(fmt.Errorf("node %s: %w", full, err), n.Close())
	}
	n.start(func(ctx context.Context) { n.watchNamesakes(ctx, t) })
	return n, nil
}

// equip gives the node what every ROS node has.
func (n *Node) equip() error {
	if err := n.rosout.advertise(); err != nil {
		return err
	}
	if err := n.params.serve(); err != nil {
		return err
	}
	_, err := Declare(n, "use_sim_time", false, Describe[bool]{
		Text:   "take the time from /clock",
		Accept: n.useSimTime,
	})
	return err
}

// Name is the node's name, after renaming.
func (n *Node) Name() NodeName { return n.name }

// Log prints to standard error and publishes on /rosout.
func (n *Node) Log() *slog.Logger { return n.log }

// WarnOf logs an error, unless it is nil or the node ends.
func (n *Node) WarnOf(what string, err error) {
	if err != nil && n.ctx.Err() == nil {
		n.log.Warn(what, "error", err)
	}
}

// Diagnose publishes a status on /diagnostics once a second, of the part of the node with that
// name. tell fills it in: the level is OK before.
func (n *Node) Diagnose(part string, tell func(now time.Time, s *msgs.DiagnosticStatus)) error {
	p, err := Advertise[*msgs.DiagnosticArray](n, "/diagnostics", Default)
	if err != nil {
		return err
	}
	n.Every(n.ctx, time.Second, func(now time.Time) {
		s := msgs.DiagnosticStatus{Name: n.name.String() + ": " + part, HardwareID: "none"}
		tell(now, &s)
		n.WarnOf("not published: diagnostics", p.Publish(&msgs.DiagnosticArray{
			Header: msgs.Header{Stamp: msgs.TimeFrom(now)}, Status: []msgs.DiagnosticStatus{s}}))
	})
	return nil
}

// Clock is the time that the node lives in.
func (n *Node) Clock() *Clock { return n.clock }

// Received is when a message was received, by the node's clock.
func (n *Node) Received(i Info) time.Time {
	if n.clock.Simulated() {
		return n.clock.Now()
	}
	return i.Received
}

// Context ends when the node is closed.
func (n *Node) Context() context.Context { return n.ctx }

// Resolve returns the absolute name that a topic or service has for the node, with remap rules
// applied.
func (n *Node) Resolve(name string) (string, error) { return resolve(name, n.name, n.args.remaps) }

// Close ends the node: its endpoints, and the handlers that run, whose contexts end and which it
// waits for. So a handler must not call it.
func (n *Node) Close() error {
	var err error
	n.once.Do(func() {
		n.cancel()
		err = n.endpoints.Close()
		n.work.Wait()
	})
	return err
}

// start runs f in a goroutine that Close waits for.
func (n *Node) start(f func(context.Context)) {
	n.work.Add(1)
	go func() {
		defer n.work.Done()
		f(n.ctx)
	}()
}

// pollPeriod is how often conditions are looked at that the transport does not announce.
const pollPeriod = 2 * time.Millisecond

// faultPatience is how long something may stand in the way: what does not may be found after it.
const faultPatience = time.Second

// waitFor waits until it holds, or until fault, if not nil, has told of a fault for a while.
func waitFor(ctx context.Context, what string, holds func() bool, fault func() error) error {
	if holds() {
		return nil
	}
	tick := time.NewTicker(pollPeriod)
	defer tick.Stop()
	var since time.Time // when the fault was seen first
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", what, context.Cause(ctx))
		case <-tick.C:
			if holds() {
				return nil
			}
		}
		if fault == nil {
			continue
		}
		switch err := fault(); {
		case err == nil:
			since = time.Time{}
		case since.IsZero():
			since = time.Now()
		case time.Since(since) > faultPatience:
			return fmt.Errorf("wait for %s: %w", what, err)
		}
	}
}

// namesakeEvery is how often a node looks whether another has its name.
const namesakeEvery = time.Second

// watchNamesakes warns while another node of the domain has this one's name, as where a second
// system was started beside the first: whoever calls a service or sets a parameter by that name
// then reaches either.
func (n *Node) watchNamesakes(ctx context.Context, t Transport) {
	ticker := time.NewTicker(namesakeEvery)
	defer ticker.Stop()
	known := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		others := -1
		for _, name := range t.Nodes() {
			if name == n.name {
				others++
			}
		}
		if ctx.Err() != nil { // it is about to leave, or has left
			return
		}
		switch {
		case others > known:
			n.log.Warn(
				"another node of this domain has the same name (a killed one for some seconds more); rename "+
					"one with -r __ns:=/other, or give it another ROS_DOMAIN_ID", "name", n.name, "others", others)
		case others <= 0 && known > 0:
			n.log.Info("no other node has the same name any more", "name", n.name)
		}
		known = max(0, others)
	}
}

// levelFatal is above slog's levels, as ROS's FATAL is above ERROR: no node logs at it.
const levelFatal = slog.LevelError + 4

// rosout is where a node's log goes: lines in ROS's form to a writer, and messages to /rosout.
type rosout struct {
	node  *Node
	name  string // the logger's: the node's name with dots
	level slog.Level

	mu        sync.Mutex
	out       io.Writer
	publisher atomic.Pointer[Publisher[*msgs.Log]]
}

func newRosout(n *Node, out io.Writer) *rosout {
	r := &rosout{node: n, out: out, name: strings.ReplaceAll(strings.TrimPrefix(n.name.String(), "/"),
		"/", ".")}
	if n.args.level != nil {
		r.level = *n.args.level
	}
	return r
}

func (r *rosout) advertise() error {
	p, err := Advertise[*msgs.Log](r.node, "/rosout", Rosout)
	r.publisher.Store(p)
	return err
}

func (r *rosout) handler() slog.Handler { return logHandler{rosout: r} }

// A logHandler is rosout with attributes that go before a record's own.
type logHandler struct {
	rosout *rosout
	attrs  string
	group  string
}

func (h logHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.rosout.level }

func (h logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	for _, a := range attrs {
		h.attrs += h.text(a)
	}
	return h
}

func (h logHandler) WithGroup(name string) slog.Handler {
	h.group += name + "."
	return h
}

func (h logHandler) text(a slog.Attr) string {
	v := a.Value.Resolve().String()
	if v == "" || strings.ContainsAny(v, " \t\n\"=") {
		v = fmt.Sprintf("%q", v)
	}
	return " " + h.group + a.Key + "=" + v
}

func (h logHandler) Handle(_ context.Context, rec slog.Record) error {
	text := rec.Message + h.attrs
	rec.Attrs(func(a slog.Attr) bool {
		text += h.text(a)
		return true
	})
	return h.rosout.write(rec, text)
}

func (r *rosout) write(rec slog.Record, text string) error {
	word, level := rosLevel(rec.Level)
	r.mu.Lock()
	_, err := fmt.Fprintf(r.out, "[%s] [%d.%09d] [%s]: %s\n", word, rec.Time.Unix(),
		rec.Time.Nanosecond(), r.name, text)
	r.mu.Unlock()

	p := r.publisher.Load()
	if p == nil || r.node.ctx.Err() != nil {
		return err
	}
	m := &msgs.Log{Stamp: msgs.TimeFrom(r.node.clock.Now()), Level: level, Name: r.name, Msg: text}
	if frame, _ := runtime.CallersFrames([]uintptr{rec.PC}).Next(); rec.PC != 0 {
		m.File, m.Function, m.Line = frame.File, frame.Function, uint32(frame.Line)
	}
	return p.Publish(m)
}

func rosLevel(l slog.Level) (word string, level uint8) {
	switch {
	case l < slog.LevelInfo:
		return "DEBUG", msgs.LogDebug
	case l < slog.LevelWarn:
		return "INFO", msgs.LogInfo
	case l < slog.LevelError:
		return "WARN", msgs.LogWarn
	}
	return "ERROR", msgs.LogError
}
