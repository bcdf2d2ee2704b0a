package dds

/*
#include <stdlib.h>
#include "endpoint.h"
*/
import "C"

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"time"
	"unsafe"

	"stripswm/nodes/ros"
)

// An endpoint is a writer or a reader.
type endpoint struct {
	c     C.struct_endpoint
	loop  *loop
	topic string // DDS's name, for errors
	event C.dds_attach_t
	data  C.dds_attach_t

	mu     sync.RWMutex // held for reading while the entity is used
	closed bool
}

// An offer is an endpoint's quality of service, and what it tells of itself.
type offer struct {
	ros.QoS
	userData string
}

func cQoS(q offer) (C.struct_endpoint_qos, func()) {
	c := C.struct_endpoint_qos{
		reliable:        C.bool(!q.BestEffort),
		transient_local: C.bool(q.TransientLocal),
		depth:           C.int32_t(q.Depth),
		lifespan:        C.int64_t(q.Lifespan),
	}
	if q.KeepAll {
		c.depth = -1
	}
	if q.userData == "" {
		return c, func() {}
	}
	c.user_data = C.CString(q.userData)
	return c, func() { C.free(unsafe.Pointer(c.user_data)) }
}

func newWriter(t *Transport, topic, rosType string, q offer,
	refused func(ros.Mismatch),
) (*endpoint, error) {
	e := &endpoint{loop: t.loop, topic: topic}
	if err := e.open(t, rosType, q, true); err != nil {
		return nil, err
	}
	if err := e.watch(func() string { return policyName(C.offered_mismatch(e.c.entity)) },
		refused); err != nil {
		C.endpoint_close(&e.c)
		return nil, err
	}
	return e, nil
}

// received is one sample as the library gives it.
type received struct {
	payload []byte
	sent    time.Time
	writer  uint64
	number  uint64
	related identity
}

