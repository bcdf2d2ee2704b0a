package execute

import (
	"context"
	"errors"
	"fmt"
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
