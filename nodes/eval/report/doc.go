// Package report writes the report folder of a run: one HTML page without scripts that opens
// without network, and each of its figures as a file.
//
// The main type is [Input], a plain struct. [OfRun] fills it with what the learner and an
// evaluation returned, and [OfEvaluation] with an evaluation alone. A section whose input is absent
// is left out:
//
//	learn.Result, eval.Report --OfRun--> Input
//	Input --findings--> sentences --page.html--> report.html
//	Input --drawing, matrix, chart--> figures --> files, report.html
//
//	in, err := report.OfRun(ctx, learner, result, learn.Summarize(learner, result), nil, "")
//	err = report.Write("runs/demo/report", in)
//
// [Write] makes these files; the same input gives the same bytes:
//
//	report.html            everything below on one page, with the figures
//	task_graph.svg, .dot   the learned graph with an image for each state
//	contact_sheet.png      images of each learned state
//	predicate_matrix.svg   states by predicates
//	operators.txt          each operator in words
//	objects.jpg            the objects that facts are of, where there is no task graph
//	loss, codes, classifier, success, ablation, reliability, mistakes (.svg and .png)
//	film_strip.png         one plan as nearest training images
//	out_of_distribution.png  images that must not be planned from
//
// Other functions draw recorded images: [SuspectImages] of edges that may be wrong, [HeldOut] of
// attempts that a model did not predict, [Contradictions] and [Unexplained] of what facts leave
// open, [Objects] of a bundle.
package report
