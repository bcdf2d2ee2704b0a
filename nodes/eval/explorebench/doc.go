// Package explorebench is the exploration benchmark. It measures how many attempts a robot needs
// until the learned model plans well. It compares a robot that explores (package nodes/exploration)
// with one that draws its skills at random.
//
// Both robots are simulated. The main type is [Curve]: the success of the models that a robot
// learned while it recorded, over all pairs of the states that it was to know:
//
//	world --> Robot --> bag --> learner --> models after 60, 90, 120, ... attempts
//	                                            --> eval.Success --> Points
//
//	curve, err := attempts.Explore(ctx, world, attempts.Options{
//		Out: "runs/table", Learner: learner, Budget: 300, TargetCoverage: 0.95, Record: images,
//	})
//
// [Run] measures both robots, and [Draw] makes the figure of several Results.
//
// If a world has more states than the state budget, the explorer is tested over the states that it
// saw first. The random policy is tested over the states of the world's data set (sim.Explored),
// which it never leaves. A state that a robot did not see counts as not solved.
package explorebench
