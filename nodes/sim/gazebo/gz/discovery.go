package gz

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/net/ipv4"
	"golang.org/x/sys/unix"

	"stripswm/nodes/sim/gazebo"
)

// Where processes tell one another what they have.
var group = net.IPv4(239, 255, 0, 7)

const (
	topicsPort   = 10317
	servicesPort = 10318
)

const (
	beat    = time.Second            // between the signs of life that every process gives
	silence = 3 * beat               // after which a process is gone
	asking  = 200 * time.Millisecond // between two questions for a topic
)

// discovery knows who has what topics, or what services.
type discovery struct {
	process string // ours
	conn    *net.UDPConn
	to      *net.UDPAddr

	mu      sync.Mutex
	found   map[string]publication // by topic
	heard   map[string]time.Time   // last sign of life, by process
	needed  map[string]bool        // processes that the node does not outlive
	again   []notice               // told with every sign of life
	changed chan struct{}          // closed and made again with every change
}

// discover takes part in what is told on the interface that has an address.
func discover(ctx context.Context, host net.IP, port int, process string) (*discovery, error) {
	on, err := interfaceOf(host)
	if err != nil {
		return nil, err
	}
	shared := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		var failed error
		err := c.Control(func(fd uintptr) {
			failed = errors.Join(unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEADDR, 1),
				unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEPORT, 1))
		})
		return errors.Join(err, failed)
	}}
	// the group's datagrams, and no others
	conn, err := shared.ListenPacket(ctx, "udp4", fmt.Sprintf("%v:%d", group, port))
	if err != nil {
		return nil, fmt.Errorf("gz-transport's discovery: %w", err)
	}
	p := ipv4.NewPacketConn(conn)
	to := &net.UDPAddr{IP: group, Port: port}
	if err := errors.Join(p.JoinGroup(on, to), p.SetMulticastInterface(on),
		p.SetMulticastLoopback(true)); err != nil {
		return nil, errors.Join(fmt.Errorf("gz-transport's discovery on %s: %w", on.Name, err),
			conn.Close())
	}
	return &discovery{
		process: process, conn: conn.(*net.UDPConn), to: to,
		found: map[string]publication{}, heard: map[string]time.Time{}, needed: map[string]bool{},
		changed: make(chan struct{}),
	}, nil
}

// interfaceOf finds the interface that has an address.
func interfaceOf(host net.IP) (*net.Interface, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	for _, i := range all {
		addresses, err := i.Addrs()
		if err != nil {
			return nil, err
		}
		for _, a := range addresses {
			if n, ok := a.(*net.IPNet); ok && n.IP.Equal(host) {
				return &i, nil
			}
		}
	}
	return nil, fmt.Errorf("no interface has the address %v: set GZ_IP to one that has Gazebo", host)
}

func (d *discovery) say(n notice) error {
	n.process = d.process
	_, err := d.conn.WriteTo(n.marshal(), d.to)
	return err
}

// depend has watch end when a process does.
func (d *discovery) depend(process string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.needed[process] = true
}

// insist says something now, and again with every sign of life.
func (d *discovery) insist(n notice) {
	d.say(n) // if that fails, so will the sign of life, which ends the node
	d.mu.Lock()
	defer d.mu.Unlock()
	d.again = append(d.again, n)
}

// listen takes what is told until the connection is closed.
func (d *discovery) listen() error {
	datagram := make([]byte, maxNotice)
	for {
		size, _, err := d.conn.ReadFrom(datagram)
		if err != nil {
			return err
		}
		// others' versions are not our concern
		if n, err := parseNotice(datagram[:size]); err == nil && n.process != d.process {
			d.take(n)
		}
	}
}

func (d *discovery) take(n notice) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.heard[n.process] = time.Now()
	switch n.kind {
	case advertise:
		d.found[n.pub.topic] = n.pub
	case unadvertise:
		delete(d.found, n.pub.topic)
	case bye:
		delete(d.heard, n.process)
	default:
		return
	}
	close(d.changed)
	d.changed = make(chan struct{})
}

// find asks for a topic until somebody has it.
func (d *discovery) find(ctx context.Context, topic string) (publication, error) {
	ask := time.NewTicker(asking)
	defer ask.Stop()
	for {
		d.mu.Lock()
		p, ok := d.found[topic]
		alive, changed := d.alive(p.process), d.changed
		d.mu.Unlock()
		if ok && alive {
			return p, nil
		}
		if err := d.say(notice{kind: subscribe, topic: topic}); err != nil {
			return p, fmt.Errorf("gz-transport's discovery: %w", err)
		}
		select {
		case <-changed:
		case <-ask.C:
		case <-ctx.Done():
			return p, fmt.Errorf("%w: nobody has %s%s: %w", gazebo.ErrGone, topic, d.others(topic),
				context.Cause(ctx))
		}
	}
}

// others says who was heard instead, which tells a wrong name from a wrong interface.
func (d *discovery) others(topic string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.heard) == 0 {
		return ": no Gazebo is heard; does it run with the same GZ_IP?"
	}
	partition, _, _ := strings.Cut(strings.TrimPrefix(topic, "@"), "@")
	for other := range d.found {
		if p, _, _ := strings.Cut(strings.TrimPrefix(other, "@"), "@"); p != partition {
			return fmt.Sprintf(": somebody has %s; is GZ_PARTITION the same?", other)
		}
	}
	return ""
}

// alive says whether a process has given a sign of life lately. The lock is held.
func (d *discovery) alive(process string) bool { return time.Since(d.heard[process]) < silence }

// watch gives signs of life, and returns when a process that is needed has given none for long.
func (d *discovery) watch(ctx context.Context) error {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		d.mu.Lock()
		changed, again := d.changed, append([]notice{{kind: heartbeat}}, d.again...)
		for p := range d.needed {
			if !d.alive(p) {
				d.mu.Unlock()
				return fmt.Errorf("%w: it has given no sign of life for %v, or said bye", gazebo.ErrGone,
					silence)
			}
		}
		d.mu.Unlock()
		select {
		case <-changed:
		case <-tick.C:
			for _, n := range again {
				if err := d.say(n); err != nil {
					return fmt.Errorf("gz-transport's discovery: %w", err)
				}
			}
		case <-ctx.Done():
			return nil
		}
	}
}
