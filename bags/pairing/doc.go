// Package pairing makes attempts, (image before, action, image after), from two streams that arrive
// independently, late and with gaps: camera frames and skill statuses.
//
// The main type is [Pairer]. It uses the stamps of frames and statuses alone:
//
//	frames, statuses, resets --> Pairer --> []Attempt
//
//	p := pairing.New(pairing.Options{})
//	p.Frame(frame)                           // every image of the camera
//	attempts := p.Status(status, received)   // the attempts that became complete
//	attempts = p.Reset(received)             // those that a change of the scene ended
//
// The image before is the last frame that is not stamped after the skill's start. The image after
// is the first frame that is Options.Settle later than the skill's end and shows no motion.
//
// An attempt whose images are not reliable gets outcome FAILED and a note; it is evidence of
// nothing. This happens when the camera was away, the scene did not come to rest, the next skill
// started too early, or somebody changed the scene meanwhile. A refused skill moves nothing, so
// that the next skill is never too early.
//
// Input may be wrong. A frame that is stamped far from its neighbours (an outlier) is left out. A
// start that names no action, or that another clock stamped, becomes an attempt without images that
// says so. It does not affect a skill that runs.
package pairing
