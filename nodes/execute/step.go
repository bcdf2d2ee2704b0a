package execute

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

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
