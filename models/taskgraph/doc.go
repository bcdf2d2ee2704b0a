// Package taskgraph has the result of the first stage: the labelled graph of the transitions that
// the robot saw.
//
// The main type is [Graph] (Ĝ = (Ŝ, Ê) in the paper). Nodes are abstract states. Edges are observed
// transitions of opaque actions 1..L, each with the number of times that it was seen. Refused
// attempts are kept distinct from pairs that nobody tried. A [Builder] makes a Graph from
// transitions:
//
//	transitions, refused attempts --Builder--> Graph --> .dfa, JSON, Graphviz
//
//	b := taskgraph.NewBuilder([]string{"open", "close"})
//	err := b.Observe("shut", 1, "ajar")
//	err = b.Refuse("ajar", 1)
//	graph := b.Graph()
//	err = graph.WriteJSON(file)
//
// A graph is read and written as .dfa text ([ReadDFA]), as JSON ([ReadJSON]), which keeps
// everything, and as Graphviz ([ReadDOT]). [Graph.Nondeterministic] is the paper's diagnostic.
// [Graph.Prune] drops edges with little evidence. [Intervals] counts what the two images of each
// static interval show.
//
// Graphs are plain values in a canonical order: the same observations give the same bytes in every
// format.
package taskgraph
