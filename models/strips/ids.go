package strips

// StateID is a node of a task graph, counted from 0.
type StateID int

// ActionID is an opaque action label, 1..L. Zero is no action.
type ActionID int

// Predicate is an index into a predicate vector, 0..m-1.
type Predicate int
