//go:build rclgo

package rclgo

/*
#include "support.h"
*/
import "C"

import (
	"unsafe"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"stripswm/nodes/ros"
)

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
