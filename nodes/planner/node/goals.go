package node

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/camera"
	"stripswm/nodes/execute"
	"stripswm/nodes/ros"
)

// goalImage is a wanted image and when it came.
type goalImage struct {
	frame    *camera.Image
	received time.Time
	planned  bool // a plan to it has been published
}

// errNoGoal is returned for goals by topic before an image has come.
var errNoGoal = &execute.Stop{Reason: execute.NoFrame, Detail: "no image has arrived on goal_image"}

// hear keeps the newest goal image and wakes the worker.
func (p *Planner) hear(f *camera.Image) {
	g := &goalImage{frame: f, received: f.Received}
	p.mu.Lock()
	p.topic = g
	p.mu.Unlock()
	select {
	case <-p.wanted: // an older one that was not taken yet
	default:
	}
	select {
	case p.wanted <- g:
	default:
	}
}

// takeTopicGoals plans to the images of the goal topic, the newest only.
func (p *Planner) takeTopicGoals(a *active) {
	for {
		select {
		case <-a.ctx.Done():
			return
		case g := <-p.wanted:
			p.planTopicGoal(a.ctx, goalJob{goal: g, execute: p.params.executeTopic.Get()})
		}
	}
}

// planTopicGoal gives way to other goals, unless skills are executed.
func (p *Planner) planTopicGoal(ctx context.Context, job goalJob) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if !job.execute {
		p.yieldBy(cancel)
		defer p.yieldBy(nil)
	}
	if err := p.claimSoon(ctx); err != nil {
		p.node.Log().Warn("goal image left aside", "because", err)
		return
	}
	defer p.release()
	if _, err := p.runGoal(ctx, job); err != nil {
		p.node.Log().Warn("no plan to the goal image", "error", err)
	}
}

func (p *Planner) yieldBy(cancel context.CancelCauseFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.yield = cancel
}

// confirm takes the things on the table for those of the model, until the next bundle.
func (p *Planner) confirm(context.Context) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.session == nil {
		return "", errors.New("there is no bundle: configure the node first")
	}
	p.session.images.Confirm()
	return "images are planned from where the classifier is sure, whatever things look like; then " +
		"learn --refresh --confirmed", nil
}

// planTopic plans to the newest image of the goal topic.
func (p *Planner) planTopic(ctx context.Context) (string, error) {
	p.giveWay()
	if err := p.claimSoon(ctx); err != nil {
		return "", err
	}
	defer p.release()
	r, err := p.runGoal(ctx, goalJob{goal: p.topicGoal(time.Now())})
	return fmt.Sprint(r.Plan.Actions), err
}

func (p *Planner) topicGoal(now time.Time) *goalImage {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.topic == nil {
		return nil
	}
	return &goalImage{frame: p.topic.frame, received: now}
}

// planAction pursues a goal of the action.
func (p *Planner) planAction(ctx context.Context, g *ros.ServerGoal[*msgs.PlanToImageGoal,
	*msgs.PlanToImageFeedback],
) (*msgs.PlanToImageResult, error) {
	p.giveWay()
	if err := p.claim(ctx); err != nil {
		p.out.count(g.Goal.Execute, execute.Result{}, err)
		return failure(&msgs.PlanToImageResult{}, err)
	}
	defer p.release()
	now := time.Now()
	work := goalJob{execute: g.Goal.Execute, timeLimit: seconds(float64(g.Goal.TimeLimit)),
		feedback: func(f *msgs.PlanToImageFeedback) {
			if err := g.Feedback(f); err != nil {
				p.node.Log().Debug("feedback", "error", err)
			}
		}}
	switch g.Goal.Source {
	case msgs.PlanToImageGoalImage:
		work.goal = &goalImage{frame: camera.ImageOf(g.Goal.GoalImage.Header, now, &g.Goal.GoalImage),
			received: now}
	case msgs.PlanToImageGoalCompressed:
		work.goal = &goalImage{frame: camera.ImageOf(g.Goal.GoalCompressed.Header, now,
			&g.Goal.GoalCompressed), received: now}
	case msgs.PlanToImageGoalTopic:
		work.goal = p.topicGoal(now)
	case msgs.PlanToImageGoalFacts:
		work.goal, work.facts = &goalImage{received: now}, &g.Goal.GoalFacts
	}
	var err error
	if work.region, err = pixels.RegionOf(g.Goal.GoalRegion); err != nil {
		return failure(&msgs.PlanToImageResult{}, unknownGoal(err.Error()))
	}
	return p.runGoal(ctx, work)
}

