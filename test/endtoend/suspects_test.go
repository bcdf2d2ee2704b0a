package endtoend

import (
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// suspectsShowTheirImages corrupts the target of one edge of a learned graph: the
// edge must be among the suspects, with the images behind it in a recording.
func suspectsShowTheirImages(t *testing.T, bag string) {
	data := must(os.ReadFile(filepath.Join(checkedIn, "graph.json")))
	graph := must(taskgraph.ReadJSON(bytes.NewReader(data)))
	// A single sighting of an edge that is not there, beside the true one.
	seen := graph.Edges[0]
	wrong := seen
	wrong.Target, wrong.Support = (seen.Target+5)%strips.StateID(graph.NumStates()), 1
	graph.Edges = slices.Insert(graph.Edges, 1, wrong)
	slices.SortFunc(graph.Edges, taskgraph.CompareEdges)
	var corrupted bytes.Buffer
	must(0, graph.WriteJSON(&corrupted))
	path, out := filepath.Join(t.TempDir(), "graph.json"), filepath.Join(t.TempDir(), "suspects")
	must(0, os.WriteFile(path, corrupted.Bytes(), 0o600))
	var result struct {
		Suspects []struct{ Edge taskgraph.Edge }
		Images   []string
	}
	text := mustRun(t, "operators", "suspects", "--json", "--graph", path, "--bundle", checkedIn,
		"--bag", bag, "--out", out)
	must(0, json.Unmarshal([]byte(text), &result))
	found := slices.ContainsFunc(result.Suspects, func(s struct{ Edge taskgraph.Edge }) bool {
		return s.Edge.Source == wrong.Source && s.Edge.Action == wrong.Action
	})
	if !found || len(result.Images) == 0 {
		t.Fatalf("the corrupted edge %+v is not among %+v, or there are no images: %v", wrong,
			result.Suspects, result.Images)
	}
	for _, name := range result.Images {
		f := must(os.Open(name))
		defer f.Close()
		if m, err := png.Decode(f); err != nil || m.Bounds().Dx() < 2*96 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
