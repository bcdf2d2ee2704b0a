// Package report writes the report folder of a run: one page that opens without network and without scripts, and
// each of its pictures as a file.
//
// The main type is [Input], a plain struct that the pipeline fills with what it has; a section whose input is
// absent is left out. [Write] turns it into
//
//	report.html            everything below on one page, pictures inside
//	task_graph.svg, .dot   the learned graph with an image for each state
//	contact_sheet.png      images of each learned state
//	predicate_matrix.svg   states by predicates
//	operators.txt          each operator in words
//	loss, codes, classifier, success, ablation, reliability, mistakes (.svg and .png)
//	film_strip.png         one plan as nearest training images
//	strangers.png          pictures that should not be planned from
//
// Data passes through in one direction: findings says the numbers in words, drawing, matrix and chart draw,
// page.html arranges. The same input gives the same bytes.
package report
