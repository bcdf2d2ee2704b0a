// Package attempts asks how many attempts a robot needs until what it has learned plans well: of one
// that explores (package nodes/explore), and of one that draws its skills evenly.
//
// Both are simulated. The main type is Curve: what the models that a robot learned on its way come to, each
// judged over all pairs of the states that it was to know.
//
//	curve, err := attempts.Explore(ctx, world, attempts.Options{Out: "runs/table", Learner: learner, Budget: 300, Until: 0.95, Record: pictures})
//	fmt.Println(curve.Points[len(curve.Points)-1].Nodes, curve.Why)
//
// Run does so with both robots, and Draw makes the figure of several Results:
//
//	world --> Robot --> bag --> learner --> models after 60, 90, 120, ... attempts --> eval.Success --> Points
//
// An explorer of a world that is larger than its region is judged over the states that it saw first, the walk over
// those that a data set of the world has (sim.Explored), which it never leaves. What neither saw counts as not solved.
package attempts
