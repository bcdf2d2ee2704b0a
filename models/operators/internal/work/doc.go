// Package work counts how much may still be done. Its main type is [Work]: a number
// of solver steps, which is the same on any machine, and a context as the safety
// net. What may take long is given one, pays for what it does and stops when it is
// over:
//
//	w := work.New(ctx, 120_000_000)
//	for !w.Over() {
//		w.Spend(step())
//	}
package work
