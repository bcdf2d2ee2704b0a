// Package exploration chooses which skill a robot attempts next, so that package traces learns a
// model from few seconds of robot time. It begins with nothing: it uses action ids, what succeeded
// and what was refused, and how long that took. It uses no images.
//
// Its main type is [Explorer]:
//
//	Explorer.Next --ActionID--> robot --outcome, seconds--> Explorer.Observe
//	     |                                                       |
//	     +--beliefs: what each skill may need <--traces.Learn----+
//
//	e, err := exploration.New(70, exploration.Options{})
//	for e.Expect().Success < 0.95 {
//		a, _ := e.Next()
//		succeeded, seconds := try(a)
//		e.Observe(a, outcome, seconds)
//	}
//
// An attempt of a skill that was refused since the last success teaches nothing, and is not made.
// Of the others, the explorer attempts the one with the largest expected gain per second. Where
// refusals cost much, facts do not explain the outcomes, or little is to be gained, some attempts
// are drawn by that gain.
//
// The gain is information: the entropy of the outcome, since the outcome follows from the world and
// its state. What facts cannot use of it counts half. The probability that a skill applies comes
// from one online logistic regression for all skills (applies.go). Its inputs are counts, pairs of
// skills that undo each other, and the version space of the skill: what it may need, as worlds that
// package traces draws from all that the attempts allow. To the entropy it adds what successes are
// needed for: facts are learned from successes of every skill, in many orders.
//
// If no attempt in the present state is worth its time, the explorer plans to a state in which one
// is (search.go). Facts are learned again when the successes have grown by a fraction, or when
// outcomes contradict them.
package exploration