func newReader(t *Transport, topic, rosType string, q offer, arrived func(received),
	refused func(ros.Mismatch),
) (*endpoint, error) {
	e := &endpoint{loop: t.loop, topic: topic}
	if err := e.open(t, rosType, q, false); err != nil {
		return nil, err
	}
	if err := e.watch(func() string { return policyName(C.requested_mismatch(e.c.entity)) },
		refused); err != nil {
		C.endpoint_close(&e.c)
		return nil, err
	}
	var err error
	if e.data, err = t.loop.add(e.c.condition, func() { e.take(arrived) }); err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

func (e *endpoint) open(t *Transport, rosType string, q offer, writer bool) error {
	ddsType := typeName(rosType)
	q.userData += t.distro.typeUserData(rosType)
	topic, typ := C.CString(e.topic), C.CString(ddsType)
	defer C.free(unsafe.Pointer(topic))
	defer C.free(unsafe.Pointer(typ))
	qos, release := cQoS(q)
	defer release()
	kind, rc := "subscribe to", C.int(0)
	if writer {
		kind, rc = "publish", C.endpoint_writer(t.participant, topic, typ, &qos, &e.c)
	} else {
		rc = C.endpoint_reader(t.participant, topic, typ, &qos, &e.c)
	}
	if rc < 0 {
		return failed(fmt.Sprintf("%s %s as %s", kind, e.topic, ddsType), rc)
	}
	return nil
}

// watch reports endpoints of the other side whose quality of service does not fit.
func (e *endpoint) watch(policy func() string, refused func(ros.Mismatch)) error {
	if refused == nil {
		return nil
	}
	id, err := e.loop.add(e.c.entity, func() {
		if name := policy(); name != "" {
			refused(ros.Mismatch{Policy: name})
		}
	})
	e.event = id
	return err
}

// takeAtMost bounds how many samples of one reader are taken before the others have their turn.
const takeAtMost = 64

func (e *endpoint) take(arrived func(received)) {
	for range takeAtMost {
		var s C.struct_sample
		if C.endpoint_take(e.c.entity, &s) <= 0 {
			return
		}
		r := received{
			payload: bytes.Clone(unsafe.Slice((*byte)(C.payload_bytes(s.payload)), int(s.payload.size))),
			sent:    time.Unix(0, int64(s.source_ns)),
			writer:  uint64(s.writer),
			number:  uint64(s.payload.sequence),
			related: identityFrom(&s.payload.related),
		}
		C.sample_free(&s)
		arrived(r)
	}
}

// Write sends the payload.
func (e *endpoint) Write(payload []byte) error { return e.write(payload, nil) }

func (e *endpoint) write(payload []byte, related *identity) error {
	if len(payload) < encapsulation {
		return fmt.Errorf("dds: publish %s: a payload of %d bytes has no encapsulation header", e.topic,
			len(payload))
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.closed {
		return fmt.Errorf("dds: publish %s: %w", e.topic, ros.ErrClosed)
	}
	if rc := C.endpoint_write(&e.c, unsafe.Pointer(unsafe.SliceData(payload)),
		C.size_t(len(payload)), related.c()); rc < 0 {
		return failed("publish "+e.topic, rc)
	}
	return nil
}

// guid is the endpoint's identity on the network.
func (e *endpoint) guid() (g [16]byte) {
	C.dds_get_guid(e.c.entity, (*C.dds_guid_t)(unsafe.Pointer(&g)))
	return g
}

// handle identifies the endpoint within this process, and in the headers of requests.
func (e *endpoint) handle() C.dds_instance_handle_t {
	var h C.dds_instance_handle_t
	C.dds_get_instance_handle(e.c.entity, &h)
	return h
}

// Close ends the endpoint.
func (e *endpoint) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	if e.data != 0 {
		e.loop.remove(e.c.condition, e.data)
	}
	if e.event != 0 {
		e.loop.remove(e.c.entity, e.event)
	}
	C.endpoint_close(&e.c)
	return nil
}

// NewWriter offers a topic.
func (n *node) NewWriter(topic, rosType string, q ros.QoS,
	refused func(ros.Mismatch),
) (ros.Writer, error) {
	e, err := newWriter(n.t, topicName(topic), rosType, offer{QoS: q}, refused)
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
	e, err := newReader(n.t, topicName(topic), rosType, offer{QoS: q}, func(r received) {
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

func (e *endpoint) matchedWriters() []C.dds_instance_handle_t {
	return e.matched(func(h *C.dds_instance_handle_t, n C.size_t) C.int {
		return C.dds_get_matched_publications(e.c.entity, h, n)
	})
}

func (e *endpoint) matchedReaders() []C.dds_instance_handle_t {
	return e.matched(func(h *C.dds_instance_handle_t, n C.size_t) C.int {
		return C.dds_get_matched_subscriptions(e.c.entity, h, n)
	})
}

func (e *endpoint) matched(list func(*C.dds_instance_handle_t,
	C.size_t) C.int,
) []C.dds_instance_handle_t {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.closed {
		return nil
	}
	for size := 16; ; size *= 2 {
		handles := make([]C.dds_instance_handle_t, size)
		n := int(list(&handles[0], C.size_t(size)))
		if n <= size {
			return handles[:max(n, 0)]
		}
	}
}

// writerKey returns what key has in the user data of a matched writer ("serviceid"), which has the
// form "key=value;".
func (e *endpoint) writerKey(writer C.dds_instance_handle_t,
	key string,
) (value string, known bool) {
	return e.key(key, func(buf *C.char, size C.size_t) C.int {
		return C.writer_user_data(e.c.entity, writer, buf, size)
	})
}

func (e *endpoint) readerKey(reader C.dds_instance_handle_t,
	key string,
) (value string, known bool) {
	return e.key(key, func(buf *C.char, size C.size_t) C.int {
		return C.reader_user_data(e.c.entity, reader, buf, size)
	})
}

func (e *endpoint) key(key string, read func(buf *C.char, size C.size_t) C.int) (value string,
	known bool,
) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.closed {
		return "", false
	}
	var buf [256]C.char
	if read(&buf[0], C.size_t(len(buf))) < 0 {
		return "", false
	}
	return userDataKey(C.GoString(&buf[0]), key), true
}

func userDataKey(data, key string) string {
	for field := range strings.SplitSeq(data, ";") {
		if value, ok := strings.CutPrefix(field, key+"="); ok {
			return value
		}
	}
	return ""
}

// policyName names a DDS policy as ROS does; it is empty for none.
func policyName(id C.uint32_t) string {
	switch id {
	case C.DDS_INVALID_QOS_POLICY_ID:
		return ""
	case C.DDS_DURABILITY_QOS_POLICY_ID:
		return "durability"
	case C.DDS_DEADLINE_QOS_POLICY_ID:
		return "deadline"
	case C.DDS_LIVELINESS_QOS_POLICY_ID:
		return "liveliness"
	case C.DDS_RELIABILITY_QOS_POLICY_ID:
		return "reliability"
	case C.DDS_HISTORY_QOS_POLICY_ID:
		return "history"
	case C.DDS_DATA_REPRESENTATION_QOS_POLICY_ID:
		return "data representation"
	}
	return fmt.Sprintf("policy %d of DDS", id)
}

// ROS 2 marks topics, requests and replies by a prefix, and types by a namespace and an underscore.

func topicName(topic string) string      { return "rt" + topic }
func requestTopic(service string) string { return "rq" + service + "Request" }
func replyTopic(service string) string   { return "rr" + service + "Reply" }

// typeName is DDS's name of a ROS type: "sensor_msgs/msg/Image" is
// "sensor_msgs::msg::dds_::Image_".
func typeName(rosType string) string {
	i := strings.LastIndexByte(rosType, '/')
	return strings.ReplaceAll(rosType[:i+1], "/", "::") + "dds_::" + rosType[i+1:] + "_"
}
