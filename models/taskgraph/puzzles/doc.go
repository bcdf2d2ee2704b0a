// Package puzzles has the exact task graphs of small deterministic worlds with state-dependent
// skills, as fixtures for tests and benchmarks.
//
// The main type is [Puzzle]: a start, named skills, and a rule that says where a skill leads, or
// that it is refused. States are words such as "021", the peg of each disc:
//
//	Puzzle --Exact, Walk--> []Attempt --Split, Merge, Misread, Mislabel--> []Attempt
//	[]Attempt --Puzzle.Graph--> task graph
//
//	hanoi := puzzles.Hanoi(3)
//	graph := hanoi.Graph(hanoi.Exact()...)
//
// [Puzzle.Exact] tries every skill in every state that can be reached. [Puzzle.Walk] tries skills
// at random. [Split], [Merge], [Misread] and [Puzzle.Mislabel] corrupt the attempts, as a
// recognizer with errors and a wrong log would. [Puzzle.Graph] makes a task graph, whose nodes have
// the words as codes.
package puzzles
