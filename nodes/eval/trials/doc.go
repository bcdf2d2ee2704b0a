// Package trials measures what is learned from attempts in worlds whose truth is known. It trains
// no network.
//
// There are two main types. [Learning] says how well operators that were learned from so many
// attempts of a random policy agree with a symbolic world (package models/worlds). [Exploration]
// says how much robot time it takes until a model that is learned from nothing plans between all
// states of a world, symbolic or simulated, where the robot chooses its attempts:
//
//	world, attempts, seed --Learning.Run--> Learned: facts, precision, recall, plans, seconds
//	world, policy, seed --Exploration.Run--> Explored: attempts, robot time, plans
//
//	e := trials.Exploration{World: worlds.Blocks(), Policy: trials.Informed, Seed: 1, Limit: 20}
//	found, err := e.Run(ctx)
//	fmt.Println(found.Right.KS, "ks until plans are right")
//
// The verbs `stripswm research attempts` and `stripswm research exploration` print them as JSON,
// and experiments in test/experiments repeat the tables of docs/research.
package trials
