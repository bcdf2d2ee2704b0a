//go:build rclgo

package rclgo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"stripswm/nodes/ros"
)

// A Transport is one rcl context. The environment says which domain and which rmw it has.
type Transport struct {
	context *rclgo.Context

	mu    sync.Mutex // held while endpoints come and go
	nodes map[*node]bool
	stop  context.CancelFunc // of the spin that runs, or nil
	done  chan struct{}      // closed when it has ended
}

// Open makes a context.
func Open() (*Transport, error) {
	c, err := rclgo.NewContextWithOpts(nil, rclgo.NewDefaultContextOptions())
	if err != nil {
		return nil, fmt.Errorf("rclgo: open: %w", err)
	}
	return &Transport{context: c, nodes: map[*node]bool{}}, nil
}

// change runs f while nothing spins, since what rclgo waits for is fixed when a spin begins. Callbacks run on the spin's
// goroutine and so must not call it.
func (t *Transport) change(f func() error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.context == nil {
		return fmt.Errorf("rclgo: %w", ros.ErrClosed)
	}
	t.halt()
	defer t.spin()
	return f()
}

// unlessClosed is change for what closing the transport has done already.
func (t *Transport) unlessClosed(f func() error) error {
	if err := t.change(f); !errors.Is(err, ros.ErrClosed) {
		return err
	}
	return nil
}

func (t *Transport) halt() {
	if t.stop == nil {
		return
	}
	t.stop()
	<-t.done
	t.stop = nil
}

// respite is the time before a spin that failed begins again.
const respite = 100 * time.Millisecond

func (t *Transport) spin() {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	t.stop, t.done = stop, done
	c := t.context
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			_ = c.Spin(ctx) // its normal end is an error too
			select {
			case <-ctx.Done():
			case <-time.After(respite):
			}
		}
	}()
}

// AddNode makes a node.
func (t *Transport) AddNode(name ros.NodeName) (ros.Endpoints, error) {
	n := &node{t: t}
	err := t.change(func() (err error) {
		if n.rcl, err = t.context.NewNode(name.Name, name.Namespace); err != nil {
			return fmt.Errorf("rclgo: node %s: %w", name, err)
		}
		t.nodes[n] = true
		return nil
	})
	return n, err
}

// Nodes lists the nodes that the first of the own nodes sees.
func (t *Transport) Nodes() []ros.NodeName {
	t.mu.Lock()
	defer t.mu.Unlock()
	for n := range t.nodes {
		names, namespaces, err := n.rcl.GetNodeNames()
		if err != nil {
			continue
		}
		all := make([]ros.NodeName, len(names))
		for i := range names {
			all[i] = ros.NodeName{Namespace: namespaces[i], Name: names[i]}
		}
		slices.SortFunc(all, func(a, b ros.NodeName) int { return cmp.Compare(a.String(), b.String()) })
		return all
	}
	return nil
}

// Close ends all nodes.
func (t *Transport) Close() error {
	t.mu.Lock()
	nodes := make([]*node, 0, len(t.nodes))
	for n := range t.nodes {
		nodes = append(nodes, n)
	}
	t.mu.Unlock()
	var errs []error
	for _, n := range nodes {
		errs = append(errs, n.Close())
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.context == nil {
		return nil
	}
	t.halt()
	errs = append(errs, t.context.Close())
	t.context = nil
	return errors.Join(errs...)
}

func profile(q ros.QoS) rclgo.QosProfile {
	p := rclgo.NewDefaultQosProfile()
	p.Depth, p.Lifespan = q.Depth, q.Lifespan
	if q.KeepAll {
		p.History = rclgo.HistoryKeepAll
	}
	if q.BestEffort {
		p.Reliability = rclgo.ReliabilityBestEffort
	}
	if q.TransientLocal {
		p.Durability = rclgo.DurabilityTransientLocal
	}
	return p
}
