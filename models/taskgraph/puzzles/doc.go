// Package puzzles has the exact task graphs of small deterministic worlds whose few skills do
// different things in different states: material for tests and benchmarks of whatever learns from
// task graphs.
//
// Its main type is [Puzzle]: a start, named skills, and a rule that says where a skill leads or that
// it is refused. States are words such as "021", the peg of each disc. [Puzzle.Exact] tries every skill
// in every state that can be reached; [Puzzle.Walk] is what somebody who tries skills at random sees.
// Both give attempts, which [Split], [Merge], [Misread] and [Puzzle.Mislabel] spoil as a camera and a
// careless log do, and [Puzzle.Graph] turns attempts into a task graph, whose nodes have the words as
// their codes.
package puzzles
