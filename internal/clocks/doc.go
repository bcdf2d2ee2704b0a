// Package clocks orders what several machines stamp, each by a clock of its own, by the one clock
// of the receiver. The main type is [Source]: what is known of the clock of one source of messages,
// a camera or a skill executor.
//
//	stamp, time of receipt --> Source --> earliest time of the event, by the receiver's clock
//
// A message is received after what it tells of: by the receiver's clock its time of receipt is the
// latest that this can have happened. Its stamp says more, once it is known how far the two clocks
// are apart. The smallest delay from stamp to receipt over a window ([Source.Delay]) is that
// distance and the shortest time under way, which nothing can tell apart. So Source takes the
// earliest time that is possible:
//
//   - a delay of 0 to [Late] may all be spent under way: the stamp counts as it is,
//   - any other delay is of a clock that is off: stamp + Delay, less [Distinct] for the time under
//     way, is the estimate.
//
// Who needs an image from before an event asks that it was received by then. Who needs one from
// after an event asks that its earliest time is later than the event's receipt. An error of the
// estimate makes an image count as older than it is: drift, a step back, a late message cost images
// that could have been used, and never admit a wrong one. Only of a camera whose clock is off the
// time under way is not known: where it is longer than Distinct, settle, of recorder and planner,
// has to cover the rest.
//
// No message need have a stamp: [Stamp] puts the time of receipt in its place.
package clocks
