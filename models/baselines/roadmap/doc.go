// Package roadmap builds and searches the latent space roadmap of LSR (Lippi et al., "Enabling
// Visual Action Planning for Object Manipulation through Latent Space Roadmap", T-RO 2023):
// regions of a latent space, each taken for one state, and the actions seen between them.
//
// The main type is Roadmap. Points are the latent vectors of a recording's pictures, and steps
// say which action led from which to which:
//
//	clusters := roadmap.Average(points)
//	labels, threshold := roadmap.Optimise(clusters, steps, 20)
//	r := roadmap.Build(points, labels, steps)
//	actions, found := r.Plan(start, goal)
//
// Average and Single make a Dendrogram, which is cut at a threshold; Optimise finds the
// threshold (the paper's algorithm 2). Density is HDBSCAN, which needs none. Distances are L1.
//
// Roadmaps are pure Go and know nothing of pictures; package baselines has the autoencoder.
package roadmap
