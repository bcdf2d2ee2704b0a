// Package pairing makes attempts, (image before, action, image after), from two streams that arrive
// independently, late and with gaps: camera frames and skill statuses.
//
// The main type is [Pairer]:
//
//	frames, statuses, resets --> Pairer --> []RecordedAttempt
//
//	p := pairing.New(pairing.Options{})
//	p.Frame(frame)                           // every image of the camera
//	attempts := p.Status(status, received)   // the attempts that became complete
//	attempts = p.Reset(received)             // those that a change of the scene ended
//
// All is in the order of receipt, by the receiver's clock. Stamps are compared within one source
// only: those of the camera with each other, those of the executor with each other. Package clocks
// takes each to the receiver's clock:
//
//   - The image before is the last frame received by the start, as early as that may have been.
//   - The image after is the first that was surely taken Options.Settle or more after the receipt
//     of the end, was received by the next start, and shows no motion.
//
// So a clock that is off, drifts or is set costs attempts at most, and a note names it.
//
// An attempt whose images are not reliable gets outcome FAILED and a note; it is evidence of
// nothing. This happens when the camera was away, the scene did not come to rest, the next skill
// started too early, or somebody changed the scene meanwhile. A refused skill moves nothing, so
// that the next skill is never too early.
//
// Input may be wrong. A frame that is stamped far from its neighbours (an outlier) is left out,
// unless the next one bears it out: then the camera's clock was set. A start that names no action,
// or that is stamped far from the statuses before, becomes an attempt without images that says so.
// It does not affect a skill that runs.
package pairing
