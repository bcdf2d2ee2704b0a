// Package planner searches a learned model for plans, by default for shortest ones.
//
// The main type is [Planner], made once from a strips.Model:
//
//	strips.Model, start, goal --Find--> Result: plan, states, steps without certain outcome
//
//	p, err := planner.New(model)
//	result, err := p.Find(ctx, start, goal, planner.BreadthFirst, planner.Limits{})
//	fmt.Println(result.Outcome, result.Plan)
//
// A query is a pair of predicate states, or a state and a partial goal ([Planner.FindGoal]):
// literals that have to hold, while the rest does not matter. Where breadth-first search is too
// slow, Greedy follows relaxed plans. The [Result] says whether a plan was found, whether it is
// proved that there is none, or whether a limit ended the search. The planner never uses an action
// in a state that the model lists as an exception.
//
// If an outcome is nondeterministic, or nobody tried an action although its preconditions are true,
// the planner prefers other plans. If there is none, it returns the plan with the fewest expected
// attempts, and names such steps ([UncertainStep]).
//
// Package planner/check, which shares no code with the search, replays every plan before it is
// returned.
//
// A state that a classifier got wrong is often one that the model does not know. [Locate] says so,
// and names the nearest known states.
package planner
