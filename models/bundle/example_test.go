package bundle_test

import (
	"fmt"
	"os"
	"path/filepath"

	"stripswm/models/bundle"
)

func Example() {
	tmp, err := os.MkdirTemp("", "bundle")
	must(err)
	defer os.RemoveAll(tmp)
	dir := filepath.Join(tmp, "corridor")

	w, err := bundle.Create(dir, bundle.Manifest{Domain: "corridor", Preset: "small", Seed: 1})
	must(err)
	must(w.Add(bundle.Part{Role: bundle.Graph, File: "graph.json"}, graphJSON(4)))
	must(w.Add(bundle.Part{Role: bundle.Model, File: "model.json", From: map[bundle.Role]string{
		bundle.Graph: ""}}, modelJSON(3, 4)))
	_, err = w.Commit()
	must(err)

	b, err := bundle.Open(dir)
	must(err)
	for _, p := range b.Manifest.Parts {
		fmt.Println(p.Role, p.File, p.Facts)
	}
	// Output:
	// graph graph.json map[actions:2 edges:6 states:4]
	// model model.json map[actions:2 predicates:3 states:4]
}
