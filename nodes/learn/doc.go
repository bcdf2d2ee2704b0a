// Package learn learns a bundle from a recording: the method's three stages
// in order. The learner node and the command line are thin shells around it.
//
// The main type is Learner, whose Run fills a Result:
//
//	result, err := learn.Learner{Bag: "bag", Out: "runs/table", Preset: vision.Small(), Seed: 1}.Run(ctx)
//	fmt.Println(result.Graph.NumStates(), result.Report.Predicates)
//
// A recording is a bag, or a folder of pictures with transitions.csv; package bags reads both.
// Images are read from it once, shrunk and kept in memory (Load).
// Stage 1 turns them into codes and a task graph, which is then repaired (Repair): a
// code that covers two states is split, what misread pictures and wrong labels left is
// dropped, nodes that are one state are merged (Repaired.Folds says why). Stage 2 turns the graph into operators,
// stage 3 trains the predicate classifier on the images again, from what the encoder has
// learned. Each stage can be run alone: it takes the earlier stages' parts from the bundle
// (what only learning uses are BackboneRole and TrainingRole). With Learner.Encoder stage 1 trains none, but sees the recording, which
// may have grown, with that of another bundle. Result.Costs has the time
// and the peak memory of each (Measure).
//
// Locate finds the states that the pictures of a recording show; ReadTraining has a
// bundle's learning curves.
package learn
