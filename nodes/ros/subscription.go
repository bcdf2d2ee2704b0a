package ros

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"stripswm/msgs"
)

// A Subscription receives messages of one topic until it is closed.
type Subscription struct {
	topic   string
	reader  Reader
	cancel  context.CancelFunc
	queue   *queue[Sample]
	refused atomic.Uint64
}

// Info is what is known of a message besides its fields.
type Info struct {
	Sent     time.Time // by the clock of the publisher's machine
	Received time.Time // by this machine's clock, when the transport got it
	// the CDR that the message was decoded from, which shares its bytes; the handler owns both
	Payload []byte
	Writer  uint64 // tells the publishers of the topic apart
	Number  uint64 // the publisher's count of its messages; 0 where there is none
}

// Subscribe has handle called for each message, one after the other, each subscription in a
// goroutine of its own:
//
//	sub, err := ros.Subscribe(node, "image", ros.SensorData, func(m *msgs.Image, _ ros.Info) { ... })
//
// While a handler runs, the newest messages wait, as many as the depth of the quality of service.
// What does not decode is dropped, with a warning at most every ten seconds.
func Subscribe[M msgs.Message](n *Node, topic string, q QoS,
	handle func(M, Info),
) (*Subscription, error) {
	return SubscribeRaw(n, topic, rosType[M](), q, func(s Sample) error {
		m := newMessage[M]()
		if err := msgs.UnmarshalNoCopy(s.Payload, m); err != nil {
			return err
		}
		handle(m, Info{Sent: s.Sent, Received: s.Received, Payload: s.Payload, Writer: s.Writer,
			Number: s.Number})
		return nil
	})
}

// SubscribeRaw is Subscribe for payloads in CDR; an error from handle says that a payload is not of
// that type.
func SubscribeRaw(n *Node, topic, rosType string, q QoS,
	handle func(Sample) error,
) (*Subscription, error) {
	full, err := n.Resolve(topic)
	if err != nil {
		return nil, fmt.Errorf("subscribe: %w", err)
	}
	if err := q.check(); err != nil {
		return nil, fmt.Errorf("subscribe %s: %w", full, err)
	}
	depth := q.Depth
	if q.KeepAll {
		depth = 0
	}
	ctx, cancel := context.WithCancel(n.ctx)
	s := &Subscription{topic: full, cancel: cancel, queue: newQueue[Sample](depth)}
	if s.reader, err = n.endpoints.NewReader(full, rosType, q, s.queue.push,
		n.mismatch(full, "publisher")); err != nil {
		cancel()
		return nil, fmt.Errorf("subscribe %s: %w", full, err)
	}
	n.start(func(context.Context) {
		defer cancel()
		var limit limiter
		for {
			sample, ok := s.queue.pop(ctx)
			if !ok {
				return
			}
			if err := handle(sample); err != nil {
				s.refused.Add(1)
				n.warnMalformed(&limit, full, err)
			}
		}
	})
	return s, nil
}

// Topic is the absolute name.
func (s *Subscription) Topic() string { return s.topic }

// Publishers is how many publishers were found.
func (s *Subscription) Publishers() int { return s.reader.Matched() }

// WaitForPublishers waits until that many publishers were found.
func (s *Subscription) WaitForPublishers(ctx context.Context, count int) error {
	return waitFor(ctx, "publishers of "+s.topic, func() bool { return s.Publishers() >= count }, nil)
}

// Dropped counts messages that newer ones pushed out while the handler was busy.
func (s *Subscription) Dropped() uint64 { return s.queue.lost() }

// Malformed counts messages that did not decode.
func (s *Subscription) Malformed() uint64 { return s.refused.Load() }

// Close ends the subscription. A handler that runs comes to its end.
func (s *Subscription) Close() error {
	s.cancel()
	return s.reader.Close()
}

// A limiter lets one warning through in ten seconds, and counts the others.
type limiter struct {
	mu    sync.Mutex
	last  time.Time
	count int
}

const warnEvery = 10 * time.Second

func (l *limiter) allow(now time.Time) (count int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count++
	if !l.last.IsZero() && now.Sub(l.last) < warnEvery {
		return 0, false
	}
	count, l.count, l.last = l.count, 0, now
	return count, true
}

func (n *Node) warnMalformed(l *limiter, name string, err error) {
	if count, ok := l.allow(time.Now()); ok {
		n.log.Warn("dropped what does not decode on "+name, "messages", count, "error", err)
	}
}
