// Package check tests a learned model against the task graph that it was learned from. It shares no
// code with the learner: it reads the constraints of the paper from the graph and the operators,
// one by one, and counts false positives itself.
//
// The main function is [Model]:
//
//	graph, missing pairs, model --Model--> Summary, faults
//
//	summary, faults := check.Model(graph, check.AllMissing(graph), model)
//
// [Distinct] says which nodes have the same predicate vector and should not. [Edges] says whether a
// model can have been learned from a graph at all.
package check
