// Package baselines holds the planners that STRIPS-WM is compared with.
//
// Each registers itself as a Baseline: its name, the parts of a bundle that it needs,
// and how to open it as a Planner, which answers queries of two pictures:
//
//	for _, l := range baselines.In(b) {
//		p, err := l.Open(b, inference.Options{})
//		plan, found, err := p.Plan(ctx, start, goal)
//	}
//
// GraphSearch is direct search on the learned task graph (paper, RQ3): a picture
// is one monolithic node, found by its quantised latent code, and a plan is a
// shortest path of observed edges. No predicates and no operators are involved. A
// picture whose code is that of no node is not planned from (ErrUnrecognized).
//
// WorldModel plans with the encoder and the learned dynamics alone (paper, RQ2):
// Search is WM-BFS, Rollout is WM-Rollout. Nothing tells them which action applies,
// so they imagine what cannot be done.
package baselines
