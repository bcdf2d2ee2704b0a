package gazebo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"
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
		return nil, fmt.Errorf("%w: no master at %s: %w", ErrGone, uri, err)
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
			return fmt.Errorf("%w: %s: %w", ErrGone, c.RemoteAddr(), err)
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
			return fmt.Errorf("%w: the master's version is %q", errWire, version)
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
			return fmt.Errorf("%w: topic %s: %w", ErrGone, e.topic, err)
		}
		if !n.keep(c) {
			return nil
		}
		defer n.drop(c)
		self := n.self
		self.topic, self.kind = e.topic, e.kind
		if err := writeMessage(c, packet{"sub", self.subscribe()}.marshal()); err != nil {
			return fmt.Errorf("%w: topic %s: %w", ErrGone, e.topic, err)
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
					return fmt.Errorf("%w: topic %s: %w", ErrGone, topic, err)
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
		return fmt.Errorf("%w: packet %q where a subscription was to be: %w", errWire, p.kind,
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

// packet is what master and peers tell each other about topics.
type packet struct {
	kind string
	data []byte
}

// marshal writes gazebo.msgs.Packet, which has to have a stamp, that nobody reads.
func (p packet) marshal() []byte {
	var b []byte
	b = appendBytes(b, 1, appendVarint(appendVarint(nil, 1, 0), 2, 0))
	b = appendText(b, 2, p.kind)
	return appendBytes(b, 3, p.data)
}

func parsePacket(data []byte) (p packet, err error) {
	err = scan(data, wanted{2: &p.kind, 3: &p.data})
	return p, err
}

// endpoint is who has a topic, or wants it: gazebo.msgs.Publish and Subscribe, whose fields
// are numbered in different orders.
type endpoint struct {
	topic, kind string // kind such as gazebo.msgs.Model
	host        string
	port        int
}

func (e endpoint) address() string { return net.JoinHostPort(e.host, strconv.Itoa(e.port)) }

func (e endpoint) publish() []byte {
	b := appendText(nil, 1, e.topic)
	b = appendText(b, 2, e.kind)
	b = appendText(b, 3, e.host)
	return appendVarint(b, 4, uint64(e.port))
}

func parsePublish(data []byte) (endpoint, error) { return parseEndpoint(data, 1, 2, 3, 4) }

func (e endpoint) subscribe() []byte {
	b := appendText(nil, 1, e.topic)
	b = appendText(b, 2, e.host)
	b = appendVarint(b, 3, uint64(e.port))
	b = appendText(b, 4, e.kind)
	return appendVarint(b, 5, 0) // no latching: what was before is of no use
}

func parseSubscribe(data []byte) (endpoint, error) { return parseEndpoint(data, 1, 4, 2, 3) }

// parseEndpoint reads one whose fields have these numbers.
func parseEndpoint(data []byte, topic, kind, host, port protowire.Number) (e endpoint, err error) {
	var number uint64
	err = scan(data, wanted{topic: &e.topic, kind: &e.kind, host: &e.host, port: &number})
	e.port = int(uint16(number))
	return e, err
}

// parseStrings reads gazebo.msgs.GzString and GzString_V.
func parseStrings(data []byte) (all []string, err error) {
	err = scan(data, wanted{1: func(text []byte) error {
		all = append(all, string(text))
		return nil
	}})
	return all, err
}

// maxMessage bounds a message: an image of 4096 x 4096 has 50 MB.
const maxMessage = 64 << 20

// headBytes are the hexadecimal digits of a message's length.
const headBytes = 8

// writeMessage writes a message with its length before it.
func writeMessage(w io.Writer, data []byte) error {
	framed := make([]byte, 0, headBytes+len(data))
	framed = fmt.Appendf(framed, "%08x", len(data))
	_, err := w.Write(append(framed, data...))
	return err
}

// readMessage reads one. It ends with io.EOF between two messages.
func readMessage(r *bufio.Reader) ([]byte, error) {
	var head [headBytes]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n, err := strconv.ParseUint(string(head[:]), 16, 32)
	if err != nil {
		return nil, fmt.Errorf("%w: %q is not a length", errWire, head)
	}
	if n > maxMessage {
		return nil, fmt.Errorf("%w: a message of %d bytes", errWire, n)
	}
	data := make([]byte, n)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, fmt.Errorf("message of %d bytes: %w", n, io.ErrUnexpectedEOF)
	}
	return data, nil
}
