//go:build rclgo

package rclgo

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tiiuae/rclgo/pkg/rclgo"
	"github.com/tiiuae/rclgo/pkg/rclgo/types"

	"stripswm/nodes/ros"
)

// NewResponder offers a service.
func (n *node) NewResponder(service, rosType string, arrived func(ros.Request)) (ros.Responder, error) {
	support, err := loadService(rosType)
	if err != nil {
		return nil, err
	}
	r := &responder{node: n, support: support, waiting: map[int64]rclgo.ServiceResponseSender{}}
	err = n.add("serve "+service, func() (err error) {
		r.rcl, err = n.rcl.NewService(service, support, nil, func(_ *rclgo.ServiceInfo, m types.Message, sender rclgo.ServiceResponseSender) {
			arrived(ros.Request{ID: ros.RequestID{Sequence: r.note(sender)}, Payload: m.(*rawMessage).payload})
		})
		return err
	})
	return r, err
}

// A responder keeps what sends the reply to each request that waits for one.
type responder struct {
	node    *node
	rcl     *rclgo.Service
	support *serviceSupport
	gone    bool // by the transport's lock

	mu      sync.Mutex
	last    int64
	waiting map[int64]rclgo.ServiceResponseSender
}

func (r *responder) note(s rclgo.ServiceResponseSender) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	r.waiting[r.last] = s
	return r.last
}

func (r *responder) Reply(id ros.RequestID, payload []byte) error {
	r.mu.Lock()
	sender, ok := r.waiting[id.Sequence]
	delete(r.waiting, id.Sequence)
	r.mu.Unlock()
	if !ok {
		return fmt.Errorf("rclgo: reply: request %d was answered before, or is not known", id.Sequence)
	}
	r.node.t.mu.Lock()
	defer r.node.t.mu.Unlock()
	if r.gone || r.node.closed {
		return fmt.Errorf("rclgo: reply: %w", ros.ErrClosed)
	}
	return sender.SendResponse(&rawMessage{payload: payload, support: r.support.response})
}

func (r *responder) Close() error {
	return r.node.remove(func() error {
		if r.gone {
			return nil
		}
		r.gone = true
		return r.rcl.Close()
	})
}

// NewCaller makes a client of a service.
func (n *node) NewCaller(service, rosType string, arrived func(ros.Reply)) (ros.Caller, error) {
	support, err := loadService(rosType)
	if err != nil {
		return nil, err
	}
	c := &caller{node: n, service: service, support: support, arrived: arrived}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	err = n.add("client of "+service, func() (err error) {
		c.rcl, err = n.rcl.NewClient(service, support, nil)
		n.open = append(n.open, c)
		return err
	})
	return c, err
}

type caller struct {
	node     *node
	rcl      *rclgo.Client
	service  string
	support  *serviceSupport
	arrived  func(ros.Reply)
	sequence atomic.Int64
	gone     bool // by the transport's lock
	ctx      context.Context
	cancel   context.CancelFunc
	calls    sync.WaitGroup

	mu   sync.Mutex
	seen time.Time // when the service was last found
}

// Send leaves a goroutine behind until the reply comes or the client is closed: rclgo sends and waits in one call.
func (c *caller) Send(payload []byte) (int64, error) {
	if c.ctx.Err() != nil {
		return 0, fmt.Errorf("rclgo: call %s: %w", c.service, ros.ErrClosed)
	}
	sequence := c.sequence.Add(1)
	c.calls.Add(1)
	go func() {
		defer c.calls.Done()
		reply, _, err := c.rcl.Send(c.ctx, &rawMessage{payload: payload, support: c.support.request})
		if err == nil {
			c.arrived(ros.Reply{Sequence: sequence, Payload: reply.(*rawMessage).payload})
		}
	}()
	return sequence, nil
}

// believed is how long a service that was found is taken to be there: asking the graph is slow.
const believed = time.Second

// Ready asks the graph whether a node has the service.
func (c *caller) Ready() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.seen) < believed {
		return true
	}
	c.node.t.mu.Lock()
	defer c.node.t.mu.Unlock()
	if c.gone || c.node.closed {
		return false
	}
	names, namespaces, err := c.node.rcl.GetNodeNames()
	if err != nil {
		return false
	}
	found := slices.ContainsFunc(indices(names), func(i int) bool {
		services, err := c.node.rcl.GetServiceNamesAndTypesByNode(names[i], namespaces[i])
		return err == nil && services[c.service] != nil
	})
	if found {
		c.seen = time.Now()
	}
	return found
}

func indices(s []string) []int {
	all := make([]int, len(s))
	for i := range all {
		all[i] = i
	}
	return all
}

// end lets the calls under way come to their end; the node closes the client.
func (c *caller) end() {
	c.cancel()
	c.calls.Wait()
}

func (c *caller) Close() error {
	return c.node.remove(func() error {
		if c.gone {
			return nil
		}
		c.gone = true
		c.end()
		return c.rcl.Close()
	})
}
