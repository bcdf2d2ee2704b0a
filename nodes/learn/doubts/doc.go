// Package doubts says where what was learned cannot be right, or is not known to be, as
// far as the recording itself shows: what it is, what to record next, and which
// pictures to look at.
//
// The main type is Doubt; Of finds those of a Learned, what came of a recording:
//
//	for _, d := range doubts.Of(doubts.Learned{Data: data, Nodes: nodes, Graph: graph}) {
//		fmt.Println(d.What, d.Do) // "2 of 16 states were seen at fewer than 3 moments" "..."
//	}
//
// None of them looks at what only a simulation knows. A doubt is not an error: the planner
// refuses what it does not recognise, and tries what it was not shown last.
package doubts
