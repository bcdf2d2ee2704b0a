// Package regions finds predicates for a task graph, one at a time.
//
// The main type is [Problem]: a graph and its trusted missing pairs. A region is a candidate
// predicate: the set of states in which it is true, such that every action has one effect on it
// on all its edges (region.go). A separation constraint, or constraint, is a missing pair that a
// region has to rule out, or two states in which it has to differ. The oracle decides by a SAT
// problem whether one region satisfies some of them (oracle.go):
//
//	Problem --Decide--> Decided --Learn--> Solution: strips.Model, what is proved of it
//
//	d := regions.New(graph, missing, nil, false).Decide(ctx)
//	s, err := d.Learn(ctx, work.New(ctx, 1_000_000), regions.Demands{})
//
// [Problem.Decide] asks the oracle about each missing pair. [Decided.Lost] are those that no region
// rules out; their number is the least eta. [Decided.Learn] chooses regions for the others
// (choose.go):
//   - If all regions can be listed, by branch and bound (exact.go, hitting.go).
//   - Otherwise by a greedy search for a small cover of the constraints (cover.go). Constraints of
//     which no two share a region are a lower bound, and one problem for all regions at once closes
//     the gap or narrows it (approximate.go).
//
// Then regions are replaced by such with fewer effects (slim.go).
//
// assemble.go makes a strips.Model of regions, with the fewest preconditions for them. [Questions]
// name the edges that prevent a region, an unsatisfiable core (questions.go).
//
// A work.Work limits everything that may take long. So the result depends only on the graph, the
// demands and the number of steps.
package regions
