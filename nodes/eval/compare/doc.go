// Package compare compares kept evaluations: the success of every method in every world, over the
// horizon (the paper's figure on RQ2) or over the number of recorded transitions, pooled over the
// seeds.
//
// The main type is [World], the success of the methods in one world. A [Run] is one kept
// evaluation:
//
//	WORLD-SEED-eval.json, WORLD-SEED-baselines.json --Read--> []Run --Compare--> []World --> figures
//
//	runs, err := compare.Read("test/results/fresh")
//	worlds, err := compare.Compare(runs, nil, compare.Horizon)
//	err = compare.Draw("test/results/fresh", worlds, compare.Horizon)
//
// make results keeps eval.json under the name WORLD-SEED-eval.json. WORLD-SEED-baselines.json
// beside it is the output of stripswm eval --baseline --json. The methods are those that the files
// contain.
//
// The unit is a distinct pair of start and goal. A pair is solved if every query of the pair is
// solved. Intervals are Wilson's intervals at 95 % over the pairs of all seeds. They say how exact
// a fraction is for the models that were learned. They do not say how much models of other seeds
// would differ.
package compare
