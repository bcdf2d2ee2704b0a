// Package traces learns a STRIPS world model from attempts alone: which skills succeeded and which
// were refused, in order, without images. A fact learned this way has a value in every static
// interval of the recording, also in states that were visited once, and these values label images.
//
// Its main function is [Learn], which returns a [Result]: a [Model], a [Report], and the value of
// each predicate in each static interval ([Result.Value]).
//
//	segments of attempts -> regions -> atomic regions -> unions -> predicates -> operators
//
// A region is a set of actions with signs, such that those that add and those that delete alternate
// within each segment: an action that adds a fact needs it to be false, one that deletes it needs
// it to be true. All regions of minimal support (number of actions) with more evidence than
// coincidence has are found, up to a support that the report states. Two kinds are found beyond it:
// regions that every action changes, and those that contain a found region and one or two actions
// more.
//
// A region that is the OR of mutually exclusive literals of rarer regions says nothing of its own:
// it is a union, as is any OR of literals that never held together, such as "place 3 is taken". The
// others are atomic.
//
// A predicate is a region that explains more of what succeeded and what was refused, beside those
// chosen before it, than it takes to name its actions. Facts are chosen first. A union becomes a
// derived predicate if it explains what facts leave open.
//
// The preconditions of an action are the values that its effects need, and literals with evidence
// beside them: successes that fall on intervals with the literal only by an unlikely coincidence
// (Fisher's exact test), and refusals that nothing else explains. Literals without enough evidence
// are listed with an interval in whose state an attempt decides.
//
// Two actions that changed the scene together, in an order that nobody recorded, are one attempt: a
// fact that one of them changes alternates as ever, and a fact that both change is as before.
//
// What facts, unions and preconditions cost is the logarithm of how many could be named, less how
// many of the kind were accepted: where each skill is undone by one other, the last such pair is
// cheap. A region that all actions change is split by what goes with what: what is in the hand, by
// object. Facts of one form are divided into groups of which at most one holds, such as what is at
// a place, all at once: that none of a group met any other is evidence where single pairs have
// none. Package schemas finds the grid behind the ids.
//
// Attempts count as they were recorded. Package facts finds those that their images contradict.
//
// Effects that set a fact whatever it was do not alternate, and are not found here. Such facts come
// from images ([Shown], package effects), and so do the variants of a skill that does different
// things in different states. An action may need the OR of such facts of which each ends the
// others: that a thing is somewhere, of those that may leave.
//
// Measurements are in docs/research/traces.md. Package check tests a model against the attempts and
// shares no code with the learner.
package traces
