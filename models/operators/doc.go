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
// What is proved: xi = 0 and eta always; the number of predicates, effects and
// preconditions where the columns of the graph can all be listed (BlocksWorld has
// 144), by branch and bound over choices of columns. Otherwise a cover is found by
// iterated greedy, a lower bound by a set of atoms of which no two fit one column,
// and one SAT problem for k columns at once, over few but growing atoms, closes
// the gap between the two on graphs of some hundred states. Effects are then
// lowered by making columns inert where they need not change. Preconditions are
// the fewest for the columns chosen: one hitting set an action. The [Report] says
// which figures are proved and the bounds of the others.
//
// Skills whose effect depends on the state: every node gets a code of its own. Where
// one operator an action cannot do that (no predicate has one effect on all edges of
// "pick what is there"), predicates may be toggled, and then an action has several
// operators, its variants, as few in all as package operators/internal/variants
// finds; the graph with variants in the place of actions is learned as above, and
// eta is 0. A pair of node and action that was seen to have several outcomes is left
// to chance: the model lists it, and no operator speaks of it. [Options].Single asks
// for the paper's model instead.
//
// How hard Learn tries is counted in steps of the solver ([Options].Work), so that
// the same options give the same model on any machine, and more work never gives more
// operators. The clock is a safety net: where it or the context ends the work
// before its time, the model is the best until then, and [Report].CutShort says so.
//
// [Relearn] does it again in milliseconds while the graph grows: it begins with the
// predicates of the model before, proves eta, and leaves m to a later Learn.
//
// Beyond the paper: pairs that no predicate can rule out become exceptions of the
// model, with a proof each; refused attempts count as evidence of their own
// ([Trust]), and what a recording does not show only where it would have been seen by
// now ([DefaultTrust]): pairs that preconditions allow beyond that are the model's
// untried ones; [Fold] makes one of the nodes that the recording shows to be one state,
// and of no others; [Forced] and [Suspects] rank the edges that may be wrong;
// [Explain] and [Frontier] say why a model is as it is and what to try next.
// Package program has the paper's program as it stands.
//
// The data go from a taskgraph.Graph and a [Trust] policy, which says which pairs
// are missing, to a [Result] with a strips.Model and a [Report]; how is in packages
// columns and variants of operators/internal. Package operators/check tests such a model against
// the graph and shares no code with the learner.
package operators
