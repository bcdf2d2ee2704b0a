package classic

import (
	"context"
	"fmt"
	"net"
	"slices"

	"stripswm/nodes/sim/gazebo"
	"stripswm/nodes/sim/gazebo/internal/message"
)

// subscribe has messages of a topic handed on, from one goroutine for each who publishes it.
// An error ends the node.
func (n *node) subscribe(topic, kind string, take func(data []byte) error) error {
	n.mu.Lock()
	n.handlers[topic] = take
	n.mu.Unlock()
	e := n.self
	e.topic, e.kind = topic, kind
	return n.say("subscribe", e.subscribe())
}

// connect asks who publishes a topic for its messages, if they are wanted.
func (n *node) connect(e endpoint) {
	n.mu.Lock()
	take := n.handlers[e.topic]
	wanted := take != nil && !n.dialed[e] && (e.host != n.self.host || e.port != n.self.port)
	if wanted {
		n.dialed[e] = true
	}
	n.mu.Unlock()
	if !wanted {
		return
	}
	n.start(func() error {
		c, err := (&net.Dialer{}).DialContext(n.ctx, "tcp", e.address())
		if err != nil {
			return fmt.Errorf("%w: topic %s: %w", gazebo.ErrGone, e.topic, err)
		}
		if !n.keep(c) {
			return nil
		}
		defer n.drop(c)
		self := n.self
		self.topic, self.kind = e.topic, e.kind
		if err := writeMessage(c, packet{"sub", self.subscribe()}.marshal()); err != nil {
			return fmt.Errorf("%w: topic %s: %w", gazebo.ErrGone, e.topic, err)
		}
		return n.read(c, take)
	})
}

// advertise says that we publish a topic.
func (n *node) advertise(topic, kind string) error {
	e := n.self
	e.topic, e.kind = topic, kind
	return n.say("advertise", e.publish())
}

// publish sends messages, together, to all who have subscribed to a topic. It waits for
// the first of them.
func (n *node) publish(ctx context.Context, topic string, messages ...[]byte) error {
	for {
		n.mu.Lock()
		conns, changed := n.subs[topic], n.changed
		n.mu.Unlock()
		if len(conns) == 0 {
			select {
			case <-changed:
				continue
			case <-ctx.Done():
				return fmt.Errorf("nobody has subscribed to %s: %w", topic, context.Cause(ctx))
			case <-n.ctx.Done():
				return context.Cause(n.ctx)
			}
		}
		for _, c := range conns {
			for _, m := range messages {
				if err := writeMessage(c, m); err != nil {
					return fmt.Errorf("%w: topic %s: %w", gazebo.ErrGone, topic, err)
				}
			}
		}
		return nil
	}
}

// accept takes those who want what we publish.
func (n *node) accept() error {
	for {
		c, err := n.listener.Accept()
		if err != nil {
			return err
		}
		if !n.keep(c) {
			return nil
		}
		n.tasks.Go(func() {
			defer n.drop(c)
			// who hangs up no longer wants it
			n.read(c, func(data []byte) error { return n.subscribed(c, data) })
		})
	}
}

func (n *node) subscribed(c net.Conn, data []byte) error {
	p, err := parsePacket(data)
	if err != nil || p.kind != "sub" {
		return fmt.Errorf("%w: packet %q where a subscription was to be: %w", message.ErrWire, p.kind,
			err)
	}
	e, err := parseSubscribe(p.data)
	if err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.subs[e.topic] = append(n.subs[e.topic], c)
	n.tell()
	return nil
}

// await waits for the master to name a world that runs: this one, or any where name is empty.
func (n *node) await(ctx context.Context, name string) error {
	for {
		n.mu.Lock()
		worlds, changed := n.worlds, n.changed
		n.mu.Unlock()
		if slices.Contains(worlds, name) || name == "" && len(worlds) > 0 {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("gazebo runs %q, not the world %s: %w", worlds, name, context.Cause(ctx))
		case <-n.ctx.Done():
			return context.Cause(n.ctx)
		}
	}
}
