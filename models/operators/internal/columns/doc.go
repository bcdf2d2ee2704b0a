// Package columns finds predicates for a task graph, one at a time.
//
// Its main type is [Problem]: a graph and its trusted missing pairs. A predicate is
// a column, the set of states in which it holds, such that every action has one
// effect on it on all its edges; effect.go lists the effects. What a predicate has
// to do is an atom: rule out a missing pair, or differ in two states. The oracle
// asks whether a column does some of that, which is a SAT problem of its own.
//
// [Problem.Decide] asks it of each missing pair: [Decided.Lost] are those that no
// column rules out, the least eta. [Decided.Learn] chooses columns for the others:
// by branch and bound where all columns can be listed (enumerate.go, exact.go,
// partial.go), otherwise (approximate.go) by growing covers (cover.go, iterate.go),
// cliques of atoms that need a column each (clique.go), asking for all columns at
// once between these bounds (joint.go), and lowering effects (slim.go, thin.go).
// The columns are then made a strips.Model with the fewest preconditions for them
// (assemble.go, hitting.go, unseen.go) in a [Solution], with what is proved of it.
// [Questions] name the edges because of which there is no column.
//
// All that may take long is paid for with [Work], counted in steps that are the
// same on any machine, so that the result depends on the graph, the demands and
// the steps alone.
package columns
