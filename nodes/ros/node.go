package ros

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"
)

// A Node is one participant of the ROS graph: a name, parameters, a clock, a log, and the endpoints
// made with it.
type Node struct {
	name      NodeName
	args      Args
	endpoints Endpoints
	log       *slog.Logger
	rosout    *rosout
	params    *paramSet
	clock     *Clock

	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup
	once   sync.Once
}

// Options are what a program decides about a node. The zero Options are ready to use.
type Options struct {
	Namespace string    // until a __ns rule replaces it; "" is "/"
	Log       io.Writer // where the log is printed; nil is standard error
}

// NewNode makes a node of that name, unless the arguments rename it. It has the parameter
// use_sim_time, the parameter services and /rosout from the start, and warns when another node has
// its name. It lives until Close.
func NewNode(t Transport, name string, args Args, o Options) (*Node, error) {
	full := NodeName{Namespace: "/", Name: name}
	if o.Namespace != "" {
		full.Namespace = o.Namespace
	}
	full = args.rename(full)
	if err := checkNodeName(full); err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = os.Stderr
	}
	endpoints, err := t.AddNode(full)
	if err != nil {
		return nil, fmt.Errorf("node %s: %w", full, err)
	}
	n := &Node{name: full, args: args, endpoints: endpoints}
	n.ctx, n.cancel = context.WithCancel(context.Background())
	n.clock = newClock()
	n.rosout = newRosout(n, o.Log)
	n.log = slog.New(n.rosout.handler())
	n.params = newParamSet(n)
	if err := n.equip(); err != nil {
		return nil, errors.Join(fmt.Errorf("node %s: %w", full, err), n.Close())
	}
	n.start(func(ctx context.Context) { n.watchNamesakes(ctx, t) })
	return n, nil
}

// equip gives the node what every ROS node has.
func (n *Node) equip() error {
	if err := n.rosout.advertise(); err != nil {
		return err
	}
	if err := n.params.serve(); err != nil {
		return err
	}
	_, err := Declare(n, "use_sim_time", false, Describe[bool]{
		Text:   "take the time from /clock",
		Accept: n.useSimTime,
	})
	return err
}

// Name is the node's name, after renaming.
func (n *Node) Name() NodeName { return n.name }

// Log prints to standard error and publishes on /rosout.
func (n *Node) Log() *slog.Logger { return n.log }

// Clock is the time that the node lives in.
func (n *Node) Clock() *Clock { return n.clock }

// Received is when a message was received, by the node's clock.
func (n *Node) Received(i Info) time.Time {
	if n.clock.Simulated() {
		return n.clock.Now()
	}
	return i.Received
}

// Context ends when the node is closed.
func (n *Node) Context() context.Context { return n.ctx }

// Resolve returns the absolute name that a topic or service has for the node, with remap rules
// applied.
func (n *Node) Resolve(name string) (string, error) { return resolve(name, n.name, n.args.remaps) }

// Close ends the node: its endpoints, and the handlers that run, whose contexts end and which it
// waits for. So a handler must not call it.
func (n *Node) Close() error {
	var err error
	n.once.Do(func() {
		n.cancel()
		err = n.endpoints.Close()
		n.work.Wait()
	})
	return err
}

// start runs f in a goroutine that Close waits for.
func (n *Node) start(f func(context.Context)) {
	n.work.Add(1)
	go func() {
		defer n.work.Done()
		f(n.ctx)
	}()
}
