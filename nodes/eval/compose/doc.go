// Package compose fills a report from what learning and evaluating returned: it
// is all that package report, which draws and writes, need not know of them.
//
// Run takes a learner's result, Evaluation an evaluation alone; both return a
// report.Input:
//
//	in, err := compose.Run(ctx, learner, result, learn.Summarize(learner, result), nil, "")
//	err = report.Write(dir, in)
//
// SuspectPictures writes sheets of the recorded pictures behind edges that may be
// wrong, HeldOut one of the attempts that a model did not foresee.
package compose
