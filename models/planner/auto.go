package planner

import (
	"cmp"
	"context"

	"stripswm/models/strips"
)

// autoStates is how many reached states BreadthFirst may keep before Greedy takes over: a few
// seconds, and more states than a task graph has.
const autoStates = 20_000

// auto searches breadth-first as far as autoStates, and then greedily.
func (p *Planner) auto(ctx context.Context, start strips.State, goal strips.Goal, limits Limits,
) (Result, error) {
	few := limits
	few.States = min(cmp.Or(limits.States, autoStates), autoStates)
	r, err := p.FindGoal(ctx, start, goal, BreadthFirst, few)
	if err != nil || r.Outcome != LimitReached || limits.States > 0 && limits.States <= autoStates ||
		ctx.Err() != nil {
		return r, err
	}
	return p.FindGoal(ctx, start, goal, Greedy, limits)
}
