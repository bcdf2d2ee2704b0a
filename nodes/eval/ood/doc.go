// Package ood makes images that a planner must refuse or must not confuse with another state:
// unrelated images, which show no state of any world, and corrupted images, such as an image with a
// hand in view, without light, or upside down.
//
// The main types are [Kind] and [Corruption]. [Unrelated] lists the kinds of unrelated images, and
// [Corrupted] the corruptions. Each draws from a random source, so that a seed gives the same
// images:
//
//	rng := rand.New(rand.NewPCG(1, 0))
//	for _, k := range ood.Unrelated() {
//		unrelated := k.Draw(rng, 128)
//	}
//	for _, a := range ood.Corrupted() {
//		corrupted := a.Corrupt(rng, image)
//	}
package ood
