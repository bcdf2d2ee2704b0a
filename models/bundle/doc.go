// Package bundle keeps what was learned from one recording together on disk.
//
// A bundle is one directory: the parts (task graph, operator model, networks) and manifest.json, which
// lists each part with its size and SHA-256, says what the parts were made from, repeats the facts on which
// they must agree (states, actions, predicates), and has whatever else is needed to use them: the size and preprocessing
// of images, the space of latent codes. The main type is [Bundle]:
//
//	w, err := bundle.Create("runs/blocks/bundle", bundle.Manifest{Domain: "blocksworld", Preset: "small", Seed: 1})
//	err = w.Add(bundle.Part{Role: bundle.Graph, File: "graph.json"}, graphJSON)
//	err = w.Add(bundle.Part{Role: bundle.Model, File: "model.json", From: map[bundle.Role]string{bundle.Graph: ""}}, modelJSON)
//	b, err := w.Commit()
//
//	b, err := bundle.Open("runs/blocks/bundle")
//	model, err := b.Operators()
//	path, err := b.Path(bundle.Classifier)
//
// Commit puts the whole directory in place at once, so that a reader sees the old bundle or the new one and
// never a mixture. Open reads every part again and refuses a bundle whose parts are damaged or do not belong
// together; the error is a [*Mismatch], which says which file, what was expected, what was found and what to do.
//
// Nothing in a bundle depends on the time or the place of its making: the same parts give the same bytes.
package bundle
