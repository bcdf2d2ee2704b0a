package ros

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"stripswm/msgs"
)

// Serve answers calls of a service, one after the other, in a goroutine of its own:
//
//	err := ros.Serve(node, "reset",
//		func(ctx context.Context, _ *msgs.TriggerRequest) *msgs.TriggerResponse { ... })
//
// The context ends with the node. What does not decode is dropped, with a warning at most every ten
// seconds.
func Serve[Req, Res msgs.Message](n *Node, service string, handle func(context.Context,
	Req) Res,
) (*Service, error) {
	return serve(n, service, func(s *Service, id RequestID, req Req) {
		s.reply(id, handle(s.ctx, req))
	})
}

// offer is Serve for one of several services that live as long as the node. It does nothing after
// an error.
func offer[Req, Res msgs.Message](n *Node, err *error, service string,
	handle func(context.Context, Req) Res,
) {
	if *err == nil {
		_, *err = Serve(n, service, handle)
	}
}

// serveEach is Serve with a goroutine for each call, for handlers that wait.
func serveEach[Req, Res msgs.Message](n *Node, service string, handle func(context.Context,
	Req) (Res, bool),
) (*Service, error) {
	return serve(n, service, func(s *Service, id RequestID, req Req) {
		n.start(func(context.Context) {
			if res, ok := handle(s.ctx, req); ok {
				s.reply(id, res)
			}
		})
	})
}

// serve gives each call to take, one after the other, in a goroutine of its own.
func serve[Req msgs.Message](n *Node, service string, take func(*Service, RequestID,
	Req),
) (*Service, error) {
	s, requests, err := newService[Req](n, service)
	if err != nil {
		return nil, err
	}
	n.start(func(context.Context) {
		for {
			r, ok := requests.pop(s.ctx)
			if !ok {
				return
			}
			if req, ok := decodeRequest[Req](s, r); ok {
				take(s, r.ID, req)
			}
		}
	})
	return s, nil
}

// A Service is the server's side of a service.
type Service struct {
	name   string
	node   *Node
	server Responder
	limit  limiter
	ctx    context.Context
	cancel context.CancelFunc
}

func newService[Req msgs.Message](n *Node, service string) (*Service, *queue[Request], error) {
	full, typ, err := serviceNames[Req](n, service)
	if err != nil {
		return nil, nil, fmt.Errorf("serve: %w", err)
	}
	s := &Service{name: full, node: n}
	requests := newQueue[Request](0)
	s.ctx, s.cancel = context.WithCancel(n.ctx)
	if s.server, err = n.endpoints.NewResponder(full, typ, requests.push); err != nil {
		s.cancel()
		return nil, nil, fmt.Errorf("serve %s: %w", full, err)
	}
	return s, requests, nil
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

func decodeRequest[Req msgs.Message](s *Service, r Request) (Req, bool) {
	req := newMessage[Req]()
	if err := msgs.UnmarshalNoCopy(r.Payload, req); err != nil {
		s.node.warnMalformed(&s.limit, s.name, err)
		return req, false
	}
	return req, true
}

func (s *Service) reply(id RequestID, res msgs.Message) {
	payload, err := msgs.Marshal(res)
	if err == nil {
		err = s.server.Reply(id, payload)
	}
	if err != nil && s.ctx.Err() == nil {
		s.node.log.Warn("no reply from "+s.name, "error", err)
	}
}

// Close ends the service.
func (s *Service) Close() error {
	s.cancel()
	return s.server.Close()
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
