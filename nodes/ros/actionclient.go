package ros

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"stripswm/msgs"
)

// ErrRejected is returned for a goal that the server did not accept.
var ErrRejected = errors.New("goal rejected")

// An ActionClient sends goals to an action server.
type ActionClient[G, F, R msgs.Message] struct {
	name      string
	send      *Client[*sendGoal[G], *goalResponse[G]]
	result    *Client[*getResult[R], *resultResponse[R]]
	cancel    *Client[*msgs.CancelGoalRequest, *msgs.CancelGoalResponse]
	feedbacks *Subscription

	mu        sync.Mutex
	listeners map[GoalID]func(F)
}

// NewActionClient makes a client of an action:
//
//	plan, err := ros.NewActionClient[*msgs.PlanToImageGoal, *msgs.PlanToImageFeedback,
//		*msgs.PlanToImageResult](node, "plan")
//	goal, err := plan.Send(ctx, &msgs.PlanToImageGoal{...}, func(*msgs.PlanToImageFeedback) { ... })
//	result, status, err := goal.Result(ctx)
func NewActionClient[G, F, R msgs.Message](n *Node, name string) (*ActionClient[G, F, R], error) {
	if _, err := actionType[G](); err != nil {
		return nil, fmt.Errorf("client of action %s: %w", name, err)
	}
	c := &ActionClient[G, F, R]{name: name, listeners: map[GoalID]func(F){}}
	if err := c.open(n); err != nil {
		return nil, errors.Join(fmt.Errorf("client of action %s: %w", name, err), c.Close())
	}
	return c, nil
}

func (c *ActionClient[G, F, R]) open(n *Node) (err error) {
	if c.send, err = NewClient[*sendGoal[G], *goalResponse[G]](n, c.name+
		"/_action/send_goal"); err != nil {
		return err
	}
	if c.result, err = NewClient[*getResult[R], *resultResponse[R]](n, c.name+
		"/_action/get_result"); err != nil {
		return err
	}
	if c.cancel, err = NewClient[*msgs.CancelGoalRequest, *msgs.CancelGoalResponse](n, c.name+
		"/_action/cancel_goal"); err != nil {
		return err
	}
	c.feedbacks, err = Subscribe(n, c.name+"/_action/feedback", Default, c.hear)
	return err
}

func (c *ActionClient[G, F, R]) hear(m *feedback[F], _ Info) {
	c.mu.Lock()
	listen := c.listeners[m.id]
	c.mu.Unlock()
	if listen != nil {
		listen(m.feedback)
	}
}

// Ready reports whether a server has been found with all its parts.
func (c *ActionClient[G, F, R]) Ready() bool {
	return c.send.Ready() && c.result.Ready() && c.cancel.Ready() && c.feedbacks.Publishers() > 0
}

// WaitForServer waits until a server has been found.
func (c *ActionClient[G, F, R]) WaitForServer(ctx context.Context) error {
	return waitFor(ctx, "action server "+c.name, c.Ready, c.send.caller.Unusable)
}

// Send waits for a server and sends it a goal. The listener, if not nil, is called with each
// feedback until Result has returned. A goal that is not accepted is ErrRejected.
func (c *ActionClient[G, F, R]) Send(ctx context.Context, goal G,
	listener func(F),
) (*ClientGoal[R], error) {
	if err := c.WaitForServer(ctx); err != nil {
		return nil, err
	}
	id := newGoalID()
	if listener != nil {
		c.mu.Lock()
		c.listeners[id] = listener
		c.mu.Unlock()
	}
	res, err := c.send.Call(ctx, &sendGoal[G]{id: id, goal: goal})
	if err == nil && !res.accepted {
		err = fmt.Errorf("action %s: %w", c.name, ErrRejected)
	}
	if err != nil {
		c.forget(id)
		return nil, err
	}
	return &ClientGoal[R]{ID: id, Accepted: res.stamp, result: c.result, cancel: c.cancel,
		forget: func() { c.forget(id) }}, nil
}

func (c *ActionClient[G, F, R]) forget(id GoalID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.listeners, id)
}

// Close ends the client. Goals go on: cancel them first if they should not.
func (c *ActionClient[G, F, R]) Close() error {
	var errs []error
	if c.send != nil {
		errs = append(errs, c.send.Close())
	}
	if c.result != nil {
		errs = append(errs, c.result.Close())
	}
	if c.cancel != nil {
		errs = append(errs, c.cancel.Close())
	}
	if c.feedbacks != nil {
		errs = append(errs, c.feedbacks.Close())
	}
	return errors.Join(errs...)
}

// A ClientGoal is a goal that a server has accepted.
type ClientGoal[R msgs.Message] struct {
	ID       GoalID
	Accepted msgs.Time

	result *Client[*getResult[R], *resultResponse[R]]
	cancel *Client[*msgs.CancelGoalRequest, *msgs.CancelGoalResponse]
	forget func()
}

// Result waits until the goal has ended and returns its result and how it ended. An error means
// that neither is known.
func (g *ClientGoal[R]) Result(ctx context.Context) (R, GoalStatus, error) {
	defer g.forget()
	res, err := g.result.Call(ctx, &getResult[R]{id: g.ID})
	if err != nil {
		var none R
		return none, GoalUnknown, err
	}
	return res.result, res.status, nil
}

// Cancel asks the server to end the goal; Result tells when it has. It is an error if the server
// does not.
func (g *ClientGoal[R]) Cancel(ctx context.Context) error {
	res, err := g.cancel.Call(ctx, &msgs.CancelGoalRequest{
		GoalInfo: msgs.GoalInfo{GoalID: msgs.UUID{UUID: g.ID}}})
	if err != nil {
		return err
	}
	reasons := map[int8]string{
		msgs.CancelGoalResponseErrorRejected:       "the server refuses",
		msgs.CancelGoalResponseErrorUnknownGoalID:  "the server does not know the goal",
		msgs.CancelGoalResponseErrorGoalTerminated: "the goal has ended",
	}
	if reason, ok := reasons[res.ReturnCode]; ok {
		return fmt.Errorf("cancel goal %s: %s", g.ID, reason)
	}
	return nil
}
