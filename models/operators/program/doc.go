// Package program is the paper's monolithic 0/1 program for operator learning
// (appendix "Exact CP-SAT Encoding"), equation by equation, for a fixed number m
// of predicates.
//
// Its main type is [Program]. [Build] makes it from a task graph and the trusted
// missing pairs; [Program.Solve] finds the lexicographic optimum with gophersat;
// [Program.WriteOPB] and [Program.WriteWCNF] write it for any other solver, and
// [Program.Model] reads an assignment back. It is the reference that the learner
// in package operators, which takes the program apart, is tested against, and it
// is only practical for small graphs.
package program
