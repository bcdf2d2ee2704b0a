// Package eval measures by the paper's protocol, on pictures that no recording uses.
// Run makes all of it from one bundle in a simulated world, RunFolder in a Folder: labelled
// pictures of a world that cannot be simulated, whose ground-truth graph is truth_graph.csv
// or else what the recorded attempts say:
//
//   - Abstraction compares the learned states with the true ones (RQ1, table 1).
//   - Horizons is image-to-plan success (RQ2): for each shortest-path horizon,
//     start and goal states at that distance in the ground-truth graph are drawn
//     and photographed, and the plans are executed in the ground-truth graph as they
//     were made. One query in eight is also carried out in closed loop, in the simulated
//     world: a new picture is looked at after each skill, by the planner node's executor.
//     In a Folder, plans that need what no attempt tells are counted apart (Unjudged), and
//     pairs that the graph does not connect are asked for apart (Unconnected).
//   - Methods answers the same pictures in other ways: without the exceptions of
//     the model, by direct search on the task graph (RQ3), and with the learned
//     dynamics alone (WM-BFS and WM-Rollout).
//   - Ablation learns operators again without negative evidence (RQ4).
//   - Calibration asks how far the classifier's probabilities can be believed, up
//     to nuisance stronger than trained with, and what abstaining saves.
//   - Foreign and Altered show it pictures that it should not plan from, or only from
//     the state that they showed before they were tampered with (package strange).
//
// The ablated models of RQ4 have predicates of their own, for which no classifier
// was trained. A picture is recognised for them by STRIPS-WM's classifier: its
// known state, that state's task-graph node (the one with most pictures, where
// several share the state), and the ablated model's code of the node. So the
// conditions differ in their operators alone.
//
//	report, err := eval.Run(ctx, planner, world, eval.Options{Queries: 200, Pictures: 20, Seed: 1, Size: 128, Nuisance: 1})
//	fmt.Println(report.Horizons[0].SolvedGraph)
//	folder, err := eval.OpenFolder(ctx, "pictures") // transitions.csv and truth.csv
//	report, err = eval.RunFolder(ctx, planner, folder, eval.Options{Queries: 200, Pictures: 20, Seed: 1})
package eval
