// Package operators is the second stage: it turns a task graph into predicates
// and STRIPS operators.
//
// Its main function is [Learn]. The paper hands one 0/1 program over all m
// predicates to a solver; here the program is taken apart. No constraint but the
// negative evidence joins two predicates, so a predicate is a column, a set of
// states that every action leaves alone, enters or leaves on all its edges, and
// a trusted missing pair (an atom) can be ruled out exactly if one small SAT
// problem has a solution. The least sum of applicability slack (eta) is the
// number of atoms without a solution, each with its proof, and a small model is a
// small choice of columns that together separate all the others.
//
// The data go from a taskgraph.Graph and a [Trust] policy through [NewProblem],
// which indexes them, to a [Result] with a strips.Model and a [Report]. Package
// operators/check tests such a model against the graph and shares no code with
// the learner.
package operators
