// Package paths finds shortest paths in graphs of any kind.
//
// Its function is [Shortest]:
//
//	plan, found := paths.Shortest(start, goal, func(at int, reach func(string, int)) {...})
package paths
