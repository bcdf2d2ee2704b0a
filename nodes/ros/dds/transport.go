package dds

/*
#cgo pkg-config: CycloneDDS
#cgo CFLAGS: -std=gnu11 -Wall -Wextra -O2
#include <stdlib.h>
#include "endpoint.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"sync"
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

// keep notes what is to be closed with the node, unless it could not be made.
func (n *node) keep(c closer, err error) error {
	if err != nil {
		return err
	}
	n.mu.Lock()
	closed := n.closed
	if !closed {
		n.open[c] = true
	}
	n.mu.Unlock()
	if closed {
		c.Close() // which forgets it
		return fmt.Errorf("dds: node %s: %w", n.name, ros.ErrClosed)
	}
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

// The library has each domain once in a process; transports share it. The configuration of the
// first one holds.
var domains = struct {
	sync.Mutex
	open map[int]*domain
}{open: map[int]*domain{}}

type domain struct {
	id     int
	entity C.dds_entity_t
	users  int
}

func openDomain(c Config, warn func(string)) (*domain, error) {
	domains.Lock()
	defer domains.Unlock()
	if d := domains.open[c.Domain]; d != nil {
		d.users++
		return d, nil
	}
	xml := C.CString(c.xml())
	defer C.free(unsafe.Pointer(xml))
	d := &domain{id: c.Domain, users: 1}
	d.entity = C.dds_create_domain(C.dds_domainid_t(c.Domain), xml)
	if d.entity < 0 {
		return nil,
			failed(fmt.Sprintf("open domain %d (is CYCLONEDDS_URI right, does the interface exist?)",
				c.Domain), d.entity)
	}
	domains.open[c.Domain] = d
	if c.loopbackAlone() {
		if err := bindToLoopback(c.Domain); err != nil && warn != nil {
			warn(
				fmt.Sprintf(
					"the sockets of domain %d hear the network too, though only this machine is meant (close "+
						"UDP ports %d to %d): %v",
					c.Domain, firstPort+portsPerDomain*c.Domain, firstPort+portsPerDomain*(c.Domain+1)-1, err))
		}
	}
	return d, nil
}

func (d *domain) close() {
	domains.Lock()
	defer domains.Unlock()
	d.users--
	if d.users > 0 {
		return
	}
	delete(domains.open, d.id)
	C.dds_delete(d.entity)
}

// A loop is the one goroutine that waits for everything: samples, and endpoints that do not fit. It
// calls the function that belongs to what happened.
type loop struct {
	waitset, stop C.dds_entity_t
	done          chan struct{}

	mu       sync.Mutex
	last     C.dds_attach_t
	handlers map[C.dds_attach_t]func()
}

// stopID is the attachment of the guard condition that ends the loop.
const stopID C.dds_attach_t = 0

func newLoop(participant C.dds_entity_t) (*loop, error) {
	l := &loop{done: make(chan struct{}), handlers: map[C.dds_attach_t]func(){}}
	l.waitset = C.dds_create_waitset(participant)
	if l.waitset < 0 {
		return nil, failed("make a waitset", l.waitset)
	}
	l.stop = C.dds_create_guardcondition(participant)
	if l.stop < 0 {
		return nil, failed("make a guard condition", l.stop)
	}
	if rc := C.dds_waitset_attach(l.waitset, l.stop, stopID); rc < 0 {
		return nil, failed("attach the guard condition", rc)
	}
	go l.run()
	return l, nil
}

func (l *loop) run() {
	defer close(l.done)
	var triggered [32]C.dds_attach_t
	for {
		n := C.dds_waitset_wait(l.waitset, &triggered[0], C.size_t(len(triggered)), C.INT64_MAX)
		if n < 0 {
			return
		}
		for _, id := range triggered[:min(int(n), len(triggered))] {
			if id == stopID {
				return
			}
			l.mu.Lock()
			handle := l.handlers[id]
			l.mu.Unlock()
			if handle != nil {
				handle()
			}
		}
	}
}

// add has handle called, until remove, whenever the entity is triggered.
func (l *loop) add(entity C.dds_entity_t, handle func()) (C.dds_attach_t, error) {
	l.mu.Lock()
	l.last++
	id := l.last
	l.handlers[id] = handle
	l.mu.Unlock()
	if rc := C.dds_waitset_attach(l.waitset, entity, id); rc < 0 {
		l.forget(id)
		return 0, failed("attach to the waitset", rc)
	}
	return id, nil
}

func (l *loop) remove(entity C.dds_entity_t, id C.dds_attach_t) {
	C.dds_waitset_detach(l.waitset, entity)
	l.forget(id)
}

func (l *loop) forget(id C.dds_attach_t) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.handlers, id)
}

// close returns when the goroutine has ended.
func (l *loop) close() {
	C.dds_set_guardcondition(l.stop, true)
	<-l.done
}

// failed is the error of a call that returned a negative code.
func failed(what string, code C.int) error {
	return fmt.Errorf("dds: %s: %s", what, C.GoString(C.dds_strretcode(-code)))
}
