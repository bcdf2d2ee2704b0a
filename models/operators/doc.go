// Package operators is the second stage of the method: it learns predicates and STRIPS operators
// from a task graph.
//
// The main function is [Learn]. A [Trust] policy says which missing pairs of a state and an action
// are negative evidence:
//
//	taskgraph.Graph, Trust --Learn--> Result: strips.Model, Report
//
//	result, err := operators.Learn(ctx, graph, operators.Options{})
//	fmt.Println(result.Report.Predicates, result.Report.Eta, result.Report.Proved)
//
// The paper gives one 0/1 program over all predicates to a solver. Here the program is decomposed.
// A candidate predicate is a set of states that each action leaves alone, enters or leaves on all
// its edges. A separation constraint is a missing pair, or a pair of states, that some predicate
// has to separate. Learn proceeds in this order:
//
//  1. One small SAT problem per missing pair decides whether any candidate separates it. The number
//     of pairs without a solution is the least applicability slack (eta), each with a proof.
//  2. A small set of candidates separates all other pairs. If the candidates can all be listed,
//     branch and bound finds the smallest set. Otherwise greedy covers give a set, and constraints
//     of which no two share a candidate give a lower bound. One SAT problem for k candidates at
//     once closes the gap on graphs of some hundred states.
//  3. Effects are reduced, and each action gets the fewest preconditions for these predicates.
//
// xi = 0 and eta are always proved. The [Report] says which other figures are proved, and gives
// bounds of the rest. The bound on the number of operators is the number of actions.
//
// Every node gets a predicate vector of its own. If the effect of a skill depends on the state,
// predicates may be toggled, and an action has several operators, its variants. Package
// operators/internal/variants looks for few of them. A pair that the recording shows to have
// several outcomes is listed in the model, and no operator describes it. [Options].Single asks
// for the paper's model instead.
//
// [Options].Work limits the work in steps of the solver. The same options give the same model on
// any machine, and more work never gives more operators. If the clock or the context ends the work
// early, the model is the best so far, and [Report].CutShort says so.
//
// Beyond the paper:
//   - A pair that no predicate separates becomes an exception of the model, with its proof.
//   - Refused attempts are evidence of their own. A pair that the recording does not show is
//     negative evidence only if it would have been seen by now ([DefaultTrust]); other pairs that
//     preconditions allow are the model's untried ones.
//   - [Merge] merges nodes that the recording shows to be one state. [Forced] and [Suspects] find
//     edges that may be wrong.
//   - [Explain] and [ExplainSkill] say why a model is as it is.
//
// Packages regions and variants of operators/internal implement the search. Package
// operators/program has the paper's program, and package operators/check tests a model against its
// graph.
package operators
