//go:build rclgo

package rclgo

import (
	"errors"
	"fmt"
	"sync"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"stripswm/nodes/ros"
)

// A node is one rcl node, which owns its endpoints.
type node struct {
	t   *Transport
	rcl *rclgo.Node

	mu     sync.Mutex
	open   map[*endpoint]bool
	closed bool
}

// Close ends the node and its endpoints.
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
	for e := range open {
		errs = append(errs, e.Close())
	}
	n.t.mu.Lock()
	defer n.t.mu.Unlock()
	delete(n.t.nodes, n)
	return errors.Join(append(errs, reason(n.rcl.Close()))...)
}

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
