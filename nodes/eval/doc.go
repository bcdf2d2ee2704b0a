// Package eval evaluates a bundle by the paper's protocol, on images that no recording contains.
//
// The main type is [Report]. [Run] evaluates in a simulated world. [RunFolder] evaluates on a
// [Folder]: labelled images of a world that cannot be simulated. The ground-truth graph of a Folder
// is truth_graph.csv, or else what the recorded attempts say. [RunHeldOut] needs neither: it
// compares the attempts of another recording with the model.
//
//	planner, world or Folder --> queries, images --> plans --> Report
//
//	report, err := eval.Run(ctx, planner, world, eval.Options{
//		Queries: 200, Images: 20, Seed: 1, Size: 128, Nuisance: 1,
//	})
//	fmt.Println(report.Horizons[0].SolvedGraph)
//	folder, err := eval.OpenFolder(ctx, "images") // transitions.csv and truth.csv
//	report, err = eval.RunFolder(ctx, planner, folder, eval.Options{Queries: 200, Seed: 1})
//
// The parts of a Report:
//   - [Abstraction] compares the learned states with the true ones (RQ1, table 1).
//   - Horizons is image-to-plan success (RQ2). For each length of a shortest path, Run draws start
//     and goal states at that distance and renders them. It executes the plans in the ground-truth
//     graph. It also executes one query in eight in closed loop in the simulated world, with the
//     planner node's executor.
//   - In a Folder, plans that need a transition that no attempt shows are counted separately (Not
//     evaluated), and so are pairs that the graph does not connect (Unconnected).
//   - Methods answer the same images: without the exceptions of the model, by direct search on the
//     task graph (RQ3), and with the learned dynamics alone (WM-BFS and WM-Rollout).
//   - [Ablation] learns operators again without negative evidence (RQ4).
//   - [Calibration] measures how reliable the classifier's probabilities are, up to a nuisance
//     stronger than in training, and what abstaining saves.
//   - Unrelated and Corrupted are the out-of-distribution tests: images that show no state of any
//     world, and corrupted images, such as one with a hand in view, without light, or upside down.
//     A seed gives the same images.
//
// The ablated models of RQ4 have predicates of their own, for which no classifier was trained. The
// classifier of STRIPS-WM recognizes the image; its state gives a node of the task graph, and the
// ablated model gives the code of that node. If several nodes share the state, the one with most
// images is used. So the conditions differ in their operators alone.
package eval
