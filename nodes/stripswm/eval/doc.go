// Package eval measures by the paper's protocol. Abstract compares the learned
// states with the true ones (RQ1, table 1). Run measures image-to-plan success
// (RQ2): for each shortest-path horizon it draws start and goal states at that
// distance in the ground-truth graph, renders a picture of each with seeds that
// no recording uses, plans from the pictures, and executes the plans both in
// the ground-truth graph and in the simulated world.
//
// The main function is Run, which returns a Report:
//
//	report, err := eval.Run(ctx, planner, world, eval.Options{Queries: 200, Seed: 1})
//	fmt.Println(report.Horizons[0].SolvedGraph)
package eval
