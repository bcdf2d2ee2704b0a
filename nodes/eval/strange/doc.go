// Package strange makes pictures that a planner must not take for what they are not: foreign
// ones, which show no state of any world, and altered ones, which a camera's owner may
// come by when a hand is in view, the light is off or the picture is upside down.
//
// The main types are [Kind] and [Alteration]. [Foreign] lists the first and [Altered] the
// second; each draws from a random source, so that a seed gives the same pictures:
//
//	rng := rand.New(rand.NewPCG(1, 0))
//	for _, k := range strange.Foreign() {
//		picture := k.Draw(rng, 128)
//	}
package strange
