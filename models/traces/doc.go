// Package traces learns a STRIPS world model from attempts alone: which skills succeeded and which
// were refused, in order, without images. A fact learned this way has a value in every static
// interval of the recording, also in states that were visited once, and these values label the
// images.
//
// Its main function is [Learn], which returns a [Result]: a [Model] and a [Report].
//
//	segments of attempts -> regions -> atomic regions -> unions -> chosen predicates -> operators
//
// A region is a set of actions with signs, such that those that add and those that delete alternate
// within each segment: an action that adds a fact needs it to be false, one that deletes it needs
// it to be true. All regions of minimal support with enough evidence are found, up to a number of
// actions that the report states; regions that every action changes are found beside them. A region
// that is the OR of rarer literals says nothing of its own and is dropped; the others are atomic.
//
// A union is the OR of mutually exclusive literals, such as "place 3 is taken". It becomes a
// derived predicate where it explains successes and refusals that the facts leave open.
//
// An action's preconditions are the values that its effects need, and literals beside them that
// have evidence: successes that would fall on intervals with the literal only by an unlikely
// coincidence (Fisher's exact test), and refusals that nothing else explains. Literals without
// enough evidence are listed with the interval in which an attempt decides.
//
// What is not found: effects that set a fact whatever it was, toggles, and state-dependent skills,
// as nothing alternates there.
//
// The design is in docs/research/traces.md. Package check tests a model against the attempts and
// shares no code with the learner.
package traces
