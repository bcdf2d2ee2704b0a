// Package effects finds what skills change from the images before and after their attempts: facts
// that a skill sets, which skills clear them, and which leave them, whatever their values were.
//
//	attempts with features -> changes -> detectors by skill -> pairs (a, k): k undoes a -> facts
//
// A change is the difference of the features after and before an attempt, less the light's gain and
// the directions in which differences vary where nothing happened. A detector of skill a weighs it
// such that a's own changes give 1 on average and those where nothing happened 0.
//
// After a success of a its effect is on. At each success of another skill k while it is on, the
// detector's response says whether the effect went (-1) or stayed (0); at successes while it is off,
// whether it came (1). What k does while a's effect is unknown counts nothing: k may change the same
// place for another reason.
//
// Evidence is in nats: the log likelihood that k always undoes a, against that it never does. A pair
// has a bias of its own, since k may change some of what a changes, and a share of attempts is
// recorded wrong. A pair is decided where the evidence exceeds the log of the number of pairs.
//
// A fact is the effect of a skill, with all skills that bring it and those that undo it; facts that
// are equal, or the negation of each other, are one. [Result.Values] is what each is in time.
//
// Strict alternation, which package traces finds without images, is the case of two skills that
// undo each other.
package effects