// goalJob is one goal to work on.
type goalJob struct {
	goal      *goalImage    // nil if there is none
	region    pixels.Region // of the image that counts
	facts     *string       // literals in place of the image
	execute   bool
	timeLimit time.Duration // of the search; 0 is the node's
	feedback  func(*msgs.PlanToImageFeedback)
}

// runGoal plans to a goal and, if asked to, executes. The result is never nil.
func (p *Planner) runGoal(ctx context.Context, w goalJob) (*msgs.PlanToImageResult, error) {
	ctx, s, leave, err := p.enter(ctx)
	if err != nil {
		return failure(&msgs.PlanToImageResult{}, err)
	}
	defer leave()
	result := &msgs.PlanToImageResult{}
	r, err := p.work(ctx, s, w, result)
	result.Executed = uint32(r.Executed)
	p.out.count(w.execute, r, err)
	if err != nil {
		return failure(result, err)
	}
	if w.execute {
		p.node.Log().Info("goal reached", "skills", r.Attempts, "retries", r.Retries, "replans",
			r.Replans)
	}
	return result, nil
}

func failure(r *msgs.PlanToImageResult, err error) (*msgs.PlanToImageResult, error) {
	r.ErrorCode, r.ErrorMsg = errorCode(err), err.Error()
	return r, err
}

func (p *Planner) work(ctx context.Context, s *session, w goalJob,
	result *msgs.PlanToImageResult,
) (execute.Result, error) {
	if w.goal == nil {
		return execute.Result{}, errNoGoal
	}
	policy := p.params.executionPolicy()
	defer s.observer.Forget()
	goal, err := s.recognizeGoal(ctx, w, policy)
	if err != nil {
		return execute.Result{}, err
	}
	limits := p.params.limits()
	if w.timeLimit > 0 {
		limits.Time = w.timeLimit
	}
	e := s.executor(limits, policy)
	planned := func(_ execute.Observation, r planner.Result) {
		result.Plan = s.sequence(r)
		p.out.plan(s, r, &result.Plan, w.goal)
	}
	hooks := execute.Hooks{
		Planned:  planned,
		Observed: func(o execute.Observation) { p.out.show(s, o) },
		Stepped:  func(step execute.Step) { p.stepped(s, step, w.feedback) },
	}
	if w.execute {
		return e.Run(ctx, goal, hooks)
	}
	return e.Plan(ctx, goal, hooks)
}

func (p *Planner) stepped(s *session, step execute.Step, feedback func(*msgs.PlanToImageFeedback)) {
	log := p.node.Log().Info
	if len(step.Differing) > 0 {
		log = p.node.Log().Warn
	}
	log("skill "+step.Report.Outcome.String(), "action", step.Action, "step", step.Index+1, "of",
		step.Steps,
		"nondeterministic outcome", outcome(step.Uncertain), "differing", fmt.Sprint(step.Differing),
		"message", step.Report.Message, "so", step.Decision.String())
	p.out.advance(step)
	if feedback != nil {
		feedback(s.step(step))
	}
}

// outcome describes the nondeterministic outcome of a step; it is empty where the outcome was
// certain.
func outcome(c planner.UncertainStep) string {
	if c.Seen == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", c.Wanted, c.Seen)
}

