// Package baselines holds the planners that STRIPS-WM is compared with.
//
// GraphSearch is direct search on the learned task graph (paper, RQ3): a picture
// is one monolithic node, found by its quantised latent code, and a plan is a
// shortest path of observed edges. No predicates and no operators are involved.
//
//	search, err := baselines.OpenGraphSearch(b, vision.FSQ{Levels: 5, Dims: 5}, inference.Options{})
//	result, err := search.Plan(start, goal)
//	fmt.Println(result.Found, result.Plan)
//
// A picture whose code is that of no node is not planned from: Plan returns
// ErrUnrecognized.
//
// WorldModel plans with the encoder and the learned dynamics alone (paper, RQ2):
// Search is WM-BFS, Rollout is WM-Rollout. Nothing tells them which action applies,
// so they imagine what cannot be done.
package baselines
