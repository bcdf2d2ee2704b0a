// Package diagnostics finds the warnings about a recording: where the learned graph cannot be
// right, or is not known to be right, as far as the recording shows. A warning says what is wrong,
// what to record next, and which images to inspect.
//
// The main type is [Diagnostic], one warning. [Of] finds the warnings about what was learned:
//
//	Learned --Of--> []Diagnostic --> stripswm learn, report
//
//	for _, d := range diagnostics.Of(diagnostics.Learned{Data: data, Nodes: nodes, Graph: graph}) {
//		fmt.Println(d.What, d.Do)
//	}
//
// No warning uses what only a simulation knows. A warning is not an error: the planner refuses what
// it does not recognize, and uses untried steps last.
package diagnostics
