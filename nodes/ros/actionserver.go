package ros

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"stripswm/msgs"
)

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

// An ActionServer executes goals of one action.
type ActionServer[G, F, R msgs.Message] struct {
	name     string
	node     *Node
	action   Action[G, F, R]
	feedback *Publisher[*feedback[F]]
	status   *Publisher[*msgs.GoalStatusArray]
	services []*Service

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
	result   R
}

// A ServerGoal is a goal under execution.
type ServerGoal[G, F msgs.Message] struct {
	ID   GoalID
	Goal G

	publish func(F) error
}

// Feedback tells the goal's client how far the execution has come.
func (g *ServerGoal[G, F]) Feedback(f F) error { return g.publish(f) }

// ServeAction executes the goals of an action:
//
//	server, err := ros.ServeAction(node, "plan", ros.Action[Goal, Feedback, Result]{
//		Execute: func(ctx context.Context, g *ros.ServerGoal[Goal, Feedback]) (Result, error) { ... },
//	})
func ServeAction[G, F, R msgs.Message](n *Node, name string,
	a Action[G, F, R],
) (*ActionServer[G, F, R], error) {
	if _, err := actionType[G](); err != nil {
		return nil, fmt.Errorf("serve action %s: %w", name, err)
	}
	s := &ActionServer[G, F, R]{name: name, node: n, action: a, goals: map[GoalID]*serverGoal[R]{},
		turn: make(chan struct{})}
	close(s.turn)
	if err := s.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("serve action %s: %w", name, err), s.Close())
	}
	return s, nil
}

func (s *ActionServer[G, F, R]) open() error {
	var err error
	if s.feedback, err = Advertise[*feedback[F]](s.node, s.name+"/_action/feedback",
		Default); err != nil {
		return err
	}
	if s.status, err = Advertise[*msgs.GoalStatusArray](s.node, s.name+"/_action/status",
		Latched); err != nil {
		return err
	}
	offers := []func() (*Service, error){
		func() (*Service, error) { return Serve(s.node, s.name+"/_action/send_goal", s.begin) },
		func() (*Service, error) { return Serve(s.node, s.name+"/_action/cancel_goal", s.cancel) },
		func() (*Service, error) { return serveEach(s.node, s.name+"/_action/get_result", s.await) },
	}
	for _, offer := range offers {
		service, err := offer()
		if err != nil {
			return err
		}
		s.services = append(s.services, service)
	}
	return nil
}

// Close ends the server. Goals under execution are canceled.
func (s *ActionServer[G, F, R]) Close() error {
	s.mu.Lock()
	for _, g := range s.goals {
		g.cancel(ErrClosed)
	}
	s.mu.Unlock()
	var errs []error
	for _, service := range s.services {
		errs = append(errs, service.Close())
	}
	if s.feedback != nil {
		errs = append(errs, s.feedback.Close())
	}
	if s.status != nil {
		errs = append(errs, s.status.Close())
	}
	return errors.Join(errs...)
}

func (s *ActionServer[G, F, R]) begin(ctx context.Context, req *sendGoal[G]) *goalResponse[G] {
	now := msgs.TimeFrom(s.node.clock.Now())
	if err := s.accept(req); err != nil {
		s.node.log.Warn("goal of "+s.name+" refused", "goal", req.id, "error", err)
		return &goalResponse[G]{stamp: now}
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
	s.goals[req.id] = g
	s.order = append(s.order, req.id)
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
	return &goalResponse[G]{accepted: true, stamp: now}
}

// unended counts the goals that are executed or wait.
func (s *ActionServer[G, F, R]) unended() (n int) {
	for _, g := range s.goals {
		if !g.status.Ended() {
			n++
		}
	}
	return n
}

func (s *ActionServer[G, F, R]) accept(req *sendGoal[G]) error {
	s.mu.Lock()
	_, known := s.goals[req.id]
	s.mu.Unlock()
	if known {
		return fmt.Errorf("the id was used before")
	}
	if s.action.Accept == nil {
		return nil
	}
	return s.action.Accept(req.goal)
}

func (s *ActionServer[G, F, R]) execute(ctx context.Context, g *serverGoal[R], req *sendGoal[G]) {
	s.mu.Lock()
	if g.status == GoalAccepted {
		g.status = GoalExecuting
		s.publishStatus()
	}
	s.mu.Unlock()
	result, err := s.action.Execute(ctx, &ServerGoal[G, F]{ID: req.id, Goal: req.goal,
		publish: func(f F) error {
			return s.feedback.Publish(&feedback[F]{id: req.id, feedback: f})
		}})
	if any(result) == any(*new(R)) { // nil
		result = newMessage[R]()
	}
	if err != nil && !errors.Is(err, ErrCanceled) {
		s.node.log.Warn("goal of "+s.name+" not reached", "goal", req.id, "error", err)
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
func (s *ActionServer[G, F, R]) forgetOld(now time.Time) {
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
func (s *ActionServer[G, F, R]) publishStatus() {
	m := &msgs.GoalStatusArray{}
	for _, id := range s.order {
		g := s.goals[id]
		info := msgs.GoalInfo{GoalID: msgs.UUID{UUID: id}, Stamp: g.accepted}
		m.StatusList = append(m.StatusList, msgs.GoalStatus{GoalInfo: info, Status: int8(g.status)})
	}
	if err := s.status.Publish(m); err != nil && s.node.ctx.Err() == nil {
		s.node.log.Warn("status of "+s.name, "error", err)
	}
}

// await answers when the goal has ended; an unknown goal has the status unknown.
func (s *ActionServer[G, F, R]) await(ctx context.Context,
	req *getResult[R],
) (*resultResponse[R], bool) {
	s.mu.Lock()
	g, ok := s.goals[req.id]
	s.mu.Unlock()
	if !ok {
		return &resultResponse[R]{result: newMessage[R]()}, true
	}
	select {
	case <-g.done:
		return &resultResponse[R]{status: g.status, result: g.result}, true
	case <-ctx.Done():
		return nil, false
	}
}

// cancel follows action_msgs/srv/CancelGoal: one goal by id, all that were accepted up to a time,
// or all.
func (s *ActionServer[G, F, R]) cancel(_ context.Context,
	req *msgs.CancelGoalRequest,
) *msgs.CancelGoalResponse {
	id, stamp := GoalID(req.GoalInfo.GoalID.UUID), req.GoalInfo.Stamp
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
		res.GoalsCanceling = append(res.GoalsCanceling, msgs.GoalInfo{GoalID: msgs.UUID{UUID: other},
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
