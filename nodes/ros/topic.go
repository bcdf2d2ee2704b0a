package ros

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"stripswm/msgs"
)

// QoS is the quality of service that an endpoint offers or asks for. The zero QoS is not usable;
// begin with a profile:
//
//	q := ros.SensorData
//	q.Depth = 1
type QoS struct {
	BestEffort     bool          // may lose messages instead of sending them again
	TransientLocal bool          // a late subscription gets the last Depth messages
	KeepAll        bool          // no bound; Depth does not count
	Depth          int           // messages kept, 1 or more
	Lifespan       time.Duration // after which a message is not delivered any more; 0 is for ever
}

// Profiles of ROS 2 (rmw/qos_profiles.h), and those that it uses for its own topics.
var (
	Default         = QoS{Depth: 10}
	SensorData      = QoS{BestEffort: true, Depth: 5}
	ParameterEvents = QoS{Depth: 1000}
	Latched         = QoS{TransientLocal: true, Depth: 1}
	ClockQoS        = QoS{BestEffort: true, Depth: 1}
	Rosout          = QoS{TransientLocal: true, Depth: 1000, Lifespan: 10 * time.Second}
)

// Calls is the QoS of requests and replies. ROS 2's own profile keeps ten: of more calls at once
// the oldest would be lost without a word, and their clients would wait for ever.
var Calls = QoS{KeepAll: true}

// String is the profile in ROS's words: "reliable volatile keep_last(10)".
func (q QoS) String() string {
	words := []string{"reliable", "volatile", fmt.Sprintf("keep_last(%d)", q.Depth)}
	if q.BestEffort {
		words[0] = "best_effort"
	}
	if q.TransientLocal {
		words[1] = "transient_local"
	}
	if q.KeepAll {
		words[2] = "keep_all"
	}
	return strings.Join(words, " ")
}

func (q QoS) check() error {
	if !q.KeepAll && q.Depth < 1 {
		return fmt.Errorf("qos depth is %d: it must be 1 or more", q.Depth)
	}
	if q.Lifespan < 0 {
		return fmt.Errorf("qos lifespan is %v: it must not be negative", q.Lifespan)
	}
	return nil
}

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

// A queue hands values from the transport's goroutine, which must not wait, to the one that handles
// them. A full queue lets go of its oldest value.
type queue[T any] struct {
	max int // 0 is no bound

	mu      sync.Mutex
	items   []T
	dropped uint64
	wake    chan struct{} // holds one token while there may be items
}

func newQueue[T any](max int) *queue[T] {
	return &queue[T]{max: max, wake: make(chan struct{}, 1)}
}

func (q *queue[T]) push(v T) {
	q.mu.Lock()
	if q.max > 0 && len(q.items) == q.max {
		copy(q.items, q.items[1:])
		q.items[len(q.items)-1] = v
		q.dropped++
	} else {
		q.items = append(q.items, v)
	}
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// pop waits for a value; it returns false when the context has ended.
func (q *queue[T]) pop(ctx context.Context) (T, bool) {
	for {
		if ctx.Err() != nil {
			var zero T
			return zero, false
		}
		if v, ok := q.take(); ok {
			return v, true
		}
		select {
		case <-q.wake:
		case <-ctx.Done():
		}
	}
}

func (q *queue[T]) take() (v T, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return v, false
	}
	v = q.items[0]
	n := copy(q.items, q.items[1:])
	var zero T
	q.items[n] = zero // lets the payload go
	q.items = q.items[:n]
	return v, true
}

func (q *queue[T]) lost() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dropped
}