// observe recognises the newest frame while no goal is worked on.
func (p *Planner) observe() {
	if len(p.busy) > 0 {
		return
	}
	ctx, s, leave, err := p.enter(p.node.Context())
	if err != nil {
		return
	}
	defer leave()
	if f, _ := s.camera.Newest(); f == nil || !f.Taken.After(p.out.shown()) {
		return
	}
	o, err := s.Observe(ctx, time.Time{})
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			p.node.Log().Warn("camera image not recognized", "error", err)
		}
		return
	}
	p.out.show(s, o)
}

// observed is an observation as a message.
func (s *session) observed(o execute.Observation) msgs.PredicateState {
	m := msgs.PredicateState{
		Header: msgs.Header{Stamp: msgs.TimeFrom(o.Stamp), FrameID: s.frameID()},
		Bundle: s.bundle, Values: o.Code.Bools(), Confidence: o.Probabilities, KnownState: int32(o.Node),
	}
	for _, p := range o.Uncertain {
		m.Uncertain = append(m.Uncertain, uint32(p))
	}
	return m
}

// predicted is a state of a plan as a message.
func (s *session) predicted(state strips.State, stamp msgs.Time) msgs.PredicateState {
	m := msgs.PredicateState{Header: msgs.Header{Stamp: stamp, FrameID: s.frameID()}, Bundle: s.bundle,
		Values: state.Bools(), KnownState: -1}
	if nodes := planner.Locate(s.model, state).Nodes; len(nodes) > 0 {
		m.KnownState = int32(nodes[0])
	}
	return m
}

// sequence is a plan as a message.
func (s *session) sequence(r planner.Result) msgs.ActionSequence {
	stamp := msgs.TimeFrom(s.node.Clock().Now())
	m := msgs.ActionSequence{Header: msgs.Header{Stamp: stamp}, Bundle: s.bundle}
	for _, a := range r.Plan {
		m.Actions = append(m.Actions, uint32(a))
	}
	for _, state := range r.States {
		m.Expected = append(m.Expected, s.predicted(state, stamp))
	}
	return m
}

func (s *session) step(step execute.Step) *msgs.PlanToImageFeedback {
	m := &msgs.PlanToImageFeedback{
		Step: uint32(step.Executed), Steps: uint32(step.Steps),
		Observed: s.observed(step.Observed), Expected: s.predicted(step.Expected,
			msgs.TimeFrom(s.node.Clock().Now())),
	}
	for _, p := range step.Differing {
		m.Differing = append(m.Differing, uint32(p))
	}
	return m
}

// errGoal is wrapped by errors about the goal.
var errGoal = errors.New("goal")

var stopCodes = map[execute.Reason]uint16{
	execute.Unsolvable:   msgs.PlanToImageResultUnsolvable,
	execute.LimitReached: msgs.PlanToImageResultLimitReached,
	execute.Unrecognized: msgs.PlanToImageResultStartUnknown,
	execute.NoFrame:      msgs.PlanToImageResultNoImage,
	execute.SkillFailed:  msgs.PlanToImageResultSkillFailed,
}

// errorCode is PlanToImage's code for an error.
func errorCode(err error) uint16 {
	var s *execute.Stop
	switch {
	case err == nil:
		return msgs.PlanToImageResultNone
	case errors.Is(err, ros.ErrBusy):
		return msgs.PlanToImageResultBusy
	case errors.Is(err, errNotActive):
		return msgs.PlanToImageResultNotActive
	case errors.Is(err, ros.ErrCanceled), errors.Is(err, context.Canceled):
		return msgs.PlanToImageResultCanceled
	case errors.As(err, &s):
		if s.Reason == execute.Unrecognized && errors.Is(err, errGoal) {
			return msgs.PlanToImageResultGoalUnknown
		}
		return stopCodes[s.Reason]
	case errors.Is(err, pixels.ErrImage):
		return msgs.PlanToImageResultBadImage
	}
	return msgs.PlanToImageResultInternalError
}
