// Package variants groups the edges of a task graph to variants: an action whose
// effect depends on the state is several operators, and each of its edges belongs
// to one. [Find] looks for few.
//
// A grouping is fine if there are columns (predicates) of which every variant
// leaves alone, adds, deletes or toggles each on all its edges, such that all
// states have different codes, and the columns that are constant on a variant's
// sources exclude the states where another variant of its action applies or where
// the action must not apply. One variant an edge is always fine.
//
// Columns first (coding.go): a coding of the states makes one variant of the edges
// of an action on which all columns change alike. The columns are found for one
// abstraction of the graph after the other (abstraction.go), machines of few
// states such as where one thing is: in a small machine a predicate of the world
// stands out as one that few actions change (quotient.go, cheapest.go). There are
// two ways: to draw abstractions as one goes (encode.go), or to keep a library of
// small ones (library.go), each coded on its own as a graph (machine.go), and put
// the best together, one a turn (compose.go). What preconditions do not exclude is
// excluded by more columns, or by cutting variants to pieces by the columns there are
// (cut.go, trim.go). Variants are joined as long as nothing is lost (join.go), taken
// apart at random and joined again (improve.go). All of this takes turns (find.go),
// and searches without toggles and with run at the same time (race.go).
//
// The search can be ended at any time and has the best grouping until then. It ends
// when the work is spent, or nothing has come of it for long (patience.go). What it
// does next depends on what it did and never on the work that is left, so that more
// work never gives more variants.
package variants
