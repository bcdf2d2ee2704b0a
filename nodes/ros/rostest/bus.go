package rostest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"stripswm/nodes/ros"
)

// A Bus is one domain.
type Bus struct {
	mu       sync.Mutex
	writers  []*writer
	readers  []*reader
	services []*responder
	callers  []*caller
	nodes    []ros.NodeName
	clients  uint64
	now      time.Time // of receipt; zero is the machine's
}

// NewBus makes an empty domain.
func NewBus() *Bus { return &Bus{} }

// At sets when messages are received from now on.
func (b *Bus) At(t time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = t
}

// Join makes a transport in the domain.
func (b *Bus) Join() ros.Transport { return &transport{bus: b} }

type transport struct {
	bus    *Bus
	mu     sync.Mutex
	nodes  []*node
	closed bool
}

func (t *transport) AddNode(name ros.NodeName) (ros.Endpoints, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, fmt.Errorf("rostest: add node %s: %w", name, ros.ErrClosed)
	}
	n := &node{bus: t.bus, name: name}
	t.nodes = append(t.nodes, n)
	t.bus.mu.Lock()
	defer t.bus.mu.Unlock()
	t.bus.nodes = append(t.bus.nodes, name)
	return n, nil
}

func (t *transport) Nodes() []ros.NodeName {
	t.bus.mu.Lock()
	defer t.bus.mu.Unlock()
	names := slices.Clone(t.bus.nodes)
	slices.SortFunc(names, func(a, b ros.NodeName) int { return cmp.Compare(a.String(), b.String()) })
	return names
}

func (t *transport) Close() error {
	t.mu.Lock()
	nodes := t.nodes
	t.nodes, t.closed = nil, true
	t.mu.Unlock()
	var errs []error
	for _, n := range nodes {
		errs = append(errs, n.Close())
	}
	return errors.Join(errs...)
}

// A node closes its endpoints with itself.
type node struct {
	bus    *Bus
	name   ros.NodeName
	mu     sync.Mutex
	open   []interface{ Close() error }
	closed bool
}

func (n *node) Close() error {
	n.mu.Lock()
	open, closed := n.open, n.closed
	n.open, n.closed = nil, true
	n.mu.Unlock()
	if closed {
		return nil
	}
	for _, c := range open {
		c.Close()
	}
	n.bus.mu.Lock()
	defer n.bus.mu.Unlock()
	if i := slices.Index(n.bus.nodes, n.name); i >= 0 {
		n.bus.nodes = slices.Delete(n.bus.nodes, i, i+1)
	}
	return nil
}

// enter adds an end of a node to the domain, unless the node is closed. It returns with the bus's
// lock held.
func enter[E interface{ Close() error }](n *node, list *[]E, e E) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.bus.mu.Lock()
	if n.closed {
		return fmt.Errorf("rostest: node %s: %w", n.name, ros.ErrClosed)
	}
	n.open = append(n.open, e)
	*list = append(*list, e)
	return nil
}

// leave takes an end out of the domain.
func leave[E comparable](b *Bus, list *[]E, e E) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	*list = slices.DeleteFunc(*list, func(o E) bool { return o == e })
	return nil
}

// An end is what writers and readers have in common.
type end struct {
	bus     *Bus
	topic   string
	rosType string
	qos     ros.QoS
	refused func(ros.Mismatch)
}

type writer struct {
	end
	kept []ros.Sample // for late readers
}

type reader struct {
	end
	arrived func(ros.Sample)
}

// fits says whether messages of a writer reach a reader, or which policy of two on one topic keeps
// them from it.
func fits(w *writer, r *reader) (ok bool, policy string) {
	switch {
	case w.topic != r.topic || w.rosType != r.rosType:
		return false, ""
	case w.qos.BestEffort && !r.qos.BestEffort:
		return false, "reliability"
	case !w.qos.TransientLocal && r.qos.TransientLocal:
		return false, "durability"
	}
	return true, ""
}

// meet is fits for two that see each other first: they are told what keeps them apart, as by the
// transports.
func meet(w *writer, r *reader) bool {
	ok, policy := fits(w, r)
	for _, refused := range []func(ros.Mismatch){w.refused, r.refused} {
		if policy != "" && refused != nil {
			go refused(ros.Mismatch{Policy: policy})
		}
	}
	return ok
}

func (n *node) NewWriter(topic, rosType string, q ros.QoS,
	refused func(ros.Mismatch),
) (ros.Writer, error) {
	w := &writer{end: end{n.bus, topic, rosType, q, refused}}
	err := enter(n, &n.bus.writers, w)
	defer n.bus.mu.Unlock()
	for _, r := range n.bus.readers {
		if err == nil {
			meet(w, r)
		}
	}
	return w, err
}

