// Package incremental learns operators again while transitions arrive: stage 2 after each attempt,
// on the codes of an encoder that was trained before.
//
// The main type is [Learner]. It receives what the recorder acknowledges, as codes of the images
// before and after:
//
//	CodeAttempt --Observe--> task graph --repair--> graph --Learn--> Update
//	                                                  --Improve--> Update with fewer predicates
//
//	l := incremental.New(labels, incremental.Options{})
//	err := l.Observe(incremental.CodeAttempt{Before: "0214", Action: 3, After: "2044"})
//	update, err := l.Learn(ctx)          // milliseconds
//	better, found, err := l.Improve(ctx) // seconds
//	fmt.Println(update.Predicates, update.Eta, update.Trials)
//
// An [Update] says how complete the model is, and which trials would teach it most. If an attempt
// changes nothing in the graph, Learn compares two graphs and no more. Otherwise it updates the
// model at once, with the least eta, and starts from its predicates. Improve searches for fewer
// predicates and can run at the same time.
//
// The task graph is repaired as in the pipeline (learn.Repair). [FrameCodes] keeps the codes of
// camera frames by their stamps, so that the frames of a transition need not be kept.
package incremental
