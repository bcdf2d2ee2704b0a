package gz

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/user"
	"sync"

	"github.com/go-zeromq/zmq4"
	"github.com/google/uuid"

	"stripswm/nodes/sim/gazebo"
	"stripswm/nodes/sim/gazebo/internal/message"
)

// Settings say where Gazebo is.
type Settings struct {
	// address of the interface to take part on, 127.0.0.1 for this machine's programs alone
	Host      string
	Partition string // programs of other partitions do not see one another
}

// FromEnvironment has what GZ_IP and GZ_PARTITION say, or IGN_IP and IGN_PARTITION; else the
// loopback interface, and gz-transport's own default for the partition, HOSTNAME:USER.
func FromEnvironment() Settings {
	either := func(name string) string { return cmp.Or(os.Getenv("GZ_"+name), os.Getenv("IGN_"+name)) }
	s := Settings{Host: cmp.Or(either("IP"), "127.0.0.1"), Partition: either("PARTITION")}
	if s.Partition == "" {
		name, _ := os.Hostname()
		s.Partition = name + ":"
		if u, err := user.Current(); err == nil {
			s.Partition += u.Username
		}
	}
	return s
}

// node takes part in the transport.
type node struct {
	prefix            string // of the partition's names
	process, self     string // identities
	topics, services  *discovery
	replies           zmq4.Socket // where services send their replies
	replyTo, receiver string      // its address and identity

	cancel context.CancelCauseFunc
	ctx    context.Context
	tasks  sync.WaitGroup

	mu        sync.Mutex
	sockets   []zmq4.Socket
	repliers  map[string]zmq4.Socket // by address
	unreplied map[string]chan bool   // by the request's identity: whether the service did it
}

func join(ctx context.Context, s Settings) (*node, error) {
	host := net.ParseIP(s.Host).To4()
	if host == nil {
		return nil, fmt.Errorf("GZ_IP is %q: want an address such as 127.0.0.1", s.Host)
	}
	n := &node{
		prefix: "@/" + s.Partition + "@", process: uuid.NewString(), self: uuid.NewString(),
		receiver: uuid.NewString(),
		repliers: map[string]zmq4.Socket{}, unreplied: map[string]chan bool{},
	}
	var err error
	if n.topics, err = discover(ctx, host, topicsPort, n.process); err != nil {
		return nil, err
	}
	if n.services, err = discover(ctx, host, servicesPort, n.process); err != nil {
		return nil, errors.Join(err, n.topics.conn.Close())
	}
	n.ctx, n.cancel = context.WithCancelCause(context.Background())
	n.replies = zmq4.NewRouter(n.ctx, zmq4.WithID(zmq4.SocketIdentity(n.receiver)))
	n.sockets = append(n.sockets, n.replies)
	context.AfterFunc(n.ctx, n.hangUp)
	if err := n.replies.Listen("tcp://" + net.JoinHostPort(s.Host, "0")); err != nil {
		n.cancel(err)
		return nil, fmt.Errorf("gz-transport: %w", err)
	}
	n.replyTo = "tcp://" + n.replies.Addr().String()
	for _, d := range []*discovery{n.topics, n.services} {
		n.start(d.listen)
		n.start(func() error { return d.watch(n.ctx) })
	}
	n.start(n.takeReplies)
	return n, nil
}

// start runs a task without which the node is of no use.
func (n *node) start(task func() error) {
	n.tasks.Go(func() {
		if err := task(); err != nil {
			n.cancel(err)
		}
	})
}

// hangUp says bye and closes everything, so that all that reads ends.
func (n *node) hangUp() {
	n.topics.say(notice{kind: bye})
	n.services.say(notice{kind: bye})
	n.topics.conn.Close()
	n.services.conn.Close()
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, s := range n.sockets {
		s.Close()
	}
}

// Close ends the connection.
func (n *node) Close() {
	n.cancel(net.ErrClosed)
	n.tasks.Wait()
}

// dial opens a socket to an address; the node closes it.
func (n *node) dial(s zmq4.Socket, address string) error {
	n.mu.Lock()
	ended := n.ctx.Err() != nil
	n.sockets = append(n.sockets, s)
	n.mu.Unlock()
	if ended {
		s.Close()
		return context.Cause(n.ctx)
	}
	if err := s.Dial(address); err != nil {
		return fmt.Errorf("%w: %w", gazebo.ErrGone, err)
	}
	return nil
}

// subscribe has messages of a topic handed on in order, once somebody has it.
func (n *node) subscribe(ctx context.Context, topic string, take func(data []byte) error) error {
	p, err := n.topics.find(ctx, n.prefix+topic)
	if err != nil {
		return err
	}
	s := zmq4.NewSub(n.ctx)
	if err := n.dial(s, p.address); err != nil {
		return err
	}
	if err := s.SetOption(zmq4.OptionSubscribe, p.topic); err != nil {
		return fmt.Errorf("gz-transport: topic %s: %w", topic, err)
	}
	n.topics.depend(p.process)
	// Who publishes does nothing until it is told that somebody wants it.
	p.control, p.process, p.node = p.process, n.process, n.self
	n.topics.insist(notice{kind: newConnection, pub: p})
	n.start(func() error {
		for {
			m, err := s.Recv()
			if err != nil {
				return fmt.Errorf("%w: topic %s: %w", gazebo.ErrGone, topic, err)
			}
			if len(m.Frames) != 4 {
				return fmt.Errorf("%w: topic %s: a message of %d frames; want 4", message.ErrWire, topic,
					len(m.Frames))
			}
			if string(m.Frames[0]) != p.topic {
				continue // its name begins with ours
			}
			if err := take(m.Frames[2]); err != nil {
				return fmt.Errorf("topic %s: %w", topic, err)
			}
		}
	})
	return nil
}

// Context ends with the connection.
func (n *node) Context() context.Context { return n.ctx }
