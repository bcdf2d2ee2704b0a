package ros

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"stripswm/msgs"
)

// Serve answers calls of a service, one after the other, in a goroutine of its own, until the node
// is closed:
//
//	err := ros.Serve(node, "reset",
//		func(ctx context.Context, _ *msgs.TriggerRequest) *msgs.TriggerResponse { ... })
//
// The context ends with the node. What does not decode is dropped, with a warning at most every ten
// seconds.
func Serve[Req, Res msgs.Message](n *Node, service string, handle func(context.Context,
	Req) Res,
) error {
	return serve(n, service, func(reply func(msgs.Message), req Req) { reply(handle(n.ctx, req)) })
}

// Trigger is Serve for a std_srvs/Trigger. What act returns is the message; an error makes the
// answer a failure.
func Trigger(n *Node, service string, act func(context.Context) (string, error)) error {
	return Serve(n, service, func(ctx context.Context,
		_ *msgs.TriggerRequest,
	) *msgs.TriggerResponse {
		text, err := act(ctx)
		if err != nil {
			return &msgs.TriggerResponse{Message: err.Error()}
		}
		return &msgs.TriggerResponse{Success: true, Message: text}
	})
}

// serveEach is Serve with a goroutine for each call, for handlers that wait.
func serveEach[Req, Res msgs.Message](n *Node, service string, handle func(context.Context,
	Req) (Res, bool),
) error {
	return serve(n, service, func(reply func(msgs.Message), req Req) {
		n.start(func(ctx context.Context) {
			if res, ok := handle(ctx, req); ok {
				reply(res)
			}
		})
	})
}

// serve gives each call to take, one after the other, in a goroutine of its own.
func serve[Req msgs.Message](n *Node, service string, take func(reply func(msgs.Message),
	req Req),
) error {
	full, typ, err := serviceNames[Req](n, service)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	requests := newQueue[Request](0)
	server, err := n.endpoints.NewResponder(full, typ, requests.push)
	if err != nil {
		return fmt.Errorf("serve %s: %w", full, err)
	}
	n.start(func(ctx context.Context) {
		var limit limiter
		for {
			r, ok := requests.pop(ctx)
			if !ok {
				return
			}
			req := newMessage[Req]()
			if err := msgs.UnmarshalNoCopy(r.Payload, req); err != nil {
				n.warnMalformed(&limit, full, err)
				continue
			}
			take(func(res msgs.Message) {
				payload, err := msgs.Marshal(res)
				if err == nil {
					err = server.Reply(r.ID, payload)
				}
				n.WarnOf("no reply from "+full, err)
			}, req)
		}
	})
	return nil
}

// serviceNames returns the absolute name, and the type of the service whose request has type Req.
func serviceNames[Req msgs.Message](n *Node, service string) (name, typ string, err error) {
	if name, err = n.Resolve(service); err != nil {
		return "", "", err
	}
	typ, ok := strings.CutSuffix(rosType[Req](), "_Request")
	if !ok {
		return "", "", fmt.Errorf("%s: %s is not the type of a request", name, rosType[Req]())
	}
	return name, typ, nil
}

// A Client calls a service. It may be used from several goroutines.
type Client[Req, Res msgs.Message] struct {
	name   string
	node   *Node
	caller Caller

	mu      sync.Mutex
	waiting map[int64]chan []byte
}

// NewClient makes a client of a service:
//
//	reset, err := ros.NewClient[*msgs.TriggerRequest, *msgs.TriggerResponse](node, "reset")
//	res, err := reset.Call(ctx, &msgs.TriggerRequest{})
func NewClient[Req, Res msgs.Message](n *Node, service string) (*Client[Req, Res], error) {
	full, typ, err := serviceNames[Req](n, service)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	c := &Client[Req, Res]{name: full, node: n, waiting: map[int64]chan []byte{}}
	if c.caller, err = n.endpoints.NewCaller(full, typ, c.arrived); err != nil {
		return nil, fmt.Errorf("client of %s: %w", full, err)
	}
	return c, nil
}

func (c *Client[Req, Res]) arrived(r Reply) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer, ok := c.waiting[r.Sequence]; ok {
		answer <- r.Payload
		delete(c.waiting, r.Sequence)
	}
}

// Name is the absolute name.
func (c *Client[Req, Res]) Name() string { return c.name }

// Ready reports whether a server has been found.
func (c *Client[Req, Res]) Ready() bool { return c.caller.Ready() }

// WaitForService waits until a server has been found. It is an error if none of those found can be
// called.
func (c *Client[Req, Res]) WaitForService(ctx context.Context) error {
	return waitFor(ctx, "service "+c.name, c.Ready, c.caller.Unusable)
}

// Call waits for a server and then for its answer, as long as the context and the node live.
func (c *Client[Req, Res]) Call(ctx context.Context, req Req) (Res, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(c.node.ctx, func() { cancel(ErrClosed) })
	defer stop()

	res := newMessage[Res]()
	payload, err := msgs.Marshal(req)
	if err != nil {
		return res, fmt.Errorf("call %s: %w", c.name, err)
	}
	if err := c.WaitForService(ctx); err != nil {
		return res, err
	}
	answer, sequence, err := c.send(payload)
	if err != nil {
		return res, fmt.Errorf("call %s: %w", c.name, err)
	}
	select {
	case payload = <-answer:
	case <-ctx.Done():
		c.mu.Lock()
		delete(c.waiting, sequence)
		c.mu.Unlock()
		return res, fmt.Errorf("call %s: no answer: %w", c.name, context.Cause(ctx))
	}
	if err := msgs.UnmarshalNoCopy(payload, res); err != nil {
		return res, fmt.Errorf("call %s: %w", c.name, err)
	}
	return res, nil
}

// send notes the request before the answer can arrive, which takes the same lock.
func (c *Client[Req, Res]) send(payload []byte) (chan []byte, int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	sequence, err := c.caller.Send(payload)
	if err != nil {
		return nil, 0, err
	}
	answer := make(chan []byte, 1)
	c.waiting[sequence] = answer
	return answer, sequence, nil
}

// Close ends the client. Calls under way get no answer.
func (c *Client[Req, Res]) Close() error { return c.caller.Close() }
