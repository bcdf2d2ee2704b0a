// Package strips is the language that the rest of the project speaks: grounded
// propositional STRIPS over m opaque predicates and L opaque actions.
//
// Its main type is [Model]: one [Operator] an action, the predicate vector
// ([State]) of every task-graph node it was learned from, the state-action pairs
// that no precondition could rule out ([Exception]), and the effects that did not
// fit ([Slack]). A model comes from package operators, is stored as JSON
// ([Model.WriteJSON], [ReadJSON]), searched by package planner, and given to
// outside planners as PDDL ([Model.WriteDomain], [Model.WriteProblem]), whose
// plans [Model.PDDLActions] turns back to action ids.
//
// Semantics (paper, section "Background: STRIPS Propositional Planning"): in a
// state x an operator is applicable when PrePos holds and PreNeg does not, and
// leads to Add ∪ (x \ Del). A model narrows this by its exceptions: see
// [Model.Successor].
package strips
