// Package worlds has symbolic worlds: what is true in them is known. The simulator shows some of
// them to a camera, and tests and benchmarks compare learned models with them.
//
// Its main type is [World]: a start and STRIPS operators over facts that the learner never sees.
// [World.Record] lets a random policy try actions and returns the attempts, with [Noise] where it
// is asked for. [World.Compare] says how well learned operators agree with the world in all of its
// states, and how many of their plans between random states succeed.
package worlds
