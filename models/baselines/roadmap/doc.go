// Package roadmap builds and searches the latent space roadmap of LSR (Lippi et al., "Enabling
// Visual Action Planning for Object Manipulation through Latent Space Roadmap", T-RO 2023): regions
// of a latent space, each classified as one state, and the actions seen between them.
//
// The main type is [Roadmap]. Points are the latent vectors of a recording's images. Steps say
// which action led from which point to which:
//
//	points --Average, Single--> Dendrogram --Optimise--> labels --Build--> Roadmap --Plan--> actions
//
//	clusters := roadmap.Average(points)
//	labels, threshold := roadmap.Optimise(clusters, steps, 20)
//	r := roadmap.Build(points, labels, steps)
//	actions, found := r.Plan(start, goal)
//
// [Average] and [Single] make a [Dendrogram], which is cut at a threshold. [Optimise] finds the
// threshold (the paper's algorithm 2). [Density] is HDBSCAN, which needs no threshold. Distances
// are L1.
//
// The package is pure Go and does not use images. Package baselines has the autoencoder.
package roadmap
