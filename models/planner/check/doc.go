// Package check replays plans against a model. It shares no code with the search
// in package planner, nor with the successor function of package strips, so that
// a fault in either shows.
//
// Its one function is [Plan].
package check
