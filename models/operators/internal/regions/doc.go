// Package regions finds predicates for a task graph, one at a time.
//
// The main type is [Problem]: a graph and its trusted missing pairs. A region is a candidate
// predicate: the set of states in which it is true, such that every action has one effect on it on
// all its edges (effect.go). A separation constraint is a separation constraint: rule out a missing
// pair, or be different in two states. The oracle decides, as a SAT problem of its own, whether a
// region satisfies some of them:
//
//	Problem --Decide--> Decided --Learn--> Solution: strips.Model, what is proved of it
//
//	d := regions.New(graph, missing, nil, false).Decide(ctx)
//	s, err := d.Learn(ctx, work.New(ctx, 1_000_000), regions.Demands{})
//
// [Problem.Decide] asks the oracle about each missing pair. [Decided.Lost] are those that no region
// rules out; their number is the least eta. [Decided.Learn] chooses regions for the others:
//   - by branch and bound if all regions can be listed (enumerate.go, exact.go, partial.go),
//   - otherwise (approximate.go) with growing covers (cover.go, iterate.go), and cliques
//     of separation constraints that each need a region, as a lower bound (clique.go),
//   - with one problem for all regions at once between these bounds (joint.go),
//   - and then with fewer effects (slim.go, thin.go).
//
// assemble.go, hitting.go and unseen.go make a strips.Model with the fewest preconditions for these
// regions. [Questions] name the edges that prevent a region (an unsatisfiable core).
//
// A work.Work limits everything that may take long. So the result depends only on the graph, the
// demands and the number of steps.
package regions
