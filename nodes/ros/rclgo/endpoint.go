//go:build rclgo

package rclgo

/*
#include "support.h"
*/
import "C"

import (
	"fmt"
	"sync"
	"time"
	"unsafe"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"stripswm/nodes/ros"
)

// An endpoint is a publisher, a subscription, a service or a client of rclgo.
type endpoint struct {
	node  *node
	what  string // for errors: "publish /image"
	rcl   interface{ Close() error }
	waits []*waitable // what the executor has of it
	event event       // an incompatible quality of service, if the rmw tells

	mu     sync.RWMutex // held for reading while rcl's handle is used
	closed bool
}

// newEndpoint has rclgo make an endpoint, unless the node is closed.
func (n *node) newEndpoint(what string, create func() (interface{ Close() error },
	error),
) (*endpoint, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil, fmt.Errorf("rclgo: %s: %w", what, ros.ErrClosed)
	}
	n.t.mu.Lock()
	defer n.t.mu.Unlock()
	rcl, err := create()
	if err != nil {
		return nil, fmt.Errorf("rclgo: %s: %w", what, reason(err))
	}
	e := &endpoint{node: n, what: what, rcl: rcl}
	n.open[e] = true
	return e, nil
}

// wait has the executor take what arrives.
func (e *endpoint) wait(w *waitable) {
	e.waits = append(e.waits, w)
	e.node.t.executor.add(w)
}

// use runs f unless the endpoint is closed, which waits for f.
func (e *endpoint) use(f func() error) error {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.closed {
		return fmt.Errorf("rclgo: %s: %w", e.what, ros.ErrClosed)
	}
	return f()
}

// matched is a count that rclgo gives, 0 of a closed endpoint.
func (e *endpoint) matched(count func() (int, error)) (n int) {
	_ = e.use(func() (err error) {
		n, err = count()
		return err
	})
	return n
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
	e.node.mu.Lock()
	delete(e.node.open, e)
	e.node.mu.Unlock()
	if len(e.waits) > 0 {
		e.node.t.executor.remove(e.waits...)
	}
	e.event.free()
	e.node.t.mu.Lock()
	defer e.node.t.mu.Unlock()
	return reason(e.rcl.Close())
}

// NewWriter offers a topic.
func (n *node) NewWriter(topic, rosType string, q ros.QoS,
	refused func(ros.Mismatch),
) (ros.Writer, error) {
	support, err := loadMessage(rosType)
	if err != nil {
		return nil, err
	}
	w := &writer{}
	w.endpoint, err = n.newEndpoint("publish "+topic, func() (_ interface{ Close() error },
		err error) {
		w.rcl, err = n.rcl.NewPublisher(topic, support, &rclgo.PublisherOptions{Qos: profile(q)})
		return w.rcl, err
	})
	if err != nil {
		return nil, err
	}
	w.handle = handle(w.rcl, publisherHandle)
	w.watch(w.handle, true, refused)
	return w, nil
}

type writer struct {
	*endpoint
	rcl    *rclgo.Publisher
	handle unsafe.Pointer
}

func (w *writer) Write(payload []byte) error {
	return w.use(func() error {
		if rc := C.send_message(w.handle, unsafe.Pointer(unsafe.SliceData(payload)),
			C.size_t(len(payload))); rc != 0 {
			return failed(w.what, rc)
		}
		return nil
	})
}

func (w *writer) Matched() int { return w.matched(w.rcl.GetSubscriptionCount) }

// NewReader subscribes to a topic.
func (n *node) NewReader(topic, rosType string, q ros.QoS, arrived func(ros.Sample),
	refused func(ros.Mismatch),
) (ros.Reader, error) {
	support, err := loadMessage(rosType)
	if err != nil {
		return nil, err
	}
	r := &reader{}
	r.endpoint, err = n.newEndpoint("subscribe to "+topic, func() (_ interface{ Close() error },
		err error) {
		r.rcl, err = n.rcl.NewSubscription(topic, support, &rclgo.SubscriptionOptions{Qos: profile(q)},
			nil)
		return r.rcl, err
	})
	if err != nil {
		return nil, err
	}
	subscription := handle(r.rcl, subscriptionHandle)
	r.watch(subscription, false, refused)
	r.wait(&waitable{C.SUBSCRIPTION, subscription,
		takeWith(func(in *C.struct_inbox, t *C.struct_taken) C.int {
			return C.take_message(subscription, in, t)
		}, func(payload []byte, t *C.struct_taken) {
			arrived(ros.Sample{Payload: payload, Sent: time.Unix(0, int64(t.sent_ns)), Received: time.Now(),
				Writer: uint64(t.writer[0]) ^ uint64(t.writer[1]), Number: uint64(t.sequence)})
		})})
	return r, nil
}

