// Package compare puts kept evaluations side by side: every method's success in every
// world, over the horizon (the paper's figure on RQ2) or over how much was recorded, pooled
// over the seeds.
//
// A Run is one eval.json, kept under the name WORLD-SEED-eval.json, as make results keeps
// them, and what stripswm eval --baseline --json prints of baselines alone, kept beside it as
// WORLD-SEED-baselines.json. Methods are those that the files have. What is counted are distinct pairs of start
// and goal, solved if every query of the pair is; intervals are Wilson's, 95 %, over the
// pairs of all seeds together. They tell how exact a share is for the models that were
// learned, not how far those of other seeds would be from it.
//
//	runs, err := compare.Read("test/results/fresh")
//	worlds, err := compare.Compare(runs, nil, compare.Horizon)
//	err = compare.Draw("test/results/fresh", worlds, compare.Horizon)
package compare
