package docs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"stripswm/internal/markdown"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// TestExamplesOfFormats reads the examples of docs/file-formats.md as the programs do.
func TestExamplesOfFormats(t *testing.T) {
	page, err := markdown.Read(filepath.Join(repository, "docs/file-formats.md"))
	if err != nil {
		t.Fatal(err)
	}
	find := func(begin string) string {
		for _, b := range page.Blocks {
			if text := strings.Join(b.Lines, "\n") + "\n"; strings.HasPrefix(text, begin) {
				return text
			}
		}
		t.Fatalf("no example begins with %q", begin)
		return ""
	}
	graph, err := taskgraph.ReadJSON(strings.NewReader(find("{\n \"labels\"")))
	if err != nil {
		t.Fatal(err)
	}
	text, err := taskgraph.ReadDFA(strings.NewReader(find("dfa ")))
	if err != nil {
		t.Fatal(err)
	}
	model, err := strips.ReadJSON(strings.NewReader(find("{\n \"predicates\"")))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []*taskgraph.Graph{graph, text} {
		if len(g.Nodes) != len(model.States) || len(g.Labels) != model.Actions() ||
			len(g.Edges) != len(text.Edges) {
			t.Errorf("graph of %d nodes, %d labels, %d edges beside the model", len(g.Nodes), len(g.Labels),
				len(g.Edges))
		}
	}
	kept, err := os.ReadFile(filepath.Join(repository, "test/launch/testdata/bundle/manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want, got any
	if err := json.Unmarshal(kept, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(find("{\n \"format\"")), &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("the manifest is not that of test/launch/testdata/bundle")
	}
}