type reader struct {
	*endpoint
	rcl *rclgo.Subscription
}

func (r *reader) Matched() int { return r.matched(r.rcl.GetPublisherCount) }

// An event is rcl's, or nil: not every rmw has those.
type event struct{ rcl unsafe.Pointer }

func (e event) free() {
	if e.rcl != nil {
		C.event_free(e.rcl)
	}
}

// watch reports endpoints of the other side whose quality of service does not fit.
func (e *endpoint) watch(handle unsafe.Pointer, publisher bool, refused func(ros.Mismatch)) {
	e.event.rcl = C.event_new(handle, C.bool(publisher))
	if e.event.rcl == nil || refused == nil {
		return
	}
	e.wait(&waitable{C.EVENT, e.event.rcl, func(*C.struct_inbox) bool {
		if policy := C.take_policy(e.event.rcl); policy != nil {
			refused(ros.Mismatch{Policy: C.GoString(policy)})
		}
		return false
	}})
}

// NewResponder offers a service.
func (n *node) NewResponder(service, rosType string,
	arrived func(ros.Request),
) (ros.Responder, error) {
	support, err := loadService(rosType)
	if err != nil {
		return nil, err
	}
	r := &responder{support: support}
	r.endpoint, err = n.newEndpoint("serve "+service, func() (interface{ Close() error }, error) {
		rcl, err := n.rcl.NewService(service, support, &rclgo.ServiceOptions{Qos: profile(ros.Calls)},
			nil)
		if err == nil {
			r.handle = handle(rcl, serviceHandle)
		}
		return rcl, err
	})
	if err != nil {
		return nil, err
	}
	r.wait(&waitable{C.SERVICE, r.handle, takeWith(func(in *C.struct_inbox, t *C.struct_taken) C.int {
		return C.take_request(r.handle, &support.request.c, in, t)
	}, func(payload []byte, t *C.struct_taken) {
		arrived(ros.Request{ID: ros.RequestID{Client: uint64(t.writer[0]), Writer: uint64(t.writer[1]),
			Sequence: int64(t.sequence)}, Payload: payload})
	})})
	return r, nil
}

type responder struct {
	*endpoint
	handle  unsafe.Pointer
	support *serviceSupport
}

func (r *responder) Reply(id ros.RequestID, payload []byte) error {
	return r.use(func() error {
		writer := [2]C.uint64_t{C.uint64_t(id.Client), C.uint64_t(id.Writer)}
		rc := C.send_reply(r.handle, &r.support.response.c, &writer[0], C.int64_t(id.Sequence),
			unsafe.Pointer(unsafe.SliceData(payload)), C.size_t(len(payload)))
		if rc != 0 {
			return failed(r.what, rc)
		}
		return nil
	})
}

// NewCaller makes a client of a service.
func (n *node) NewCaller(service, rosType string, arrived func(ros.Reply)) (ros.Caller, error) {
	support, err := loadService(rosType)
	if err != nil {
		return nil, err
	}
	c := &caller{support: support}
	c.endpoint, err = n.newEndpoint("call "+service, func() (interface{ Close() error }, error) {
		rcl, err := n.rcl.NewClient(service, support, &rclgo.ClientOptions{Qos: profile(ros.Calls)})
		if err == nil {
			c.handle = handle(rcl, clientHandle)
		}
		return rcl, err
	})
	if err != nil {
		return nil, err
	}
	c.wait(&waitable{C.CLIENT, c.handle, takeWith(func(in *C.struct_inbox, t *C.struct_taken) C.int {
		return C.take_reply(c.handle, &support.response.c, in, t)
	}, func(payload []byte, t *C.struct_taken) {
		arrived(ros.Reply{Sequence: int64(t.sequence), Payload: payload})
	})})
	return c, nil
}

type caller struct {
	*endpoint
	handle  unsafe.Pointer
	support *serviceSupport
}

func (c *caller) Send(payload []byte) (int64, error) {
	var sequence C.int64_t
	err := c.use(func() error {
		if rc := C.send_request(c.handle, &c.support.request.c, unsafe.Pointer(unsafe.SliceData(payload)),
			C.size_t(len(payload)), &sequence); rc != 0 {
			return failed(c.what, rc)
		}
		return nil
	})
	return int64(sequence), err
}

// Unusable is nil: the rmw finds only servers that can be called.
func (c *caller) Unusable() error { return nil }

// Ready asks the rmw whether both sides of a server have been matched: the graph may know it
// before.
func (c *caller) Ready() bool {
	var there C.bool
	err := c.use(func() error {
		if rc := C.server_available(handle(c.node.rcl, nodeHandle), c.handle, &there); rc != 0 {
			return failed(c.what, rc)
		}
		return nil
	})
	return err == nil && bool(there)
}
