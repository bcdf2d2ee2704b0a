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
	requests *endpoint
	replies  *endpoint
	once     sync.Once
	gone     chan struct{} // closed with it
}

// newPair makes both sides. A server reads requests and writes replies; a client does the opposite.
// What arrives is given to the pair when it is complete.
func (n *node) newPair(service, rosType string, server bool,
	arrived func(*pair, received),
) (*pair, error) {
	p := &pair{node: n, gone: make(chan struct{})}
	type side struct {
		endpoint       **endpoint
		topic, rosType string
	}
	in := side{&p.replies, replyTopic(service), rosType + "_Response"}
	out := side{&p.requests, requestTopic(service), rosType + "_Request"}
	key := "clientid"
	if server {
		in, out, key = out, in, "serviceid"
	}
	q := offer{QoS: ros.Calls, userData: key + "=" + newID() + ";"}
	w, err := n.t.newEndpoint(n, out.topic, out.rosType, q, nil, nil)
	if err != nil {
		return nil, err
	}
	ready := make(chan struct{}) // the pair has its reader, which what arrives is checked with
	r, err := n.t.newEndpoint(n, in.topic, in.rosType, q, func(r received) {
		<-ready
		arrived(p, r)
	}, nil)
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	*in.endpoint, *out.endpoint = r, w
	close(ready)
	if !n.t.secured {
		meet(r, w)
	}
	return p, n.keep(p, nil)
}

// Close ends both sides.
func (p *pair) Close() error {
	p.once.Do(func() { close(p.gone) })
	p.node.forget(p)
	return errors.Join(p.requests.Close(), p.replies.Close())
}

// NewResponder offers a service.
func (n *node) NewResponder(service, rosType string,
	arrived func(ros.Request),
) (ros.Responder, error) {
	p, err := n.newPair(service, rosType, true, func(p *pair, r received) {
		if request, ours := (&server{p}).request(r); ours {
			arrived(request)
		}
	})
	return &server{p}, err
}

type server struct{ *pair }

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
	m, known := s.requests.match(C.dds_instance_handle_t(writer))
	return known && m.key("clientid") == ""
}

// presence tells whether the replies of a client would reach it.
func (s *server) presence(id ros.RequestID) presence {
	client, known := s.requests.match(C.dds_instance_handle_t(id.Writer))
	if !known {
		return absent
	}
	for _, m := range s.replies.matches() {
		if id.Reader != (gid{}) {
			if m.guid == id.Reader {
				return present
			}
		} else if m.key("clientid") == client.key("clientid") {
			return present
		}
	}
	return awaited
}

// NewCaller makes a client of a service.
func (n *node) NewCaller(service, rosType string, arrived func(ros.Reply)) (ros.Caller, error) {
	p, err := n.newPair(service, rosType, false, func(p *pair, r received) {
		if reply, ours := (&client{pair: p}).reply(r); ours {
			arrived(reply)
		}
	})
	return &client{pair: p}, err
}

type client struct {
	*pair
	sending sync.Mutex
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
	for _, m := range c.replies.matches() {
		if id := m.key("serviceid"); id != "" {
			named[id] = true
		} else {
			others[m.participant] = true
		}
	}
	for _, m := range c.requests.matches() {
		if id := m.key("serviceid"); id != "" {
			ready = ready || named[id]
		} else {
			foreign = foreign || others[m.participant]
		}
	}
	return ready, foreign
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
