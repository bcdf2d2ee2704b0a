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
// Columns first (encode.go): a coding of the states makes one variant of the edges
// of an action on which all columns change alike. The columns are found for one
// abstraction of the graph after the other (abstraction.go), machines of few
// states such as where one thing is: in a small machine a predicate of the world
// stands out as one that few actions change (quotient.go, cheapest.go). Then
// variants are joined as long as nothing is lost (join.go), taken apart at random
// and joined again (improve.go).
package variants
