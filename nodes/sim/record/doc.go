// Package record makes recordings of simulated worlds. It executes random skills in a world,
// renders an image before and after each, and writes what a recorder on a rig would have written.
//
// The main function is [Run]. sim.RunPolicy draws the skills. Worker goroutines render
// and compress the images. One goroutine writes them in order, so that a seed gives the same bytes
// for any number of workers:
//
//	world, policy, seed --> steps --workers--> JPEG images --writer--> bag
//
//	summary, err := record.Run(ctx, world, "runs/demo/bag", record.Options{
//		Transitions: 5000, Policy: sim.Uniform, Seed: 1, Size: 128, Quality: 90, Nuisance: 1,
//		Workers: 2,
//	})
//
// Options.Mislabel writes wrong action ids for a fraction of the transitions, to test learning with
// wrong labels. Statuses and transitions then have the same wrong id, as on a rig whose skill
// executor reports it.
//
// Options.Resets changes the scene before a fraction of the attempts. The recording says so on
// bags.ResetTopic, as a person with a recorder would; with Options.Unmarked it does not.
//
// [Rig] records the attempts of a simulated robot one by one, for exploration. A recording contains
// images and action ids only.
package record
