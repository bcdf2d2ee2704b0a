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
	page := must(markdown.Read(filepath.Join(repository, "docs/file-formats.md")))
	find := func(begin string) string {
		for _, b := range page.Blocks {
			if text := strings.Join(b.Lines, "\n") + "\n"; strings.HasPrefix(text, begin) {
				return text
			}
		}
		t.Fatalf("no example begins with %q", begin)
		return ""
	}
	graph := must(taskgraph.ReadJSON(strings.NewReader(find("{\n \"labels\""))))
	text := must(taskgraph.ReadDFA(strings.NewReader(find("dfa "))))
	model := must(strips.ReadJSON(strings.NewReader(find("{\n \"predicates\""))))
	for _, g := range []*taskgraph.Graph{graph, text} {
		if len(g.Nodes) != len(model.States) || len(g.Labels) != model.Actions() ||
			len(g.Edges) != len(text.Edges) {
			t.Errorf("graph of %d nodes, %d labels, %d edges beside the model", len(g.Nodes), len(g.Labels),
				len(g.Edges))
		}
	}
	kept := must(os.ReadFile(filepath.Join(repository, "test/launch/testdata/bundle/manifest.json")))
	var want, got any
	must(0, json.Unmarshal(kept, &want))
	must(0, json.Unmarshal([]byte(find("{\n \"format\"")), &got))
	if !reflect.DeepEqual(got, want) {
		t.Error("the manifest is not that of test/launch/testdata/bundle")
	}
}