func (n *node) NewReader(topic, rosType string, q ros.QoS, arrived func(ros.Sample),
	refused func(ros.Mismatch),
) (ros.Reader, error) {
	r := &reader{end: end{n.bus, topic, rosType, q, refused}, arrived: arrived}
	err := enter(n, &n.bus.readers, r)
	defer n.bus.mu.Unlock()
	for _, w := range n.bus.writers {
		if err == nil && meet(w, r) && q.TransientLocal {
			for _, s := range w.kept {
				arrived(copied(s))
			}
		}
	}
	return r, err
}

func copied(s ros.Sample) ros.Sample {
	s.Payload = bytes.Clone(s.Payload)
	return s
}

func (w *writer) Write(payload []byte) error {
	w.bus.mu.Lock()
	defer w.bus.mu.Unlock()
	if !slices.Contains(w.bus.writers, w) {
		return fmt.Errorf("rostest: publish %s: %w", w.topic, ros.ErrClosed)
	}
	now := w.bus.now
	if now.IsZero() {
		now = time.Now()
	}
	s := copied(ros.Sample{Payload: payload, Sent: now, Received: now})
	if w.qos.TransientLocal {
		w.kept = append(w.kept, s)
		if !w.qos.KeepAll && len(w.kept) > w.qos.Depth {
			w.kept = slices.Delete(w.kept, 0, 1)
		}
	}
	for _, r := range w.bus.readers {
		if ok, _ := fits(w, r); ok {
			r.arrived(copied(s))
		}
	}
	return nil
}

func (w *writer) Matched() (count int) {
	w.bus.mu.Lock()
	defer w.bus.mu.Unlock()
	for _, r := range w.bus.readers {
		if ok, _ := fits(w, r); ok {
			count++
		}
	}
	return count
}

func (r *reader) Matched() (count int) {
	r.bus.mu.Lock()
	defer r.bus.mu.Unlock()
	for _, w := range r.bus.writers {
		if ok, _ := fits(w, r); ok {
			count++
		}
	}
	return count
}

func (w *writer) Close() error    { return leave(w.bus, &w.bus.writers, w) }
func (r *reader) Close() error    { return leave(r.bus, &r.bus.readers, r) }
func (r *responder) Close() error { return leave(r.bus, &r.bus.services, r) }
func (c *caller) Close() error    { return leave(c.bus, &c.bus.callers, c) }

type responder struct {
	bus              *Bus
	service, rosType string
	arrived          func(ros.Request)
}

type caller struct {
	bus              *Bus
	service, rosType string
	arrived          func(ros.Reply)
	id               uint64
	sequence         int64
}

func (n *node) NewResponder(service, rosType string,
	arrived func(ros.Request),
) (ros.Responder, error) {
	r := &responder{n.bus, service, rosType, arrived}
	err := enter(n, &n.bus.services, r)
	defer n.bus.mu.Unlock()
	return r, err
}

func (n *node) NewCaller(service, rosType string, arrived func(ros.Reply)) (ros.Caller, error) {
	c := &caller{bus: n.bus, service: service, rosType: rosType, arrived: arrived}
	err := enter(n, &n.bus.callers, c)
	defer n.bus.mu.Unlock()
	n.bus.clients++
	c.id = n.bus.clients
	return c, err
}

func (c *caller) server() *responder {
	for _, r := range c.bus.services {
		if r.service == c.service && r.rosType == c.rosType {
			return r
		}
	}
	return nil
}

func (c *caller) Ready() bool {
	c.bus.mu.Lock()
	defer c.bus.mu.Unlock()
	return c.server() != nil
}

// Unusable is nil: there is one kind of server.
func (c *caller) Unusable() error { return nil }

func (c *caller) Send(payload []byte) (int64, error) {
	c.bus.mu.Lock()
	defer c.bus.mu.Unlock()
	if !slices.Contains(c.bus.callers, c) {
		return 0, fmt.Errorf("rostest: call %s: %w", c.service, ros.ErrClosed)
	}
	c.sequence++
	if r := c.server(); r != nil {
		r.arrived(ros.Request{ID: ros.RequestID{Client: c.id, Sequence: c.sequence},
			Payload: bytes.Clone(payload)})
	}
	return c.sequence, nil
}

// Reply finds the client under the bus's lock and tells it without: the client may be sending, with
// its own lock held.
func (r *responder) Reply(id ros.RequestID, payload []byte) error {
	r.bus.mu.Lock()
	i := slices.IndexFunc(r.bus.callers, func(c *caller) bool { return c.id == id.Client })
	var c *caller
	if i >= 0 {
		c = r.bus.callers[i]
	}
	r.bus.mu.Unlock()
	if c == nil {
		return fmt.Errorf("rostest: reply on %s: the client has gone", r.service)
	}
	c.arrived(ros.Reply{Sequence: id.Sequence, Payload: bytes.Clone(payload)})
	return nil
}

// Log collects what nodes and programs say, and can be read while they go on.
type Log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write appends.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String is all that was said so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Has says whether a text was said.
func (l *Log) Has(text string) bool { return strings.Contains(l.String(), text) }
