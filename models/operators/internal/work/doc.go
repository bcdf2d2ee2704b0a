// Package work limits how much a search may do. The main type is [Work]: a number of solver steps,
// which is the same on any machine, and a context as a safety net. Long searches get a Work, count
// their steps, and stop when it is over:
//
//	w := work.New(ctx, 120_000_000)
//	for !w.Over() {
//		w.Spend(step())
//	}
package work
