package execute

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"stripswm/models/planner"
	"stripswm/models/strips"
)

// Executor runs plans. Its parts are used by one Run at a time.
type Executor struct {
	Recognizer Recognizer
	Skills     Skills
	Search     Search
	Clock      Clock
	Policy     Policy
}

// Hooks are told how an execution goes; nil ones are left out.
type Hooks struct {
	Planned  func(Observation, planner.Result) // each new plan, and what it begins at
	Stepped  func(Step)                        // each skill that ended
	Observed func(Observation)                 // each image, as the planner recognized it
}

// Step is one executed skill and what was seen after it.
type Step struct {
	Action    strips.ActionID
	Index     int // 0-based, in the present plan
	Steps     int // length of the present plan
	Executed  int // skills so far whose predicted effect was seen
	Report    Report
	Observed  Observation
	Expected  strips.State
	Differing []strips.Predicate    // where observed and expected differ
	Uncertain planner.UncertainStep // what the model left the outcome to; zero where it was certain
	Decision  Decision
}

// Result is what a Run did, also when it stopped.
type Result struct {
	Plan     planner.Result // the last plan
	Executed int            // skills whose predicted effect was seen
	Attempts int            // skills started
	Retries  int
	Replans  int
	Final    Observation // the last observation
}

// Run brings the table to a state in which the goal holds. The error is nil only when the last
// image showed one; it is a *Stop where the policy ended the execution, and ctx's error where ctx
// did.
func (e *Executor) Run(ctx context.Context, goal strips.Goal, h Hooks) (Result, error) {
	r := &run{Executor: e, ctx: ctx, goal: goal, hooks: h, misses: map[StateAction]int{}}
	err := ended(ctx, r.run()) // before the result is read, which it changes
	return r.result, err
}

// Plan takes an image and plans without executing.
func (e *Executor) Plan(ctx context.Context, goal strips.Goal, h Hooks) (Result, error) {
	r := &run{Executor: e, ctx: ctx, goal: goal, hooks: h, misses: map[StateAction]int{}}
	err := ended(ctx, r.begin())
	return r.result, err
}

// ended is err, or why ctx ended if that came first.
func ended(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && err != nil {
		return fmt.Errorf("execution stopped: %w", cause)
	}
	return err
}

type run struct {
	*Executor
	ctx    context.Context
	goal   strips.Goal
	hooks  Hooks
	result Result

	index   int                 // of the next action in the plan
	retries int                 // of that action, here
	replans int                 // that count against the policy
	near    int                 // observations in a row that were near only
	misses  map[StateAction]int // of what is nondeterministic
	avoid   []StateAction       // what failed too often
}

func (r *run) begin() error {
	if err := r.observe(r.Clock.Now().Add(-r.Policy.Age)); err != nil {
		return err
	}
	return r.plan(r.Search.Find(r.ctx, r.result.Final.Code, r.goal, r.avoid))
}

func (r *run) run() error {
	if err := r.begin(); err != nil {
		return err
	}
	for !r.result.Final.Recognized() || !r.goal.Holds(r.result.Final.Code) {
		if err := r.step(); err != nil {
			return err
		}
	}
	return nil
}

// observe sets the last observation to the first recognized image not before a time. Where none is,
// it takes the last image if that is near to one of the likely states, a few times in a row.
func (r *run) observe(notBefore time.Time, likely ...strips.State) error {
	for range max(r.Policy.MaxImages, 1) {
		o, err := r.glance(notBefore)
		if err != nil {
			return err
		}
		r.result.Final = o
		if r.hooks.Observed != nil {
			r.hooks.Observed(o)
		}
		if o.Recognized() {
			r.near = 0
			return nil
		}
		notBefore = o.Taken.Add(1)
	}
	if o := r.result.Final; o.Near && slices.Contains(likely, o.Code) && r.near < r.Policy.NearImages {
		r.near++
		return nil
	}
	return stop(Unrecognized, "%d images in a row; the last: %s", max(r.Policy.MaxImages, 1),
		r.result.Final.Reason)
}

func (r *run) glance(notBefore time.Time) (Observation, error) {
	ctx, cancel := limit(r.ctx, r.Policy.FrameTime)
	defer cancel()
	o, err := r.Recognizer.Observe(ctx, notBefore)
	switch {
	case err == nil:
		return o, nil
	case r.ctx.Err() != nil:
		return o, r.ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return o, &Stop{Reason: NoFrame, Detail: fmt.Sprintf("none in %v; is the camera running?",
			r.Policy.FrameTime), Err: err}
	}
	return o, err
}

// plan goes on with a plan that was found from the last observation.
func (r *run) plan(found planner.Result, err error) error {
	if err != nil {
		return err
	}
	r.result.Plan, r.index, r.retries = found, 0, 0
	switch {
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	case found.Outcome == planner.LimitReached:
		return stop(LimitReached, "after %d states in %v", found.Reached, found.Elapsed)
	case found.Outcome == planner.Unsolvable && r.goal.Holds(r.result.Final.Code):
		return stop(Unrecognized, "this may be the goal, but %s; no skill leads away and back",
			r.result.Final.Reason)
	case found.Outcome == planner.Unsolvable && len(r.avoid) > 0:
		last := r.avoid[len(r.avoid)-1]
		return stop(SkillFailed, "action %d has no effect in state %s, and no plan does without it",
			last.Action, last.State)
	case found.Outcome == planner.Unsolvable:
		return stop(Unsolvable, "from %s to %s", r.result.Final.Code, r.goal)
	}
	if r.hooks.Planned != nil {
		r.hooks.Planned(r.result.Final, found)
	}
	return nil
}

