// Package clocks orders what several machines stamp, each by a clock of its own, by the one clock
// of the receiver. The main type is [Source]: what is known of the clock of one source of messages,
// a camera or a skill executor.
//
//	stamp, time of receipt --> Source --> earliest time of the event, by the receiver's clock
//
// An event happens before its message is received, so the time of receipt is the latest possible
// time of the event. How early it can have been, the stamp says, once it is known how far the two
// clocks are apart. The smallest delay from stamp to receipt over a window ([Source.Delay]) is that
// distance plus the shortest time under way; nothing can tell the two apart. So Source takes the
// earliest time that is possible:
//
//   - a delay of 0 to [Late] may all be time under way, and the stamp counts as it is,
//   - any other delay is of a clock that is off, and the estimate is stamp + Delay, less [Distinct]
//     for the time under way.
//
// An image is surely from before an event if it was received by the event's earliest time. It is
// surely from after it if its own earliest time is later than the event's receipt. An error of the
// estimate makes an image count as older than it is: drift, a step back or a late message costs
// images that could have been used, but lets no wrong one pass. There is one exception. If the
// clock of a camera is off, and its images are under way for longer than Distinct, the parameter
// settle of recorder and planner has to cover the rest.
//
// A message need not have a stamp: [Stamp] puts the time of receipt in its place.
package clocks
