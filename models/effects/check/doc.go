// Package check compares facts that package effects learned with what is true. It shares no code
// with the learner.
//
// Truth is a list of words for each image, such as "mug at 3": those that are true in it. Its main
// function is [Compare]; data pass from facts and steps with their truth to a [Score]:
//
//	score := check.Compare(facts, steps, actions)
//	fmt.Println(score.Untrue, "of", score.Facts, "facts tell no word")
package check
