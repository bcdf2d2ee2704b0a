// Package strips is the language that the rest of the project speaks: grounded
// propositional STRIPS over m opaque predicates and L opaque actions.
//
// Its main type is [Model]: one [Operator] an action or, where an action does
// different things in different states, several ([Model.Variants]), the predicate
// vector ([State]) of every task-graph node it was learned from, the state-action
// pairs that no precondition could rule out ([Exception]), the effects that did
// not fit ([Slack]), and the pairs with several outcomes in earnest ([Chance]). A model comes from package operators, is stored as JSON
// ([Model.WriteJSON], [ReadJSON]), searched by package planner, and given to
// outside planners as PDDL ([Model.WriteDomain], [Model.WriteProblem]), whose
// plans [Model.PDDLActions] turns back to action ids.
//
// Semantics (paper, section "Background: STRIPS Propositional Planning"): in a
// state x an operator is applicable when PrePos holds and PreNeg does not, and
// leads to Add ∪ (x \ Del), with the predicates of Toggle inverted. An action is
// what those of its variants that apply make of it, and unknown where they
// disagree; a model narrows this by its exceptions and chances: see
// [Model.Successor].
package strips
