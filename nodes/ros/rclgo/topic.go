//go:build rclgo

package rclgo

/*
#include "support.h"
*/
import "C"

import (
	"time"
	"unsafe"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"stripswm/nodes/ros"
)

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
