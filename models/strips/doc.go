// Package strips is grounded propositional STRIPS over m opaque predicates and L opaque actions.
// All other packages use its types.
//
// The main type is [Model], a learned world model:
//
//	operators.Learn --> Model --WriteJSON, ReadJSON--> file
//	                    Model --planner--> plan
//	                    Model --WriteDomain, WriteProblem--> PDDL --PDDLActions--> action ids
//
//	model, err := strips.ReadJSON(file)
//	state, known := model.Code(0)                // predicate vector of node 0
//	next, applies := model.Successor(state, 3)   // after action 3
//
// A Model contains
//   - one [Operator] for each action, or several if its effect depends on the state
//     ([Model.Variants]),
//   - the predicate vector ([State]) of every node of the task graph ([Known]),
//   - the pairs of a state and an action that no precondition excludes ([Exception]),
//   - the effects that do not fit ([Slack]),
//   - the pairs with a nondeterministic outcome ([Nondeterminism]),
//   - the pairs that preconditions allow although nobody tried them ([Untried]).
//
// Semantics (paper, section "Background: STRIPS Propositional Planning"): in a state x an operator
// is applicable if PrePos is true and PreNeg is false. It leads to Add ∪ (x \ Del), with the
// predicates of Toggle inverted. An action does what its applicable variants do; its result is
// unknown if they disagree. The model does not apply an action where it lists an exception or a
// nondeterministic outcome: see [Model.Successor].
package strips
