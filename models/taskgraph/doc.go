// Package taskgraph holds the result of the first stage: the labelled graph of
// what the robot saw happen.
//
// Its main type is [Graph] (Ĝ = (Ŝ, Ê) in the paper): nodes are abstract states,
// edges are observed transitions under opaque actions 1..L, each with the number
// of times it was seen, and refused attempts are kept apart from edges that were
// merely never seen. A [Builder] makes one from transitions as they come; a
// graph is read and written as .dfa text ([ReadDFA]), as JSON, which keeps
// everything ([ReadJSON]), and as Graphviz ([ReadDOT]). [Graph.Nondeterministic]
// is the paper's diagnostic, and [Graph.Prune] drops what hardly any evidence is for.
//
// Graphs are plain values in a canonical order, so the same observations give the
// same bytes in every format.
package taskgraph
