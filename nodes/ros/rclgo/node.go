//go:build rclgo

package rclgo

import (
	"fmt"
	"time"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"stripswm/nodes/ros"
)

// A node is one rcl node, which owns its endpoints.
type node struct {
	t      *Transport
	rcl    *rclgo.Node
	closed bool // by t.mu
	open   []interface{ end() }
}

// Close ends the node and its endpoints.
func (n *node) Close() error {
	return n.t.unlessClosed(func() error {
		if n.closed {
			return nil
		}
		n.closed = true
		delete(n.t.nodes, n)
		for _, e := range n.open {
			e.end()
		}
		return n.rcl.Close()
	})
}

// add makes an endpoint, unless the node is closed.
func (n *node) add(what string, make func() error) error {
	return n.t.change(func() error {
		if n.closed {
			return fmt.Errorf("rclgo: %s: %w", what, ros.ErrClosed)
		}
		if err := make(); err != nil {
			return fmt.Errorf("rclgo: %s: %w", what, err)
		}
		return nil
	})
}

// remove closes an endpoint, unless it went with its node.
func (n *node) remove(close func() error) error {
	return n.t.unlessClosed(func() error {
		if n.closed {
			return nil
		}
		return close()
	})
}

// NewWriter offers a topic.
func (n *node) NewWriter(topic, rosType string, q ros.QoS, _ func(ros.Mismatch)) (ros.Writer, error) {
	support, err := loadMessage(rosType)
	if err != nil {
		return nil, err
	}
	w := &writer{node: n}
	err = n.add("publish "+topic, func() (err error) {
		w.rcl, err = n.rcl.NewPublisher(topic, support, &rclgo.PublisherOptions{Qos: profile(q)})
		return err
	})
	return w, err
}

type writer struct {
	node *node
	rcl  *rclgo.Publisher
	gone bool // by the transport's lock
}

func (w *writer) Write(payload []byte) error {
	w.node.t.mu.Lock()
	defer w.node.t.mu.Unlock()
	if w.gone || w.node.closed {
		return fmt.Errorf("rclgo: publish %s: %w", w.rcl.TopicName, ros.ErrClosed)
	}
	return w.rcl.PublishSerialized(payload)
}

func (w *writer) Matched() int {
	w.node.t.mu.Lock()
	defer w.node.t.mu.Unlock()
	if w.gone || w.node.closed {
		return 0
	}
	count, err := w.rcl.GetSubscriptionCount()
	if err != nil {
		return 0
	}
	return count
}

func (w *writer) Close() error {
	return w.node.remove(func() error {
		if w.gone {
			return nil
		}
		w.gone = true
		return w.rcl.Close()
	})
}

// NewReader subscribes to a topic.
func (n *node) NewReader(topic, rosType string, q ros.QoS, arrived func(ros.Sample), _ func(ros.Mismatch)) (ros.Reader, error) {
	support, err := loadMessage(rosType)
	if err != nil {
		return nil, err
	}
	r := &reader{node: n}
	err = n.add("subscribe to "+topic, func() (err error) {
		r.rcl, err = n.rcl.NewSubscription(topic, support, &rclgo.SubscriptionOptions{Qos: profile(q)}, func(s *rclgo.Subscription) {
			payload, info, err := s.TakeSerializedMessage()
			if err != nil {
				return // it woke for nothing
			}
			arrived(ros.Sample{Payload: payload, Sent: info.SourceTimestamp, Received: time.Now()})
		})
		return err
	})
	return r, err
}

type reader struct {
	node *node
	rcl  *rclgo.Subscription
	gone bool // by the transport's lock
}

func (r *reader) Matched() int {
	r.node.t.mu.Lock()
	defer r.node.t.mu.Unlock()
	if r.gone || r.node.closed {
		return 0
	}
	count, err := r.rcl.GetPublisherCount()
	if err != nil {
		return 0
	}
	return count
}

func (r *reader) Close() error {
	return r.node.remove(func() error {
		if r.gone {
			return nil
		}
		r.gone = true
		return r.rcl.Close()
	})
}
