package rostest

import (
	"bytes"
	"fmt"
	"slices"

	"stripswm/nodes/ros"
)

type responder struct {
	bus              *Bus
	service, rosType string
	arrived          func(ros.Request)
}

type caller struct {
	bus              *Bus
	service, rosType string
	arrived          func(ros.Reply)
	id               uint64
	sequence         int64
}

func (n *node) NewResponder(service, rosType string,
	arrived func(ros.Request),
) (ros.Responder, error) {
	r := &responder{n.bus, service, rosType, arrived}
	if err := n.keep(r); err != nil {
		return nil, err
	}
	n.bus.mu.Lock()
	defer n.bus.mu.Unlock()
	n.bus.services = append(n.bus.services, r)
	return r, nil
}

func (n *node) NewCaller(service, rosType string, arrived func(ros.Reply)) (ros.Caller, error) {
	c := &caller{bus: n.bus, service: service, rosType: rosType, arrived: arrived}
	if err := n.keep(c); err != nil {
		return nil, err
	}
	n.bus.mu.Lock()
	defer n.bus.mu.Unlock()
	n.bus.clients++
	c.id = n.bus.clients
	n.bus.callers = append(n.bus.callers, c)
	return c, nil
}

func (c *caller) server() *responder {
	for _, r := range c.bus.services {
		if r.service == c.service && r.rosType == c.rosType {
			return r
		}
	}
	return nil
}

func (c *caller) Ready() bool {
	c.bus.mu.Lock()
	defer c.bus.mu.Unlock()
	return c.server() != nil
}

// Unusable is nil: there is one kind of server.
func (c *caller) Unusable() error { return nil }

func (c *caller) Send(payload []byte) (int64, error) {
	c.bus.mu.Lock()
	defer c.bus.mu.Unlock()
	if !slices.Contains(c.bus.callers, c) {
		return 0, fmt.Errorf("rostest: call %s: %w", c.service, ros.ErrClosed)
	}
	c.sequence++
	if r := c.server(); r != nil {
		r.arrived(ros.Request{ID: ros.RequestID{Client: c.id, Sequence: c.sequence},
			Payload: bytes.Clone(payload)})
	}
	return c.sequence, nil
}

// Reply finds the client under the bus's lock and tells it without: the client may be sending, with
// its own lock held.
func (r *responder) Reply(id ros.RequestID, payload []byte) error {
	r.bus.mu.Lock()
	i := slices.IndexFunc(r.bus.callers, func(c *caller) bool { return c.id == id.Client })
	var c *caller
	if i >= 0 {
		c = r.bus.callers[i]
	}
	r.bus.mu.Unlock()
	if c == nil {
		return fmt.Errorf("rostest: reply on %s: the client has gone", r.service)
	}
	c.arrived(ros.Reply{Sequence: id.Sequence, Payload: bytes.Clone(payload)})
	return nil
}

func (r *responder) Close() error {
	r.bus.mu.Lock()
	defer r.bus.mu.Unlock()
	r.bus.services = slices.DeleteFunc(r.bus.services, func(o *responder) bool { return o == r })
	return nil
}

func (c *caller) Close() error {
	c.bus.mu.Lock()
	defer c.bus.mu.Unlock()
	c.bus.callers = slices.DeleteFunc(c.bus.callers, func(o *caller) bool { return o == c })
	return nil
}
