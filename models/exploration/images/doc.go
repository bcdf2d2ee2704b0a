// Package images has an explorer that looks at the images of its attempts. What they show counts
// where something else was reported: that nothing moved, that something did, or that the scene was
// changed between two attempts.
//
//	Explorer.Next --ActionID--> robot --outcome, images--> Explorer.Observe
//	    |                                                       |
//	    +--exploration.Explorer <--what happened-- facts.Watch--+
//
// It needs no trained network. Without images it is the explorer of package exploration.
package images
