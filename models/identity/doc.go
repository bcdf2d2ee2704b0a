// Package identity decides which images show the same state. The encoder of stage 1 gives each
// image a Code, and images of one state should have one code. Where states are aliased (one code
// for several states), this package separates them, and says later which of them an image shows.
//
// The main types are Code and Locator. Data flows like this:
//
//	dataset, codes -> Refine -> Split -> TaskGraph -> taskgraph.Graph
//	graph -> NewLocator -> Locator.Nodes(recording, codes) -> node of each image
//
// Refine splits a code from which an action leads to two codes, by the transition that led to the
// code: the order of the recording separates the states. Split divides the visits to a code by what
// their images look like, where no action shows the difference. A part of a split has a numbered
// code, as in "0213.1".
//
// A Locator finds the nodes of images. Where a code covers several nodes, the transitions before
// and after the image decide.
//
// IntervalsOf and Cuts use static intervals, the time between two successful skills: all images in
// it show one state. IntervalsOf counts which nodes and edges the two ends of intervals confirm,
// for the pruning of the graph. Cuts finds the intervals in which somebody changed the scene and
// did not mark it.
package identity
