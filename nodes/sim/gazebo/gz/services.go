package gz

import (
	"context"
	"fmt"

	"github.com/go-zeromq/zmq4"
	"github.com/google/uuid"

	"stripswm/nodes/sim/gazebo/internal/message"
)

// call asks a service for something, once somebody has it, and returns whether it did it.
func (n *node) call(ctx context.Context, service string, data []byte) (bool, error) {
	p, err := n.services.find(ctx, n.prefix+service)
	if err != nil {
		return false, err
	}
	n.services.depend(p.process)
	replier, err := n.replier(p.address)
	if err != nil {
		return false, err
	}
	request, replied := uuid.NewString(), make(chan bool, 1)
	n.expect(request, replied)
	defer n.expect(request, nil)
	m := zmq4.NewMsgFrom([]byte(p.topic), []byte(n.replyTo), []byte(n.receiver), []byte(n.self),
		[]byte(request), data, []byte(p.request), []byte(p.response))
	if err := replier.SendMulti(m); err != nil {
		return false, fmt.Errorf("service %s: %w", service, err)
	}
	select {
	case did := <-replied:
		return did, nil
	case <-n.ctx.Done():
		return false, context.Cause(n.ctx)
	case <-ctx.Done():
		return false, fmt.Errorf("service %s: %w", service, context.Cause(ctx))
	}
}

// replier is the connection to who answers at an address.
func (n *node) replier(address string) (zmq4.Socket, error) {
	n.mu.Lock()
	s := n.repliers[address]
	n.mu.Unlock()
	if s != nil {
		return s, nil
	}
	s = zmq4.NewDealer(n.ctx)
	if err := n.dial(s, address); err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.repliers[address] = s
	return s, nil
}

// expect has a request's reply go to a channel; to none if that is nil.
func (n *node) expect(request string, replied chan bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.unreplied[request] = replied; replied == nil {
		delete(n.unreplied, request)
	}
}

// takeReplies hands replies on: who sent it, topic, node, request, data, and 1 or 0.
func (n *node) takeReplies() error {
	for {
		m, err := n.replies.Recv()
		if err != nil {
			return fmt.Errorf("gz-transport: replies: %w", err)
		}
		if len(m.Frames) != 6 {
			return fmt.Errorf("%w: a reply of %d frames; want 6", message.ErrWire, len(m.Frames))
		}
		n.mu.Lock()
		replied := n.unreplied[string(m.Frames[3])]
		n.mu.Unlock()
		did, err := parseBoolean(m.Frames[4])
		if err != nil {
			return err
		}
		if replied != nil {
			replied <- did && string(m.Frames[5]) == "1"
			n.expect(string(m.Frames[3]), nil) // one reply a request
		}
	}
}
