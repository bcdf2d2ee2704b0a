package dds

/*
#include "endpoint.h"
*/
import "C"

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"stripswm/nodes/ros"
)

// Requests and replies are messages on two topics. As rmw_cyclonedds has it, the client's identity
// and the sequence number, by which it knows the replies that are its own, stand between the
// encapsulation header and the fields. To and from rmw_fastrtps they go beside the payload: see
// identity. Each side takes both forms, and drops what is not its own: rmw_fastrtps drops replies
// without an identity, rmw_cyclonedds all that has one.
const (
	encapsulation = 4
	callHeader    = 16
)

// addHeader returns the payload with the header in it.
func addHeader(payload []byte, client uint64, sequence int64) ([]byte, error) {
	if len(payload) < encapsulation {
		return nil, fmt.Errorf("dds: payload of %d bytes has no encapsulation header", len(payload))
	}
	out := make([]byte, 0, len(payload)+callHeader)
	out = append(out, payload[:encapsulation]...)
	order := byteOrder(payload)
	out = order.AppendUint64(out, client)
	out = order.AppendUint64(out, uint64(sequence))
	return append(out, payload[encapsulation:]...), nil
}

// cutHeader returns the payload without the header, in place.
func cutHeader(payload []byte) (rest []byte, client uint64, sequence int64, err error) {
	if len(payload) < encapsulation+callHeader {
		return nil, 0, 0, fmt.Errorf("dds: payload of %d bytes has no call header", len(payload))
	}
	order := byteOrder(payload)
	client = order.Uint64(payload[encapsulation:])
	sequence = int64(order.Uint64(payload[encapsulation+8:]))
	copy(payload[callHeader:], payload[:encapsulation])
	return payload[callHeader:], client, sequence, nil
}

type appendOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

