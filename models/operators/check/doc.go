// Package check tests a learned model against the task graph it was learned
// from. It shares no code with the learner, not even the count of false
// positives: it reads the paper's constraints off the graph and the masks, one by
// one.
//
// Its main function is [Model]; data pass from a graph, the trusted missing pairs
// and a model to a [Summary] and the list of faults. [Apart] says which nodes have
// one code and should not.
package check
