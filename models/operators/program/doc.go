// Package program is the paper's monolithic 0/1 program for operator learning (appendix "Exact
// CP-SAT Encoding"), equation by equation, for a fixed number m of predicates.
//
// The main type is [Program]. [Build] makes it from a task graph and the trusted missing pairs.
// [Program.Solve] finds the lexicographic optimum with gophersat. [Program.WriteOPB] and
// [Program.WriteWCNF] write it for other solvers, and [Program.Model] reads an assignment:
//
//	graph, missing pairs, m --Build--> Program --Solve--> Optimum
//	                                   Program --WriteOPB--> other solver --Model--> strips.Model
//
//	p, err := program.Build(graph, missing, 2, program.Options{})
//	optimum, err := p.Solve(ctx)
//
// It is the reference in the tests of package operators, which decomposes the program. It is
// practical for small graphs only.
package program
