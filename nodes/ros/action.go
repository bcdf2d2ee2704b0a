package ros

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"stripswm/msgs"
)

// GoalID identifies one goal of an action.
type GoalID = msgs.UUID

func newGoalID() (id GoalID) {
	rand.Read(id.UUID[:])
	return id
}

// checkAction refuses a type G that is not of a goal: the other types of an action follow from it.
func checkAction[G msgs.Message]() error {
	if !strings.HasSuffix(rosType[G](), "_Goal") {
		return fmt.Errorf("%s is not the type of a goal", rosType[G]())
	}
	return nil
}

// GoalStatus is how far a goal has come.
type GoalStatus int8

// The statuses of action_msgs/msg/GoalStatus.
const (
	GoalUnknown   = GoalStatus(msgs.GoalStatusUnknown)
	GoalAccepted  = GoalStatus(msgs.GoalStatusAccepted)
	GoalExecuting = GoalStatus(msgs.GoalStatusExecuting)
	GoalCanceling = GoalStatus(msgs.GoalStatusCanceling)
	GoalSucceeded = GoalStatus(msgs.GoalStatusSucceeded)
	GoalCanceled  = GoalStatus(msgs.GoalStatusCanceled)
	GoalAborted   = GoalStatus(msgs.GoalStatusAborted)
)

// String is ROS's word in lower case.
func (s GoalStatus) String() string {
	words := [...]string{"unknown", "accepted", "executing", "canceling", "succeeded", "canceled",
		"aborted"}
	if s < 0 || int(s) >= len(words) {
		return fmt.Sprintf("status %d", int8(s))
	}
	return words[s]
}

// Ended reports whether the goal has come to an end.
func (s GoalStatus) Ended() bool { return s >= GoalSucceeded }

// ErrCanceled is the cause of a goal's context when a client has asked to cancel the goal, and the
// error of an execution that stopped because of it.
var ErrCanceled = errors.New("goal canceled")

// ErrBusy is the cause of a goal's context when as many goals wait as may. ROS 2's answer to a goal
// has no field for a reason, so such a goal is accepted, and its result says why it was aborted.
var ErrBusy = errors.New("the action server is busy")

// Action says how a server deals with the goals of an action.
type Action[G, F, R msgs.Message] struct {
	// Accept refuses a goal by an error, which the log shows. Nil accepts all goals.
	Accept func(G) error
	// Waiting is how many goals may wait for their turn: goals are executed one at a time, in the
	// order in which they were accepted. Zero executes all at once, side by side.
	Waiting int
	// Execute works towards a goal, in a goroutine of its own. Its context ends with context.Cause
	// ErrCanceled when a client cancels the goal, and when the node closes. A goal whose context has
	// ended does not wait for its turn. The result is given to clients in every case; the goal has
	// succeeded if the error is nil, was canceled if the error is that or the context's after a cancel
	// request, and was aborted otherwise.
	Execute func(context.Context, *ServerGoal[G, F]) (R, error)
}

// resultPatience is how long the results of goals that have ended are kept for those who ask late.
const resultPatience = 15 * time.Minute

// An actionServer executes goals of one action.
type actionServer[G, F, R msgs.Message] struct {
	name     string
	node     *Node
	action   Action[G, F, R]
	feedback *Publisher[*msgs.FeedbackMessage[F]]
	status   *Publisher[*msgs.GoalStatusArray]

	mu    sync.Mutex
	goals map[GoalID]*serverGoal[R]
	order []GoalID
	turn  chan struct{} // closed when all goals that were accepted have ended
}

type serverGoal[R msgs.Message] struct {
	accepted msgs.Time
	status   GoalStatus
	cancel   context.CancelCauseFunc
	ended    time.Time     // by the machine's clock
	done     chan struct{} // closed when result is set
	result   R             // nil is sent as an empty one
}

// A ServerGoal is a goal under execution.
type ServerGoal[G, F msgs.Message] struct {
	ID   GoalID
	Goal G

	publish func(F) error
}

// Feedback tells the goal's client how far the execution has come.
func (g *ServerGoal[G, F]) Feedback(f F) error { return g.publish(f) }

// ServeAction executes the goals of an action until the node is closed:
//
//	err := ros.ServeAction(node, "plan", ros.Action[Goal, Feedback, Result]{
//		Execute: func(ctx context.Context, g *ros.ServerGoal[Goal, Feedback]) (Result, error) { ... },
//	})
func ServeAction[G, F, R msgs.Message](n *Node, name string, a Action[G, F, R]) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("serve action %s: %w", name, err)
		}
	}()
	if err := checkAction[G](); err != nil {
		return err
	}
	s := &actionServer[G, F, R]{name: name, node: n, action: a, goals: map[GoalID]*serverGoal[R]{},
		turn: make(chan struct{})}
	close(s.turn)
	if s.feedback, err = Advertise[*msgs.FeedbackMessage[F]](n, name+"/_action/feedback",
		Default); err != nil {
		return err
	}
	if s.status, err = Advertise[*msgs.GoalStatusArray](n, name+"/_action/status",
		Latched); err != nil {
		return err
	}
	return errors.Join(Serve(n, name+"/_action/send_goal", s.begin),
		Serve(n, name+"/_action/cancel_goal", s.cancel),
		serveEach(n, name+"/_action/get_result", s.await))
}

