// Package planner searches a learned model for shortest plans.
//
// Its main type is [Planner], made once from a strips.Model. A query is a pair of
// predicate states; [Planner.Find] returns a [Result] that says whether a plan was
// found, whether there is proven to be none, or whether a limit came first. The
// exceptions of the model are honoured: an action is never used in a predicate
// state where the data says that it does not apply. Where the model leaves an
// outcome to chance, or nobody tried an action where its
// preconditions hold, other ways are preferred; if there is none the plan with the
// fewest expected attempts is taken, and its [Chance] steps are named. Every plan is replayed by
// package planner/check, which shares no code with the search, before it is
// returned.
//
// A start or goal that a classifier got wrong is often a state that the model has
// never seen; [Locate] says so and names the nearest known ones.
package planner
