// Package pairing ties what a camera saw to what a robot did: it makes
// (image before, action, image after) attempts from two streams that arrive
// independently, late and with holes.
//
// The main type is Pairer, which is fed with frames and skill statuses and goes
// by their stamps alone:
//
//	p := pairing.New(pairing.Options{})
//	p.Frame(frame)                                  // every image of the camera
//	for _, a := range p.Status(status, received) {} // the attempts that became complete
//	for _, a := range p.Reset(received) {}          // those that a change of the scene spoiled
//
// Before is the last frame not stamped after the skill's start. After is the
// first frame that is Options.Settle later than its end and shows no motion. An
// attempt whose pictures cannot be trusted (the camera was away, the scene never
// came to rest, the next skill was too early, somebody reset the scene meanwhile)
// is kept with outcome FAILED and a note, which makes it evidence of nothing. A
// refused skill moves nothing, so that the next one is never too early.
//
// What comes may be wrong: a frame stamped far from its neighbours is left out, and a
// start that names no action, or is stamped by another clock, becomes an attempt
// without pictures that says so, and spoils none whose skill runs.
package pairing
