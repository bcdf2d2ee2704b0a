// Package report writes the report folder of a run: one HTML page without scripts that opens
// without network, and each of its figures as a file.
//
// The main type is [Input], a plain struct that the pipeline fills with what it has. A section
// whose input is absent is left out:
//
//	Input --findings--> sentences --page.html--> report.html
//	Input --drawing, matrix, chart--> figures --> files, report.html
//
//	err := report.Write("runs/demo/report", report.Input{Domain: "blocksworld", Graph: graph})
//
// [Write] makes these files; the same input gives the same bytes:
//
//	report.html            everything below on one page, with the figures
//	task_graph.svg, .dot   the learned graph with an image for each state
//	contact_sheet.png      images of each learned state
//	predicate_matrix.svg   states by predicates
//	operators.txt          each operator in words
//	loss, codes, classifier, success, ablation, reliability, mistakes (.svg and .png)
//	film_strip.png         one plan as nearest training images
//	out_of_distribution.png  images that must not be planned from
package report
