// Package incremental relearns operators while transitions arrive: stage 2 again
// and again, on codes that an encoder learned before gives.
//
// The main type is Learner. It is given what the recorder acknowledges, as codes
// of the pictures before and after, and after each attempt says how far the model
// has come and which trials would teach it most. Attempts that show nothing new
// cost a comparison of two graphs; others have the model brought up to date at
// once, with the least eta, beginning with its predicates; Improve, run beside
// that, looks for fewer predicates:
//
//	l := incremental.New(labels, incremental.Options{})
//	err := l.Observe(incremental.Attempt{Before: "0214", Action: 3, After: "2044"})
//	update, err := l.Learn(ctx)            // milliseconds
//	better, found, err := l.Improve(ctx)   // seconds
//	fmt.Println(update.Predicates, update.Eta, update.Trials)
//
// The task graph is repaired as the pipeline's is (learn.Repair). FrameCodes remembers
// the codes of camera frames by their stamps, so that the frames of a transition need
// not be kept.
package incremental
