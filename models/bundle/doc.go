// Package bundle keeps everything that was learned from one recording in one directory.
//
// The main type is [Bundle]. Its parts are task graph, operator model and networks. manifest.json
// lists each part with its size and SHA-256, and says what it was made from. It repeats the facts
// on which the parts must agree (states, actions, predicates), and has what else is needed to use
// them: size and preprocessing of images, and the space of latent codes:
//
//	parts --Create, Add, Commit--> directory --Open--> Bundle --> graph, model, networks
//
//	w, err := bundle.Create("runs/blocks/bundle", bundle.Manifest{Domain: "blocksworld", Seed: 1})
//	err = w.Add(bundle.Part{Role: bundle.Graph, File: "graph.json"}, graphJSON)
//	b, err := w.Commit()
//
//	b, err := bundle.Open("runs/blocks/bundle")
//	model, err := b.Operators()
//	network, err := bundle.Use(b, bundle.Classifier, inference.Open, inference.Options{})
//
// Commit puts the whole directory in place at once: a reader sees the old bundle or the new one,
// and never a mixture. Open reads every part, and refuses a bundle with parts that are damaged or
// do not belong together. The error is a [*Mismatch]: it says which file, what was expected, what
// was found, and what to do.
//
// The bundle does not depend on time or place: the same parts give the same bytes.
package bundle
