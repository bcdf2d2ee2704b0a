// Package builder is the report builder: it fills a report.Input with what learning and evaluation
// returned. Package report, which draws and writes, does not know these packages.
//
// The main function is [Run], which takes a learner's result. [Evaluation] takes an evaluation
// alone:
//
//	learn.Result, eval.Report --Run--> report.Input --report.Write--> folder
//
//	in, err := builder.Run(ctx, learner, result, learn.Summarize(learner, result), nil, "")
//	err = report.Write(dir, in)
//
// [SuspectImages] draws the recorded images of edges that may be wrong. [HeldOut] draws the
// images of attempts that a model did not predict.
package builder
