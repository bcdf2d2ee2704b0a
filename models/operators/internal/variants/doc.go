// Package variants groups the edges of a task graph into variants. An action whose effect depends
// on the state has several operators, its variants, and each of its edges belongs to one.
//
// The main function is [Find], which looks for few variants:
//
//	task graph, missing pairs, work --Find--> Found, a grouping of the edges
//
// A grouping is valid if there are regions, sets of states where a predicate holds, for which
//   - every variant leaves each region alone, adds, deletes or toggles it on all its edges,
//   - all states have different codes, by the regions that they are in,
//   - the regions that are constant on a variant's sources exclude the states where another
//     variant of its action applies, or where the action must not apply.
//
// One variant for each edge is always valid.
//
// The search chooses regions first. A coding is a choice of regions; it needs a variant for each
// way in which they change together on edges of an action (coding.go). Regions are found on
// abstractions of the graph, which are small machines such as the position of one object
// (abstraction.go): a good region tells many states apart and changes under few actions
// (region.go). There are two ways to a coding of the whole graph. One draws abstractions one
// after the other (encode.go). The other keeps a library of small machines with codings of their
// own, and puts the best together (library.go). One alone fails on boards with boxes and tiles,
// the other alone needs more operators and predicates.
//
// Then variants are merged as long as valid regions remain, taken apart at random and merged again
// (merge.go). These steps take turns (find.go).
//
// The search can be ended at any time and has the best grouping so far. Its next step depends on
// its past steps, and not on the remaining work. So more work never gives more variants.
package variants
