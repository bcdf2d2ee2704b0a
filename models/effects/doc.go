// Package effects finds what skills change from the images before and after their attempts: facts
// that a skill sets, which skills clear them, and which leave them, whatever their values were.
//
//	attempts with features -> changes -> parts of skills -> meetings: k undoes, keeps -> facts
//
// A change is the difference of the features after and before an attempt, less the light's gain and
// the directions in which differences vary where nothing happened. A part is a place where all
// changes of a skill are alike, and a detector of that: its response is 1 on average to its own
// skill's changes, and 0 where nothing happened. A skill that places a thing has two parts, there
// and in the hand.
//
// After a success of a part's skill its effect is on. At each success of another skill k while it
// is on, the response says whether the effect went (-1) or stayed (0). What k does while it is
// unknown or off counts nothing: k may change the same place for another reason.
//
// Evidence is in nats: the log likelihood that k always undoes the effect, against that it never
// does. A pair has a bias of its own, since k may change some of what is seen there, and a share of
// attempts is recorded wrong. A pair is decided to undo where the evidence exceeds the log of the
// number of pairs, and to keep where one clear response says so.
//
// Parts that the same skills clear, and whose skills bring each other's effect, are one fact, as
// are two of which each is that the other is not. A value follows from the last skill that set or
// cleared the fact, whatever it was before, and is unknown after skills that are undecided.
//
// Strict alternation, which package traces finds without images, is the case of skills that undo
// each other. Not found are the effects of skills that do several things, such as to flip a lamp:
// they have no part, or their meetings are mixed, and Result.Undecided says so.
//
// Package check compares facts with the truth and shares no code with the learner.
package effects