// limit is ctx with a timeout, or without one if d is 0.
func limit(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, d)
}

// step runs the plan's next action, takes an image, and acts on the state in it.
func (r *run) step() error {
	before, action := r.result.Final, r.result.Plan.Plan[r.index]
	r.result.Attempts++
	report, err := r.execute()
	if err != nil {
		return err
	}
	expected := r.result.Plan.States[r.index+1]
	ended := r.Clock.Now() // or earlier
	if err := r.observe(ended.Add(r.Policy.Settle), expected, before.Code); err != nil {
		var s *Stop
		if errors.As(err, &s) {
			s.Detail = fmt.Sprintf("after action %d (%s): %s", action, report.Outcome, s.Detail)
		}
		return err
	}
	s := Step{
		Action: action, Index: r.index, Steps: len(r.result.Plan.Plan), Report: report,
		Observed: r.result.Final, Expected: expected,
	}
	s.Uncertain, _ = r.result.Plan.UncertainAt(r.index)
	s.Differing = s.Observed.Code.Difference(s.Expected)
	s.Decision = r.decide(before, &s)
	if len(s.Differing) == 0 {
		r.result.Executed++
	}
	s.Executed = r.result.Executed
	if r.hooks.Stepped != nil {
		r.hooks.Stepped(s)
	}
	return r.follow(before, &s)
}

// execute runs the plan's next action. A skill that does not end in time, or
// whose executor cannot be reached, stops the execution: nobody knows whether
// the robot still moves.
func (r *run) execute() (Report, error) {
	action := r.result.Plan.Plan[r.index]
	ctx, cancel := limit(r.ctx, r.Policy.SkillTime)
	defer cancel()
	report, err := r.Skills.Execute(ctx, action)
	switch {
	case err == nil:
		return report, nil
	case r.ctx.Err() != nil:
		return report, r.ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return report, stop(SkillFailed, "action %d did not end in %v", action, r.Policy.SkillTime)
	}
	return report, &Stop{Reason: SkillFailed, Detail: fmt.Sprintf("action %d", action), Err: err}
}

func (r *run) decide(before Observation, s *Step) Decision {
	unchanged := s.Observed.Code == before.Code
	switch {
	case r.goal.Holds(s.Observed.Code) && s.Observed.Recognized():
		return Reached
	case r.goal.Holds(s.Observed.Code):
		return Leave
	case len(s.Differing) == 0:
		return Advance
	}
	hoping := r.hoping(before, s)
	switch {
	case unchanged && hoping:
		return Retry
	case unchanged && r.retries < r.Policy.Retries:
		r.retries++
		return Retry
	case r.Policy.Replan && hoping:
		return Replan
	case r.Policy.Replan && r.replans < r.Policy.Replans:
		r.replans++
		return Replan
	}
	return GiveUp
}

// noRetry is the probability of so many misses in a row at which a step is no longer
// believed to have the odds that the model gives it.
const noRetry = 0.01

// hoping says whether another outcome than the planned one is no surprise: the
// step is nondeterministic, and did not miss too often for its odds.
func (r *run) hoping(before Observation, s *Step) bool {
	if s.Uncertain.Seen == 0 {
		return false
	}
	attempt := StateAction{State: before.Code, Action: s.Action}
	r.misses[attempt]++
	missing := 1 - float64(s.Uncertain.Wanted)/float64(s.Uncertain.Seen)
	return math.Pow(missing, float64(r.misses[attempt])) > noRetry
}

// follow does what was decided.
func (r *run) follow(before Observation, s *Step) error {
	switch s.Decision {
	case Advance:
		r.index++
		r.retries = 0
	case Retry:
		r.result.Retries++
	case Leave:
		if r.replans >= r.allowedReplans() {
			return stop(Unrecognized, "after action %d, which should reach the goal: %s", s.Action,
				s.Observed.Reason)
		}
		r.replans++
		r.result.Replans++
		return r.plan(r.Search.Return(r.ctx, s.Observed.Code, before.Code, r.goal, r.avoid))
	case Replan:
		r.result.Replans++
		failed := StateAction{State: before.Code, Action: s.Action}
		if s.Observed.Code == before.Code && !slices.Contains(r.avoid, failed) {
			r.avoid = append(r.avoid, failed)
		}
		return r.plan(r.Search.Find(r.ctx, s.Observed.Code, r.goal, r.avoid))
	case GiveUp:
		return stop(SkillFailed,
			"action %d %s%s: predicates %v differ from the prediction (seen %s, expected %s); policy: %d "+
				"replans and %d retries allowed",
			s.Action, s.Report.Outcome, note(s.Report.Message), s.Differing, s.Observed.Code, s.Expected,
			r.allowedReplans(), r.Policy.Retries)
	}
	return nil
}

func (r *run) allowedReplans() int {
	if !r.Policy.Replan {
		return 0
	}
	return r.Policy.Replans
}

func note(message string) string {
	if message == "" {
		return ""
	}
	return " (" + message + ")"
}
