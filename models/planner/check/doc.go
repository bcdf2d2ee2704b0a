// Package check replays plans against a model. It shares no code with the search
// in package planner, nor with the successor function of package strips, so that
// a fault in either shows.
//
// [Plan] replays a plan in which every outcome is certain, [Path] one that counts
// on outcomes that the model leaves to chance.
package check
