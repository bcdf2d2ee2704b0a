// Package variants groups the edges of a task graph into variants. An action whose effect depends
// on the state has several operators, its variants, and each of its edges belongs to one.
//
// The main function is [Find], which looks for few variants:
//
//	task graph, missing pairs, work --Find--> grouping of the edges
//
// A grouping is valid if there are candidate predicates for which
//   - every variant leaves each predicate alone, adds, deletes or toggles it on all its edges,
//   - all states have different predicate vectors,
//   - the predicates that are constant on a variant's sources exclude the states where another
//     variant of its action applies, or where the action must not apply.
//
// One variant for each edge is always valid.
//
// The search starts with predicates (coding.go). A coding of the states puts edges of an action
// into one variant if all predicates change alike on them. Predicates are found for abstractions of
// the graph, small machines such as the position of one object (abstraction.go). In a small machine
// a predicate of the world is one that few actions change (quotient.go, cheapest.go).
//
// Two methods combine abstractions: drawing them one after the other (encode.go), or keeping a
// library of small ones (library.go), each coded as a graph (machine.go), and combining the best
// (compose.go). What preconditions do not exclude is excluded by more predicates, or by cutting
// variants by the predicates there are (cut.go, trim.go). Variants are merged as long as nothing is
// lost (join.go), split at random and merged again (improve.go). The methods take turns (find.go).
// Searches with and without toggles run at the same time (race.go).
//
// The search can be ended at any time and returns the best grouping so far. It ends when the work
// is spent, or when it has found nothing better for long (patience.go). Its next step depends on
// its past steps, and not on the remaining work. So more work never gives more variants.
package variants
