package dds

/*
#include <stdlib.h>
#include "endpoint.h"
*/
import "C"

import (
	"bytes"
	"fmt"
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

func newWriter(participant C.dds_entity_t, l *loop, topic, ddsType string, q offer,
	refused func(ros.Mismatch),
) (*endpoint, error) {
	e := &endpoint{loop: l, topic: topic}
	if err := e.open(participant, ddsType, q, true); err != nil {
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

func newReader(participant C.dds_entity_t, l *loop, topic, ddsType string, q offer,
	arrived func(received), refused func(ros.Mismatch),
) (*endpoint, error) {
	e := &endpoint{loop: l, topic: topic}
	if err := e.open(participant, ddsType, q, false); err != nil {
		return nil, err
	}
	if err := e.watch(func() string { return policyName(C.requested_mismatch(e.c.entity)) },
		refused); err != nil {
		C.endpoint_close(&e.c)
		return nil, err
	}
	var err error
	if e.data, err = l.add(e.c.condition, func() { e.take(arrived) }); err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

func (e *endpoint) open(participant C.dds_entity_t, ddsType string, q offer, writer bool) error {
	topic, typ := C.CString(e.topic), C.CString(ddsType)
	defer C.free(unsafe.Pointer(topic))
	defer C.free(unsafe.Pointer(typ))
	qos, release := cQoS(q)
	defer release()
	kind, rc := "subscribe to", C.int(0)
	if writer {
		kind, rc = "publish", C.endpoint_writer(participant, topic, typ, &qos, &e.c)
	} else {
		rc = C.endpoint_reader(participant, topic, typ, &qos, &e.c)
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
