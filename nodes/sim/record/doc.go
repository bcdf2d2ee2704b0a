// Package record makes recordings of simulated worlds: it walks a world with
// random skills, photographs it before and after each, and writes what a recorder on a
// rig would have written.
//
// The main function is Run. The walk is sim.WalkWithResets; worker
// goroutines render and compress the pictures; one goroutine writes them in
// order, so that a seed gives the same bytes whatever the number of workers:
//
//	summary, err := record.Run(ctx, world, "runs/demo/bag", record.Options{Transitions: 5000, Walk: sim.Uniform, Seed: 1})
//
// Options.Mislabel writes wrong action ids for a share of the transitions, to see
// what learning makes of them; statuses and transitions then agree on the wrong id,
// as on a rig whose skill executor reports it.
//
// Options.Resets has somebody change the scene before a share of the attempts. The
// recording says so where a person with a recorder would, on bags.ResetTopic, or,
// with Options.Unmarked, nowhere.
//
// The recording holds pictures and action ids only. The ground truth stays in
// the world.
package record
