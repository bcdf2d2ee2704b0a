package docs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// TestExamplesOfFormats reads the examples of docs/file-formats.md as the programs do.
func TestExamplesOfFormats(t *testing.T) {
	blocks := codeBlocks(t, "docs/file-formats.md")
	find := func(begin string) string {
		for _, b := range blocks {
			if strings.HasPrefix(b, begin) {
				return b
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
		if len(g.Nodes) != len(model.States) || len(g.Labels) != model.Actions() || len(g.Edges) != len(text.Edges) {
			t.Errorf("graph of %d nodes, %d labels, %d edges beside the model", len(g.Nodes), len(g.Labels), len(g.Edges))
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

// codeBlocks are the fenced blocks of a Markdown file.
func codeBlocks(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, path))
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for i, part := range strings.Split("\n"+string(text), "\n```") {
		if i%2 == 1 {
			_, block, _ := strings.Cut(part, "\n") // without the language
			blocks = append(blocks, block+"\n")
		}
	}
	return blocks
}
