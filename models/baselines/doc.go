// Package baselines holds the planners that STRIPS-WM is compared with.
//
// The main type is Baseline: its name, the parts of a bundle that it needs, and how to open it as a
// Planner, which plans between two images. In lists the baselines that a bundle has the parts for.
//
//	GraphSearch     shortest paths on the learned task graph (paper, RQ3): no predicates, no
//	                operators. It refuses an image whose code is of no node (ErrUnrecognized).
//	WM-BFS,         search and rollout with the encoder and the learned dynamics alone (paper,
//	WM-Rollout      RQ2). They do not know which action applies.
//	LSR             Latent Space Roadmap (Lippi et al., T-RO 2023): an autoencoder, clusters of its
//	                latents, shortest paths between them (roadmap). It refuses no image.
//	LatPlan-AMA3    Asai et al., JAIR 2022: an autoencoder to bits, operators over these, search.
//	                It refuses no image.
//
// The latter two have parts of their own. A Learner makes them of the same recordings:
//
//	dataset.Dataset -> Learner.Learn -> Learned.Parts -> bundle -> Baseline.Open -> Planner
//
// "stripswm research baseline learn" writes such a bundle, and "stripswm eval --baseline DIR" gives
// it the same queries as ours. Package autoencoder has the networks, package roadmap the graph of
// LSR.
//
// Differences from the published methods: images of 64x64 pixels, our encoder, varied as for our
// own method; pairs of images of one state are all static intervals and refused attempts. LSR
// clusters 10,000 points at most, finds its threshold exactly and uses strongly connected
// components. AMA3 uses the ids of the recording as action labels, with an operator for each set of
// bits that the learned effects of an id miss. docs/research/baselines.md has tables of all
// differences, and measurements.
package baselines
