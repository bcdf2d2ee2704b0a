package dds

/*
#include <stdlib.h>
#include "endpoint.h"
*/
import "C"

import (
	"bytes"
	"errors"
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
	t     *Transport
	node  *node  // in whose name others see it; nil if in none
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

// received is one sample as the library gives it.
type received struct {
	payload []byte
	sent    time.Time
	writer  uint64
	number  uint64
	related identity
}

// newEndpoint makes a writer, or where arrived is not nil a reader. refused, if not nil, is told of
// endpoints of the other side whose quality of service does not fit.
func (t *Transport) newEndpoint(n *node, topic, rosType string, q offer, arrived func(received),
	refused func(ros.Mismatch),
) (*endpoint, error) {
	e := &endpoint{t: t, node: n, topic: topic}
	err := e.open(rosType, q, arrived == nil)
	if err != nil {
		return nil, err
	}
	if refused != nil {
		e.event, err = t.loop.add(e.c.entity, func() {
			if name := policyName(C.endpoint_mismatch(&e.c)); name != "" {
				refused(ros.Mismatch{Policy: name})
			}
		})
	}
	if err == nil && arrived != nil {
		e.data, err = t.loop.add(e.c.condition, func() { e.take(arrived) })
	}
	if n != nil {
		t.graph.add(n.name, e)
	}
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *endpoint) open(rosType string, q offer, writer bool) error {
	ddsType := typeName(rosType)
	q.userData += e.t.distro.typeUserData(rosType)
	topic, typ := C.CString(e.topic), C.CString(ddsType)
	defer C.free(unsafe.Pointer(topic))
	defer C.free(unsafe.Pointer(typ))
	qos, release := cQoS(q)
	defer release()
	rc := C.endpoint_open(e.t.participant, topic, typ, &qos, C.bool(writer), &e.c)
	if rc < 0 {
		what := map[bool]string{true: "publish", false: "subscribe to"}[writer]
		return failed(fmt.Sprintf("%s %s as %s", what, e.topic, ddsType), rc)
	}
	return nil
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
	gone := e.closed
	e.closed = true
	e.mu.Unlock()
	if gone {
		return nil
	}
	if e.node != nil {
		e.node.forget(e)
		e.t.graph.remove(e.node.name, e)
	}
	if e.data != 0 {
		e.t.loop.remove(e.c.condition, e.data)
	}
	if e.event != 0 {
		e.t.loop.remove(e.c.entity, e.event)
	}
	C.endpoint_close(&e.c)
	return nil
}

// NewWriter offers a topic.
func (n *node) NewWriter(topic, rosType string, q ros.QoS,
	refused func(ros.Mismatch),
) (ros.Writer, error) {
	e, err := n.t.newEndpoint(n, topicName(topic), rosType, offer{QoS: q}, nil, refused)
	return e, n.keep(e, err)
}

// NewReader subscribes to a topic.
func (n *node) NewReader(topic, rosType string, q ros.QoS, arrived func(ros.Sample),
	refused func(ros.Mismatch),
) (ros.Reader, error) {
	e, err := n.t.newEndpoint(n, topicName(topic), rosType, offer{QoS: q}, func(r received) {
		arrived(ros.Sample{Payload: r.payload, Sent: r.sent, Received: time.Now(),
			Writer: r.writer, Number: r.number})
	}, refused)
	return e, n.keep(e, err)
}

// Matched counts the endpoints of the other side.
func (e *endpoint) Matched() int { return len(e.matched()) }

func (e *endpoint) matched() []C.dds_instance_handle_t {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.closed {
		return nil
	}
	for size := 16; ; size *= 2 {
		handles := make([]C.dds_instance_handle_t, size)
		n := int(C.endpoint_matched(&e.c, &handles[0], C.size_t(size)))
		if n <= size {
			return handles[:max(n, 0)]
		}
	}
}

// A match is an endpoint of the other side.
type match struct {
	guid, participant gid
	userData          string // of the form "key=value;"
}

// match returns false if there is no such endpoint any more.
func (e *endpoint) match(handle C.dds_instance_handle_t) (m match, known bool) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	var c C.struct_match
	if e.closed || C.endpoint_match(&e.c, handle, &c) < 0 {
		return match{}, false
	}
	return match{*(*gid)(unsafe.Pointer(&c.endpoint)), *(*gid)(unsafe.Pointer(&c.participant)),
		C.GoString(&c.user_data[0])}, true
}

func (e *endpoint) matches() (all []match) {
	for _, handle := range e.matched() {
		if m, known := e.match(handle); known {
			all = append(all, m)
		}
	}
	return all
}

// key is what key has in the user data ("serviceid"); "" if nothing.
func (m match) key(key string) string { return userDataKey(m.userData, key) }

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