func (s *actionServer[G, F, R]) begin(ctx context.Context,
	req *msgs.SendGoalRequest[G],
) *msgs.SendGoalResponse[G] {
	now := msgs.TimeFrom(s.node.clock.Now())
	if err := s.accept(req); err != nil {
		s.node.log.Warn("goal of "+s.name+" refused", "goal", req.GoalID, "error", err)
		return &msgs.SendGoalResponse[G]{Stamp: now}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	g := &serverGoal[R]{accepted: now, status: GoalAccepted, cancel: cancel,
		done: make(chan struct{})}
	s.mu.Lock()
	s.forgetOld(time.Now())
	turn, over := s.turn, make(chan struct{})
	if most := s.action.Waiting; most > 0 {
		s.turn = over
		if s.unended() > most {
			cancel(fmt.Errorf("%w: %d goals wait already: send the goal again later", ErrBusy, most))
		}
	}
	s.goals[req.GoalID] = g
	s.order = append(s.order, req.GoalID)
	s.publishStatus()
	s.mu.Unlock()
	s.node.start(func(context.Context) {
		defer cancel(nil)
		select {
		case <-turn:
		case <-ctx.Done():
		}
		s.execute(ctx, g, req)
		<-turn
		close(over)
	})
	return &msgs.SendGoalResponse[G]{Accepted: true, Stamp: now}
}

// unended counts the goals that are executed or wait.
func (s *actionServer[G, F, R]) unended() (n int) {
	for _, g := range s.goals {
		if !g.status.Ended() {
			n++
		}
	}
	return n
}

func (s *actionServer[G, F, R]) accept(req *msgs.SendGoalRequest[G]) error {
	s.mu.Lock()
	_, known := s.goals[req.GoalID]
	s.mu.Unlock()
	if known {
		return fmt.Errorf("the id was used before")
	}
	if s.action.Accept == nil {
		return nil
	}
	return s.action.Accept(req.Goal)
}

func (s *actionServer[G, F, R]) execute(ctx context.Context, g *serverGoal[R],
	req *msgs.SendGoalRequest[G],
) {
	s.mu.Lock()
	if g.status == GoalAccepted {
		g.status = GoalExecuting
		s.publishStatus()
	}
	s.mu.Unlock()
	result, err := s.action.Execute(ctx, &ServerGoal[G, F]{ID: req.GoalID, Goal: req.Goal,
		publish: func(f F) error {
			return s.feedback.Publish(&msgs.FeedbackMessage[F]{GoalID: req.GoalID, Feedback: f})
		}})
	if err != nil && !errors.Is(err, ErrCanceled) {
		s.node.log.Warn("goal of "+s.name+" not reached", "goal", req.GoalID, "error", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	canceled := g.status == GoalCanceling
	switch {
	case err == nil:
		g.status = GoalSucceeded
	case canceled && (errors.Is(err, ErrCanceled) || errors.Is(err, context.Canceled)):
		g.status = GoalCanceled
	default:
		g.status = GoalAborted
	}
	g.result, g.ended = result, time.Now()
	close(g.done)
	s.publishStatus()
}

// forgetOld lets go of goals that ended long ago.
func (s *actionServer[G, F, R]) forgetOld(now time.Time) {
	kept := s.order[:0]
	for _, id := range s.order {
		if g := s.goals[id]; g.status.Ended() && now.Sub(g.ended) > resultPatience {
			delete(s.goals, id)
			continue
		}
		kept = append(kept, id)
	}
	s.order = kept
}

// publishStatus tells the statuses of all goals that are known.
func (s *actionServer[G, F, R]) publishStatus() {
	m := &msgs.GoalStatusArray{}
	for _, id := range s.order {
		g := s.goals[id]
		info := msgs.GoalInfo{GoalID: id, Stamp: g.accepted}
		m.StatusList = append(m.StatusList, msgs.GoalStatus{GoalInfo: info, Status: int8(g.status)})
	}
	s.node.WarnOf("status of "+s.name, s.status.Publish(m))
}

// await answers when the goal has ended; an unknown goal has the status unknown.
func (s *actionServer[G, F, R]) await(ctx context.Context,
	req *msgs.GetResultRequest[R],
) (*msgs.GetResultResponse[R], bool) {
	s.mu.Lock()
	g, ok := s.goals[req.GoalID]
	s.mu.Unlock()
	if !ok {
		return &msgs.GetResultResponse[R]{}, true
	}
	select {
	case <-g.done:
		return &msgs.GetResultResponse[R]{Status: int8(g.status), Result: g.result}, true
	case <-ctx.Done():
		return nil, false
	}
}

// cancel follows action_msgs/srv/CancelGoal: one goal by id, all that were accepted up to a time,
// or all.
func (s *actionServer[G, F, R]) cancel(_ context.Context,
	req *msgs.CancelGoalRequest,
) *msgs.CancelGoalResponse {
	id, stamp := req.GoalInfo.GoalID, req.GoalInfo.Stamp
	all := id == GoalID{} && stamp.IsZero()
	res := &msgs.CancelGoalResponse{}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, other := range s.order {
		g := s.goals[other]
		wanted := all || other == id || !stamp.IsZero() && g.accepted.Nanoseconds() <= stamp.Nanoseconds()
		if !wanted || g.status.Ended() {
			continue
		}
		g.status = GoalCanceling
		g.cancel(ErrCanceled)
		res.GoalsCanceling = append(res.GoalsCanceling, msgs.GoalInfo{GoalID: other,
			Stamp: g.accepted})
	}
	switch g, known := s.goals[id]; {
	case len(res.GoalsCanceling) > 0:
		s.publishStatus()
	case id != GoalID{} && !known:
		res.ReturnCode = msgs.CancelGoalResponseErrorUnknownGoalID
	case known && g.status.Ended():
		res.ReturnCode = msgs.CancelGoalResponseErrorGoalTerminated
	default:
		res.ReturnCode = msgs.CancelGoalResponseErrorRejected
	}
	return res
}

// ErrRejected is returned for a goal that the server did not accept.
var ErrRejected = errors.New("goal rejected")

// An ActionClient sends goals to an action server.
type ActionClient[G, F, R msgs.Message] struct {
	name      string
	send      *Client[*msgs.SendGoalRequest[G], *msgs.SendGoalResponse[G]]
	result    *Client[*msgs.GetResultRequest[R], *msgs.GetResultResponse[R]]
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
	if err := checkAction[G](); err != nil {
		return nil, fmt.Errorf("client of action %s: %w", name, err)
	}
	c := &ActionClient[G, F, R]{name: name, listeners: map[GoalID]func(F){}}
	if err := c.open(n); err != nil { // what was made ends with the node
		return nil, fmt.Errorf("client of action %s: %w", name, err)
	}
	return c, nil
}

func (c *ActionClient[G, F, R]) open(n *Node) (err error) {
	if c.send, err = NewClient[*msgs.SendGoalRequest[G], *msgs.SendGoalResponse[G]](n, c.name+
		"/_action/send_goal"); err != nil {
		return err
	}
	if c.result, err = NewClient[*msgs.GetResultRequest[R], *msgs.GetResultResponse[R]](n, c.name+
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

func (c *ActionClient[G, F, R]) hear(m *msgs.FeedbackMessage[F], _ Info) {
	c.mu.Lock()
	listen := c.listeners[m.GoalID]
	c.mu.Unlock()
	if listen != nil {
		listen(m.Feedback)
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
	res, err := c.send.Call(ctx, &msgs.SendGoalRequest[G]{GoalID: id, Goal: goal})
	if err == nil && !res.Accepted {
		err = fmt.Errorf("action %s: %w", c.name, ErrRejected)
	}
	if err != nil {
		c.forget(id)
		return nil, err
	}
	return &ClientGoal[R]{ID: id, Accepted: res.Stamp, result: c.result, cancel: c.cancel,
		forget: func() { c.forget(id) }}, nil
}

func (c *ActionClient[G, F, R]) forget(id GoalID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.listeners, id)
}

// Close ends the client. Goals go on: cancel them first if they should not.
func (c *ActionClient[G, F, R]) Close() error {
	return errors.Join(c.send.Close(), c.result.Close(), c.cancel.Close(), c.feedbacks.Close())
}

// A ClientGoal is a goal that a server has accepted.
type ClientGoal[R msgs.Message] struct {
	ID       GoalID
	Accepted msgs.Time

	result *Client[*msgs.GetResultRequest[R], *msgs.GetResultResponse[R]]
	cancel *Client[*msgs.CancelGoalRequest, *msgs.CancelGoalResponse]
	forget func()
}

// Result waits until the goal has ended and returns its result and how it ended. An error means
// that neither is known.
func (g *ClientGoal[R]) Result(ctx context.Context) (R, GoalStatus, error) {
	defer g.forget()
	res, err := g.result.Call(ctx, &msgs.GetResultRequest[R]{GoalID: g.ID})
	if err != nil {
		var none R
		return none, GoalUnknown, err
	}
	return res.Result, GoalStatus(res.Status), nil
}

// Cancel asks the server to end the goal; Result tells when it has. It is an error if the server
// does not.
func (g *ClientGoal[R]) Cancel(ctx context.Context) error {
	res, err := g.cancel.Call(ctx, &msgs.CancelGoalRequest{
		GoalInfo: msgs.GoalInfo{GoalID: g.ID}})
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
