// Package learn learns a bundle from a recording, with the three stages of the method in order. The
// learner node and the command line call it.
//
// The main type is [Learner]. Its Run returns a [Result]:
//
//	recording --Load--> images --stage 1--> codes, task graph --Repair--> graph
//	    --stage 2--> operators --stage 3--> classifier --> bundle
//
//	result, err := learn.Learner{
//		Bags: []string{"runs/bag"}, Out: "runs/table", Preset: vision.Small(), Seed: 1,
//	}.Run(ctx)
//	fmt.Println(result.Graph.NumStates(), result.Operators.Report.Predicates)
//
// A recording is a bag, or a folder of images with transitions.csv; package bags reads both. [Load]
// reads the images once, scales them down and keeps them in memory.
//
//  1. Stage 1 maps the images to codes and a task graph. [Repair] splits a code that covers two
//     states, drops edges of misread images and wrong labels, and merges nodes that are one state.
//     Repaired.Merges says why they were merged.
//  2. Stage 2 learns operators from the graph (package operators).
//  3. Stage 3 trains the predicate classifier on the same images. It starts with the weights of the
//     encoder.
//
// Each stage can run alone: it takes the results of the earlier stages from the bundle.
// BackboneRole and TrainingRole are the parts that only learning uses. With Learner.Encoder, stage
// 1 reuses the encoder of another bundle and trains nothing; the recording may have grown since.
//
// Result.Costs has the time and the peak memory of each stage ([Measure]). [Locate] finds the
// states that the images of a recording show. [ReadTraining] reads the learning curves of a bundle.
package learn