func byteOrder(payload []byte) appendOrder {
	if payload[1]&1 == 0 {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// newID is the text by which the two topics of one client or one server are known to belong
// together.
func newID() string {
	var id [16]byte
	rand.Read(id[:])
	var b strings.Builder
	for i, v := range id {
		if i > 0 {
			b.WriteByte('.')
		}
		fmt.Fprintf(&b, "%02x", v)
	}
	return b.String()
}

// A pair is the request and the reply side of a client or a server.
type pair struct {
	node     *node
	server   bool // reads requests and writes replies; a client does the opposite
	requests *endpoint
	replies  *endpoint
}

// open makes both sides.
func (p *pair) open(service, rosType string, arrived func(received)) error {
	type side struct {
		endpoint       **endpoint
		topic, rosType string
	}
	in := side{&p.replies, replyTopic(service), rosType + "_Response"}
	out := side{&p.requests, requestTopic(service), rosType + "_Request"}
	key := "clientid"
	if p.server {
		in, out, key = out, in, "serviceid"
	}
	q := offer{QoS: ros.Calls, userData: key + "=" + newID() + ";"}
	t, name := p.node.t, p.node.name
	w, err := newWriter(t, out.topic, out.rosType, q, nil)
	if err != nil {
		return err
	}
	*out.endpoint = w
	ready := make(chan struct{}) // the pair has its reader, which what arrives is checked with
	r, err := newReader(t, in.topic, in.rosType, q, func(r received) {
		<-ready
		arrived(r)
	}, nil)
	if err != nil {
		w.Close()
		return err
	}
	*in.endpoint = r
	close(ready)
	if !t.secured {
		meet(r, w)
	}
	t.graph.addReader(name, r.guid())
	t.graph.addWriter(name, w.guid())
	return nil
}

// close ends both sides of self, which has the pair.
func (p *pair) close(self closer) error {
	p.node.forget(self)
	in, out := p.replies, p.requests
	if p.server {
		in, out = out, in
	}
	p.node.t.graph.removeReader(p.node.name, in.guid())
	p.node.t.graph.removeWriter(p.node.name, out.guid())
	return errors.Join(p.requests.Close(), p.replies.Close())
}

// NewResponder offers a service.
func (n *node) NewResponder(service, rosType string,
	arrived func(ros.Request),
) (ros.Responder, error) {
	s := &server{pair: pair{node: n, server: true}, gone: make(chan struct{})}
	err := s.open(service, rosType, func(r received) {
		if request, ours := s.request(r); ours {
			arrived(request)
		}
	})
	if err != nil {
		return nil, err
	}
	return s, n.keep(s)
}

type server struct {
	pair
	closed atomic.Bool
	gone   chan struct{}
}

// request takes a request in either form; others are not for this server.
func (s *server) request(r received) (request ros.Request, ours bool) {
	id := ros.RequestID{Writer: r.writer}
	if r.related.given() {
		id.Reader, id.Sequence = r.related.reader, int64(r.number)
		return ros.Request{ID: id, Payload: r.payload}, !s.node.t.secured
	}
	if s.foreign(r.writer) {
		return request, false
	}
	payload, client, sequence, err := cutHeader(r.payload)
	if err != nil {
		payload = nil // a request that the layer above refuses, and says so
	}
	id.Client, id.Sequence = client, sequence
	return ros.Request{ID: id, Payload: payload}, true
}

// replyPatience is how long a reply waits until the client's reply side has been found too.
const replyPatience = 2 * time.Second

// Reply answers the request. The client's request side may be found before its reply side, and a
// reply sent before that would be lost: so it waits, for a short while.
func (s *server) Reply(id ros.RequestID, payload []byte) error {
	send := func() error { return s.replies.write(payload, &identity{id.Reader, uint64(id.Sequence)}) }
	if id.Reader == (gid{}) {
		out, err := addHeader(payload, id.Client, id.Sequence)
		if err != nil {
			return err
		}
		send = func() error { return s.replies.Write(out) }
	}
	ctx, cancel := context.WithTimeout(context.Background(), replyPatience)
	defer cancel()
	for pause := 100 * time.Microsecond; ; pause = min(2*pause, 20*time.Millisecond) {
		switch s.presence(id) {
		case present:
			return send()
		case absent:
			return fmt.Errorf("dds: reply on %s: the client has gone", s.replies.topic)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("dds: reply on %s: the client's side for replies was not found in %v",
				s.replies.topic, replyPatience)
		case <-s.gone:
			return fmt.Errorf("dds: reply on %s: %w", s.replies.topic, ros.ErrClosed)
		case <-time.After(pause):
		}
	}
}

type presence int

const (
	absent presence = iota
	awaited
	present
)

// foreign says whether a request comes from another rmw than rmw_cyclonedds, which names its
// clients, though it has no identity.
func (s *server) foreign(writer uint64) bool {
	id, known := s.requests.writerKey(C.dds_instance_handle_t(writer), "clientid")
	return known && id == ""
}

// presence tells whether the replies of a client would reach it.
func (s *server) presence(id ros.RequestID) presence {
	client, known := s.requests.writerKey(C.dds_instance_handle_t(id.Writer), "clientid")
	if !known {
		return absent
	}
	for _, r := range s.replies.matchedReaders() {
		if id.Reader != (gid{}) {
			if reader, _, known := s.replies.readerGUIDs(r); known && reader == id.Reader {
				return present
			}
		} else if other, known := s.replies.readerKey(r, "clientid"); known && other == client {
			return present
		}
	}
	return awaited
}

func (s *server) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	close(s.gone)
	return s.close(s)
}

// NewCaller makes a client of a service.
func (n *node) NewCaller(service, rosType string, arrived func(ros.Reply)) (ros.Caller, error) {
	c := &client{pair: pair{node: n}}
	err := c.open(service, rosType, func(r received) {
		if reply, ours := c.reply(r); ours {
			arrived(reply)
		}
	})
	if err != nil {
		return nil, err
	}
	return c, n.keep(c)
}

type client struct {
	pair
	sending sync.Mutex
	closed  atomic.Bool
}

// identity is what the header of its requests and their replies has.
func (c *client) identity() uint64 { return uint64(c.requests.handle()) }

// reply takes a reply in either form; others are for other clients.
func (c *client) reply(r received) (reply ros.Reply, ours bool) {
	if r.related.given() {
		return ros.Reply{Sequence: int64(r.related.number), Payload: r.payload},
			r.related.reader == c.replies.guid()
	}
	payload, client, sequence, err := cutHeader(r.payload)
	return ros.Reply{Sequence: sequence, Payload: payload}, err == nil && client == c.identity()
}

// Send sends a request, in the form that the server has. Its number is that of the sample, by which
// rmw_fastrtps calls it.
func (c *client) Send(payload []byte) (int64, error) {
	c.sending.Lock()
	defer c.sending.Unlock()
	sequence := int64(c.requests.written()) + 1
	_, foreign := c.servers()
	if foreign && c.node.t.secured {
		return 0, fmt.Errorf("dds: call %s: %w", c.requests.topic, errForeign)
	}
	if foreign { // also beside one of rmw_cyclonedds: it would misread the header
		return sequence, c.requests.write(payload, &identity{reader: c.replies.guid()})
	}
	out, err := addHeader(payload, c.identity(), sequence)
	if err != nil {
		return 0, err
	}
	return sequence, c.requests.Write(out)
}

// Ready reports whether a server has been found with both of its sides.
func (c *client) Ready() bool {
	ready, foreign := c.servers()
	return ready || foreign && !c.node.t.secured
}

// Unusable is why a server that was found cannot be called, if there is no other.
func (c *client) Unusable() error {
	if ready, foreign := c.servers(); ready || !foreign || !c.node.t.secured {
		return nil
	}
	return fmt.Errorf("dds: call %s: %w", c.requests.topic, errForeign)
}

var errForeign = errors.New("the server uses another rmw, whose requests have another form, and " +
	"the enclave lets nobody change a packet: build these nodes with `make ros`, or set " +
	"RMW_IMPLEMENTATION=rmw_cyclonedds_cpp for all others")

// servers says whether a server of rmw_cyclonedds was found with both of its sides, and whether one
// of another rmw was: only rmw_cyclonedds names its servers.
func (c *client) servers() (ready, foreign bool) {
	named, others := map[string]bool{}, map[gid]bool{}
	for _, w := range c.replies.matchedWriters() {
		if id, known := c.replies.writerKey(w, "serviceid"); known && id != "" {
			named[id] = true
		} else if _, participant, known := c.replies.writerGUIDs(w); known {
			others[participant] = true
		}
	}
	for _, r := range c.requests.matchedReaders() {
		if id, known := c.requests.readerKey(r, "serviceid"); known && id != "" {
			ready = ready || named[id]
		} else if _, participant, known := c.requests.readerGUIDs(r); known {
			foreign = foreign || others[participant]
		}
	}
	return ready, foreign
}

func (c *client) Close() error {
	if c.closed.Swap(true) {
		return nil
	}
	return c.close(c)
}

// An identity is what rmw_fastrtps sends with requests and replies, where rmw_cyclonedds has a
// header: which reader the reply is for, and in a reply the number that the request had as a
// sample. Without a reader there is none.
type identity struct {
	reader gid
	number uint64
}

func identityFrom(c *C.struct_sample_identity) identity {
	return identity{*(*gid)(unsafe.Pointer(&c.guid)), uint64(c.sequence)}
}

func (i *identity) c() *C.struct_sample_identity {
	if i == nil {
		return nil
	}
	c := &C.struct_sample_identity{sequence: C.uint64_t(i.number)}
	*(*gid)(unsafe.Pointer(&c.guid)) = i.reader
	return c
}

func (i identity) given() bool { return i.reader != gid{} }

// meet makes a reader and a writer of a service ready for rmw_fastrtps.
func meet(reader, writer *endpoint) {
	g := reader.guid()
	C.identity_catch_up(reader.c._type, (*C.dds_guid_t)(unsafe.Pointer(&g)))
	C.identity_send(writer.c._type)
}

// written is the number of the last sample that a writer has written.
func (e *endpoint) written() uint64 {
	g := e.guid()
	return uint64(C.identity_last(e.c._type, (*C.dds_guid_t)(unsafe.Pointer(&g))))
}

// readerGUIDs are those of a matched reader and of its participant.
func (e *endpoint) readerGUIDs(reader C.dds_instance_handle_t) (own, participant gid, known bool) {
	return e.guids(func(own, participant *C.dds_guid_t) C.int {
		return C.reader_guids(e.c.entity, reader, own, participant)
	})
}

func (e *endpoint) writerGUIDs(writer C.dds_instance_handle_t) (own, participant gid, known bool) {
	return e.guids(func(own, participant *C.dds_guid_t) C.int {
		return C.writer_guids(e.c.entity, writer, own, participant)
	})
}

func (e *endpoint) guids(get func(own, participant *C.dds_guid_t) C.int) (own, participant gid,
	known bool,
) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.closed {
		return own, participant, false
	}
	rc := get((*C.dds_guid_t)(unsafe.Pointer(&own)), (*C.dds_guid_t)(unsafe.Pointer(&participant)))
	return own, participant, rc == 0
}
