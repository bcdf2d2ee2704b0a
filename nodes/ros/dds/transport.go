package dds

/*
#include "endpoint.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"sync"
	"time"
	"unsafe"

	"stripswm/nodes/ros"
)

// A Transport is one participant of a DDS domain.
type Transport struct {
	domain      *domain
	participant C.dds_entity_t
	loop        *loop
	graph       *graph
	room        []byte
	secured     bool         // it is in an enclave
	distro      distribution // that ROS_DISTRO names

	mu     sync.Mutex
	nodes  map[*node]bool
	closed bool
}

// roomForGarbage is memory that is never touched, and so takes none, but that the collector counts
// as in use: it then waits until about as much of garbage has come together. Each raw image is a
// megabyte of it; without the room the collector would run at every fourth image, and take as much
// time as all else in receiving one.
const roomForGarbage = 32 << 20

// Open joins the domain. Warn, if not nil, is told of what will make messages get lost on this
// machine, or be heard from elsewhere, and of settings that have no effect.
func Open(c Config, warn func(string)) (*Transport, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("dds: %w", err)
	}
	for _, w := range []string{bufferWarning(), c.Unprotected, c.unheeded()} {
		if w != "" && warn != nil {
			warn(w)
		}
	}
	d, err := openDomain(c, warn)
	if err != nil {
		return nil, err
	}
	t := &Transport{domain: d, secured: c.Keys != "", distro: distributionOf(c.Distro),
		nodes: map[*node]bool{}, room: make([]byte, roomForGarbage)}
	if err := t.join(c, warn); err != nil {
		d.close()
		return nil, err
	}
	return t, nil
}

func (t *Transport) join(c Config, warn func(string)) error {
	var err error
	if t.participant, err = newParticipant(c.Domain, enclaveName(c.Enclave), c.Keys); err != nil {
		return err
	}
	if t.loop, err = newLoop(t.participant); err != nil {
		C.dds_delete(t.participant)
		return err
	}
	if t.graph, err = newGraph(t, c.Distro); err != nil {
		t.loop.close()
		C.dds_delete(t.participant)
	}
	return err
}

func (t *Transport) guid() (g [16]byte) {
	C.dds_get_guid(t.participant, (*C.dds_guid_t)(unsafe.Pointer(&g)))
	return g
}

// Nodes lists the nodes in the domain.
func (t *Transport) Nodes() []ros.NodeName { return t.graph.nodes() }

// Close leaves the domain.
func (t *Transport) Close() error {
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return nil
	}
	t.closed = true
	nodes := t.nodes
	t.nodes = nil
	t.mu.Unlock()

	var errs []error
	for n := range nodes {
		errs = append(errs, n.Close())
	}
	t.loop.close()
	t.graph.close()
	C.dds_delete(t.participant)
	t.domain.close()
	t.room = nil
	return errors.Join(errs...)
}

// AddNode makes a node known in the graph.
func (t *Transport) AddNode(name ros.NodeName) (ros.Endpoints, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, fmt.Errorf("dds: add node %s: %w", name, ros.ErrClosed)
	}
	n := &node{t: t, name: name, open: map[closer]bool{}}
	t.nodes[n] = true
	t.graph.addNode(name)
	return n, nil
}

type closer interface{ Close() error }

// A node is the endpoints made in one node's name.
type node struct {
	t    *Transport
	name ros.NodeName

	mu     sync.Mutex
	open   map[closer]bool
	closed bool
}

// keep notes what is to be closed with the node.
func (n *node) keep(c closer) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		c.Close()
		return fmt.Errorf("dds: node %s: %w", n.name, ros.ErrClosed)
	}
	n.open[c] = true
	return nil
}

func (n *node) forget(c closer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.open, c)
}

// Close ends the node's endpoints and takes it out of the graph.
func (n *node) Close() error {
	n.mu.Lock()
	if n.closed {
		n.mu.Unlock()
		return nil
	}
	n.closed = true
	open := n.open
	n.open = nil
	n.mu.Unlock()

	var errs []error
	for c := range open {
		errs = append(errs, c.Close())
	}
	n.t.mu.Lock()
	delete(n.t.nodes, n)
	n.t.mu.Unlock()
	n.t.graph.removeNode(n.name)
	return errors.Join(errs...)
}

// NewWriter offers a topic.
func (n *node) NewWriter(topic, rosType string, q ros.QoS,
	refused func(ros.Mismatch),
) (ros.Writer, error) {
	e, err := newWriter(n.t.participant, n.t.loop, topicName(topic), typeName(rosType),
		offer{QoS: q, userData: n.t.distro.typeUserData(rosType)}, refused)
	if err != nil {
		return nil, err
	}
	n.t.graph.addWriter(n.name, e.guid())
	w := &writer{endpoint: e, node: n}
	if err := n.keep(w); err != nil {
		return nil, err
	}
	return w, nil
}

type writer struct {
	*endpoint
	node *node
}

func (w *writer) Matched() int { return len(w.matchedReaders()) }

func (w *writer) Close() error {
	w.node.forget(w)
	w.node.t.graph.removeWriter(w.node.name, w.guid())
	return w.endpoint.Close()
}

// NewReader subscribes to a topic.
func (n *node) NewReader(topic, rosType string, q ros.QoS, arrived func(ros.Sample),
	refused func(ros.Mismatch),
) (ros.Reader, error) {
	e, err := newReader(n.t.participant, n.t.loop, topicName(topic), typeName(rosType),
		offer{QoS: q, userData: n.t.distro.typeUserData(rosType)}, func(r received) {
			arrived(ros.Sample{Payload: r.payload, Sent: r.sent, Received: time.Now(),
				Writer: r.writer, Number: r.number})
		}, refused)
	if err != nil {
		return nil, err
	}
	n.t.graph.addReader(n.name, e.guid())
	r := &reader{endpoint: e, node: n}
	if err := n.keep(r); err != nil {
		return nil, err
	}
	return r, nil
}

type reader struct {
	*endpoint
	node *node
}

func (r *reader) Matched() int { return len(r.matchedWriters()) }

func (r *reader) Close() error {
	r.node.forget(r)
	r.node.t.graph.removeReader(r.node.name, r.guid())
	return r.endpoint.Close()
}
