package ros

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"time"

	"stripswm/msgs"
)

// A Publisher sends messages of one type, such as *msgs.Image. It may be used from several
// goroutines.
type Publisher[M msgs.Message] struct {
	topic  string
	writer Writer

	mu     sync.Mutex
	buffer []byte // of the last payload, to be used again
}

// Advertise makes a publisher of a topic:
//
//	pub, err := ros.Advertise[*msgs.Image](node, "image", ros.SensorData)
func Advertise[M msgs.Message](n *Node, topic string, q QoS) (*Publisher[M], error) {
	full, err := n.Resolve(topic)
	if err != nil {
		return nil, fmt.Errorf("advertise: %w", err)
	}
	if err := q.check(); err != nil {
		return nil, fmt.Errorf("advertise %s: %w", full, err)
	}
	w, err := n.endpoints.NewWriter(full, rosType[M](), q, n.mismatch(full, "subscription"))
	if err != nil {
		return nil, fmt.Errorf("advertise %s: %w", full, err)
	}
	return &Publisher[M]{topic: full, writer: w}, nil
}

// rosType is the ROS name of a message type: its methods do not look at the message for it.
func rosType[M msgs.Message]() string {
	var m M
	return m.ROSType()
}

// newMessage makes an empty message for a pointer type such as *msgs.Image.
func newMessage[M msgs.Message]() M {
	return reflect.New(reflect.TypeFor[M]().Elem()).Interface().(M)
}

// Topic is the absolute name.
func (p *Publisher[M]) Topic() string { return p.topic }

// Publish sends the message, and keeps no part of it.
func (p *Publisher[M]) Publish(m M) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	payload, err := msgs.MarshalAppend(p.buffer[:0], m, msgs.LittleEndian)
	if err != nil {
		return fmt.Errorf("publish %s: %w", p.topic, err)
	}
	p.buffer = payload
	return p.writer.Write(payload)
}

// PublishRaw sends a payload in CDR as it is.
func (p *Publisher[M]) PublishRaw(payload []byte) error { return p.writer.Write(payload) }

// Subscribers is how many subscriptions were found.
func (p *Publisher[M]) Subscribers() int { return p.writer.Matched() }

// WaitForSubscribers waits until that many subscriptions were found.
func (p *Publisher[M]) WaitForSubscribers(ctx context.Context, count int) error {
	return waitFor(ctx, "subscriptions to "+p.topic,
		func() bool { return p.Subscribers() >= count }, nil)
}

// Close ends the publisher.
func (p *Publisher[M]) Close() error { return p.writer.Close() }

// mismatch logs, in rclcpp's words, that an endpoint was found which will not talk to ours.
func (n *Node) mismatch(topic, other string) func(Mismatch) {
	return func(m Mismatch) {
		n.log.Warn(
			fmt.Sprintf("a %s on %s has incompatible QoS: no messages pass between it and this node", other,
				topic), "policy", m.Policy)
	}
}

// pollPeriod is how often conditions are looked at that the transport does not announce.
const pollPeriod = 2 * time.Millisecond

// faultPatience is how long something may stand in the way: what does not may be found after it.
const faultPatience = time.Second

// waitFor waits until it holds, or until fault, if not nil, has told of a fault for a while.
func waitFor(ctx context.Context, what string, holds func() bool, fault func() error) error {
	if holds() {
		return nil
	}
	tick := time.NewTicker(pollPeriod)
	defer tick.Stop()
	var since time.Time // when the fault was seen first
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", what, context.Cause(ctx))
		case <-tick.C:
			if holds() {
				return nil
			}
		}
		if fault == nil {
			continue
		}
		switch err := fault(); {
		case err == nil:
			since = time.Time{}
		case since.IsZero():
			since = time.Now()
		case time.Since(since) > faultPatience:
			return fmt.Errorf("wait for %s: %w", what, err)
		}
	}
}
