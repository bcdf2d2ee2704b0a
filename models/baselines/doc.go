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
//
// LSR learns a latent space of its own, clusters it into a roadmap, and plans on that (below).
//
// # Learning
//
// A baseline that needs more than the parts of our own bundle registers a Learner too, which
// makes the parts of a bundle of its own from the same recordings:
//
//	l, err := baselines.LearnerOf("lsr")
//	learned, err := l.Learn(ctx, data, baselines.LearnOptions{Seed: 1})
//
// stripswm baseline learn keeps them, and eval --baseline asks them what it asks us.
//
// # LSR
//
// Lippi, Poklukar, Welle, Varava, Yin, Marino and Kragic, "Enabling Visual Action Planning for
// Object Manipulation through Latent Space Roadmap", T-RO 2023 (arXiv 2103.02554); the first
// paper is of IROS 2020 (2003.08974); their code is github.com/visual-action-planning/lsr-v2-code,
// from which the weights, schedules and the pruning of lone nodes are known. Nothing is copied.
//
// Taken as published: a variational autoencoder of 12 dimensions whose loss holds the pictures
// of an action at least d_m apart in L1, and draws those of one state together; beta rising to 2
// over 80 % of training, gamma 100, d_m growing by 0.1 at most 100 times while some action is
// nearer than some pair of one state; average linkage over the latents; the threshold that gives most edges
// with at most c_max components; nodes without an edge left out; start and goal the
// nearest nodes. A picture is always planned from, so it never abstains; it fails by finding no
// way, or a wrong one.
//
//	what                   published                           here
//	pictures               256x256, ResNet, 500 epochs         64x64, our encoder, as many steps as take as long as we do (4,000, or half the transitions)
//	weights beta, gamma    beside a sum over 256x256 pixels    a 16th of them, beside a sum over 64x64
//	d_m                    looked at every 5th of 500 epochs   every 100th part of training
//	pictures varied        no                                  yes, as ours; the picture itself is drawn
//	pairs of one state     65 actions to 35 of one state       all moments with two pictures and all refused attempts: about even
//	search for tau         Brent's method                      exact: the least threshold that c_max allows (roadmap.Optimise)
//	components             of a graph without directions       strong ones: an id does not say what undoes it
//	points clustered       all, 5,000                          10,000 at most; others go with the nearest of these
//	actions of edges       a network proposes them             the id seen most often
//	plan                   all shortest paths                  one, by the edges seen most often
package baselines
