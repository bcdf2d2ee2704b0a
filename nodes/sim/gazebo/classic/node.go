package classic

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"

	"stripswm/nodes/sim/gazebo"
	"stripswm/nodes/sim/gazebo/internal/message"
)

// DefaultMaster is where Gazebo's master listens unless GAZEBO_MASTER_URI says otherwise.
const DefaultMaster = "http://127.0.0.1:11345"

// node takes part in the transport: it knows the master, and has connections of its own to
// whoever has a topic that it wants, or wants one that it has.
type node struct {
	master   net.Conn
	listener net.Listener // for those that want what we publish
	self     endpoint     // host and port of the listener

	cancel context.CancelCauseFunc
	ctx    context.Context
	tasks  sync.WaitGroup

	mu       sync.Mutex
	write    sync.Mutex // to the master
	handlers map[string]func(data []byte) error
	dialed   map[endpoint]bool
	subs     map[string][]net.Conn // who has subscribed to what we publish
	changed  chan struct{}         // closed and made again when subs or worlds change
	worlds   []string
	conns    map[net.Conn]bool
}

// dial connects to the master at uri, http://HOST:PORT as in GAZEBO_MASTER_URI.
func dial(ctx context.Context, uri string) (*node, error) {
	address := strings.TrimSuffix(strings.TrimPrefix(uri, "http://"), "/")
	if _, _, err := net.SplitHostPort(address); err != nil {
		return nil, fmt.Errorf("gazebo's master %q: want http://HOST:PORT: %w", uri, err)
	}
	master, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%w: no master at %s: %w", gazebo.ErrGone, uri, err)
	}
	host := master.LocalAddr().(*net.TCPAddr).IP.String()
	listener, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return nil, errors.Join(err, master.Close())
	}
	n := &node{
		master: master, listener: listener,
		self:     endpoint{host: host, port: listener.Addr().(*net.TCPAddr).Port},
		handlers: map[string]func([]byte) error{}, dialed: map[endpoint]bool{},
		subs:    map[string][]net.Conn{},
		changed: make(chan struct{}), conns: map[net.Conn]bool{master: true},
	}
	n.ctx, n.cancel = context.WithCancelCause(context.Background())
	context.AfterFunc(n.ctx, n.hangUp)
	n.start(func() error { return n.read(master, n.told) })
	n.start(n.accept)
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

// hangUp closes everything, so that all that reads ends.
func (n *node) hangUp() {
	n.listener.Close()
	n.mu.Lock()
	defer n.mu.Unlock()
	for c := range n.conns {
		c.Close()
	}
}

// Close ends the connection.
func (n *node) Close() {
	n.cancel(net.ErrClosed)
	n.tasks.Wait()
}

// keep has a connection closed with the node. It returns false where that has ended.
func (n *node) keep(c net.Conn) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ctx.Err() != nil {
		c.Close()
		return false
	}
	n.conns[c] = true
	return true
}

func (n *node) drop(c net.Conn) {
	c.Close()
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.conns, c)
	for topic, conns := range n.subs {
		for i, other := range conns {
			if other == c {
				n.subs[topic] = append(conns[:i:i], conns[i+1:]...)
				break
			}
		}
	}
}

// read hands on what comes from a connection until it ends, which is an error.
func (n *node) read(c net.Conn, take func(data []byte) error) error {
	r := bufio.NewReaderSize(c, 1<<16)
	for {
		data, err := readMessage(r)
		if err != nil {
			return fmt.Errorf("%w: %s: %w", gazebo.ErrGone, c.RemoteAddr(), err)
		}
		if err := take(data); err != nil {
			return err
		}
	}
}

// told takes what the master says.
func (n *node) told(data []byte) error {
	p, err := parsePacket(data)
	if err != nil {
		return err
	}
	switch p.kind {
	case "version_init":
		version, err := parseStrings(p.data)
		if err != nil || len(version) != 1 || !strings.HasPrefix(version[0], "gazebo ") {
			return fmt.Errorf("%w: the master's version is %q", message.ErrWire, version)
		}
	case "topic_namepaces_init", "topic_namespace_add":
		worlds, err := parseStrings(p.data)
		if err != nil {
			return err
		}
		n.mu.Lock()
		n.worlds = append(n.worlds, worlds...)
		n.tell()
		n.mu.Unlock()
	case "publisher_subscribe", "publisher_advertise", "publisher_add":
		e, err := parsePublish(p.data)
		if err != nil {
			return err
		}
		n.connect(e)
	}
	return nil
}

// tell wakes who waits for a change. The lock is held.
func (n *node) tell() {
	close(n.changed)
	n.changed = make(chan struct{})
}

// say sends the master a packet.
func (n *node) say(kind string, data []byte) error {
	n.write.Lock()
	defer n.write.Unlock()
	return writeMessage(n.master, packet{kind, data}.marshal())
}

// Context ends with the connection.
func (n *node) Context() context.Context { return n.ctx }
