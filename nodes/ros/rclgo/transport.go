//go:build rclgo

package rclgo

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"stripswm/nodes/ros"
)

// A Transport is one rcl context. The environment says which domain and which rmw it has.
type Transport struct {
	context  *rclgo.Context
	executor *executor

	mu     sync.Mutex // held while rclgo makes and closes, which it does not do in several goroutines
	nodes  map[*node]bool
	closed bool
}

// receiveBuffers has rmw_cyclonedds ask for sockets with room for whole images, as package dds
// does: with its own 1 MB, half of a best-effort image of 640x480 is gone when the receiving thread
// does not run for a few milliseconds. What the user configures comes last and decides.
const receiveBuffers = `<CycloneDDS><Domain Id="any"><Internal><SocketReceiveBufferSize max="16MB"/></Internal></Domain></CycloneDDS>`

// Open makes a context, in an enclave of SROS 2 if it is not empty.
func Open(enclave string) (*Transport, error) {
	config := receiveBuffers
	if own := os.Getenv("CYCLONEDDS_URI"); own != "" {
		config += "," + own
	}
	if err := os.Setenv("CYCLONEDDS_URI", config); err != nil {
		return nil, fmt.Errorf("rclgo: open: %w", err)
	}
	var args *rclgo.Args
	if enclave != "" {
		var err error
		if args, _, err = rclgo.ParseArgs([]string{"--ros-args", "--enclave", enclave}); err != nil {
			return nil, fmt.Errorf("rclgo: open: %w", reason(err))
		}
	}
	c, err := rclgo.NewContextWithOpts(args, rclgo.NewDefaultContextOptions())
	if err != nil {
		return nil, fmt.Errorf("rclgo: open: %w", reason(err))
	}
	t := &Transport{context: c, nodes: map[*node]bool{}}
	if t.executor, err = newExecutor(handle(c, contextHandle)); err != nil {
		return nil, errors.Join(err, reason(c.Close()))
	}
	return t, nil
}

// AddNode makes a node.
func (t *Transport) AddNode(name ros.NodeName) (ros.Endpoints, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, fmt.Errorf("rclgo: node %s: %w", name, ros.ErrClosed)
	}
	rcl, err := t.context.NewNode(name.Name, name.Namespace)
	if err != nil {
		return nil, fmt.Errorf("rclgo: node %s: %w", name, reason(err))
	}
	n := &node{t: t, rcl: rcl, open: map[*endpoint]bool{}}
	t.nodes[n] = true
	return n, nil
}

// Nodes lists the nodes that one of the own nodes sees.
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
	if t.closed {
		t.mu.Unlock()
		return nil
	}
	t.closed = true
	nodes := make([]*node, 0, len(t.nodes))
	for n := range t.nodes {
		nodes = append(nodes, n)
	}
	t.mu.Unlock()
	var errs []error
	for _, n := range nodes {
		errs = append(errs, n.Close())
	}
	t.executor.close()
	return errors.Join(append(errs, reason(t.context.Close()))...)
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

// A node is one rcl node, which owns its endpoints.
type node struct {
	t   *Transport
	rcl *rclgo.Node

	mu     sync.Mutex
	open   map[*endpoint]bool
	closed bool
}

// Close ends the node and its endpoints.
func (n *node) Close() error {
	n.mu.Lock()
	if n.closed {
		n.mu.Unlock()
		return nil
	}
	n.closed = true
	open := n.open
	n.open = nil
	n.mu.Unlock()

	var errs []error
	for e := range open {
		errs = append(errs, e.Close())
	}
	n.t.mu.Lock()
	defer n.t.mu.Unlock()
	delete(n.t.nodes, n)
	return errors.Join(append(errs, reason(n.rcl.Close()))...)
}
