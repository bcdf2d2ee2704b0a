// Package check tests a model of package traces against the attempts that it was learned from. It
// shares no code with the learner: it replays the attempts one by one, with a slice of values for
// each static interval.
//
// Its main function is [Model]; data pass from segments of attempts and a model to a [Summary],
// which counts successes and refusals by what the model says of them, and a list of faults.
package check
