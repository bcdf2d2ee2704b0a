// Package graphtest writes task graphs in tests.
//
// Of makes a graph of what was seen, such as "shut 1 ajar" where action 1 led from one code to
// another; Noisy draws graphs, and States lists the states that their codes name:
//
//	g := graphtest.Of([]string{"open"}, "0 1 1", "1 1")
package graphtest
