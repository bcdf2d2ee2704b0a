package bundle_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/bundle"
)

func TestCommitReplacesABundleWhole(t *testing.T) {
	dir := written(t)
	if _, err := write(dir, learned(), part(bundle.Graph, "other.json", graphJSON(3))); err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if p, _ := b.Part(bundle.Graph); p.Facts[bundle.States] != 3 {
		t.Errorf("the earlier bundle is still there: %v", p)
	}
	if got := len(files(t, dir)); got != 2 {
		t.Errorf("%d files, want the graph and the manifest", got)
	}
	if left, _ := os.ReadDir(filepath.Dir(dir)); len(left) != 2 {
		t.Errorf("%d entries, want the bundle and the note of it", len(left))
	}
}

func TestAFailedWriteLeavesTheEarlierBundle(t *testing.T) {
	dir := written(t)
	before := files(t, dir)
	broken := func(w *bundle.Writer) error {
		return w.Add(bundle.Part{Role: bundle.Model, File: "model.json"}, []byte("{"))
	}
	if _, err := write(dir, learned(), broken); err == nil {
		t.Fatal("a model that is no JSON was taken")
	}
	if diff := cmp.Diff(before, files(t, dir)); diff != "" {
		t.Errorf("the bundle changed:\n%s", diff)
	}
	if left, _ := os.ReadDir(filepath.Dir(dir)); len(left) != 2 {
		t.Errorf("%d entries, want the bundle and the note of it", len(left))
	}
}

func TestCreateKeepsWhatIsNotABundle(t *testing.T) {
	plain := t.TempDir()
	must(os.WriteFile(filepath.Join(plain, "thesis.tex"), []byte("x"), 0o644))
	mixed := written(t)
	must(os.WriteFile(filepath.Join(mixed, "notes.txt"), []byte("x"), 0o644))
	changed := written(t)
	must(os.WriteFile(filepath.Join(changed, "graph.json"), graphJSON(3), 0o644))
	for _, dir := range []string{plain, mixed, changed} {
		if _, err := bundle.Create(dir, learned()); err == nil ||
			!strings.Contains(err.Error(), "will not replace") {
			t.Errorf("%s: got %v", dir, err)
		}
	}
}

func TestAddRefuses(t *testing.T) {
	tests := []struct {
		name    string
		part    bundle.Part
		content []byte
		want    string
	}{
		{"a path", bundle.Part{Role: "x", File: "../x"}, nil, "plain file name"},
		{"an absolute path", bundle.Part{Role: "x", File: "/etc/x"}, nil, "plain file name"},
		{"a hidden file", bundle.Part{Role: "x", File: ".x"}, nil, "plain file name"},
		{"the manifest's name", bundle.Part{Role: "x", File: "Manifest.json"}, nil, "plain file name"},
		{"no role", bundle.Part{File: "x"}, nil, "role"},
		{"a role twice", bundle.Part{Role: bundle.Graph, File: "x"}, nil, "repeated"},
		{"a file twice", bundle.Part{Role: "x", File: "GRAPH.json"}, nil, "repeated"},
		{"a source that is not in the bundle", bundle.Part{Role: "x", File: "x",
			From: map[bundle.Role]string{"y": ""}}, nil, "made from"},
		{"a graph that is no JSON", bundle.Part{Role: bundle.GraphDFA, File: "x"}, []byte("digraph"),
			"dfa"},
		{"a network that is no ONNX", bundle.Part{Role: bundle.Encoder, File: "x"}, []byte("PNG....."),
			"onnx"},
		{"a network of flat input", bundle.Part{Role: bundle.Encoder, File: "x"},
			network([]int64{-1, 300}, []int64{-1, 5}), "inputs have the shapes [[-1 300]]"},
		{"a network of unknown output", bundle.Part{Role: bundle.Encoder, File: "x"},
			network([]int64{-1, 8, 8, 3}, []int64{-1, -1}), "outputs have the shapes"},
		{"a fact that the file denies", bundle.Part{Role: bundle.Encoder, File: "x",
			Facts: map[string]int64{bundle.Latent: 4}}, classifier(8, 5), "stated as 4, the file has 5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, err := bundle.Create(filepath.Join(t.TempDir(), "b"), learned())
			must(err)
			defer w.Abort()
			must(w.Add(bundle.Part{Role: bundle.Graph, File: "graph.json"}, graphJSON(3)))
			if err := w.Add(tt.part, tt.content); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestAfterCommitNothingIsAdded(t *testing.T) {
	w, err := bundle.Create(filepath.Join(t.TempDir(), "b"), learned())
	must(err)
	_, err = w.Commit()
	must(err)
	if err := w.Add(bundle.Part{Role: "x", File: "x"}, nil); !errors.Is(err, bundle.ErrDone) {
		t.Errorf("add: %v", err)
	}
	if _, err := w.Commit(); !errors.Is(err, bundle.ErrDone) {
		t.Errorf("commit: %v", err)
	}
	must(w.Abort())
}

func TestHashDir(t *testing.T) {
	bag := func(files map[string]string) string {
		dir := t.TempDir()
		for name, content := range files {
			must(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
			must(os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
		}
		sum, size, err := bundle.HashDir(dir)
		must(err)
		if size != 4 {
			t.Errorf("%d bytes, want 4", size)
		}
		return sum
	}
	one := bag(map[string]string{"metadata.yaml": "ab", "sub/a.mcap": "cd"})
	if two := bag(map[string]string{"metadata.yaml": "ab", "sub/a.mcap": "cd"}); two != one {
		t.Error("the same files give two hashes")
	}
	if moved := bag(map[string]string{"metadata.yaml": "ab", "sub/b.mcap": "cd"}); moved == one {
		t.Error("another name gives the same hash")
	}
	if shifted := bag(map[string]string{"metadata.yaml": "abc", "sub/a.mcap": "d"}); shifted == one {
		t.Error("other content gives the same hash")
	}
	if _, _, err := bundle.HashDir(filepath.Join(t.TempDir(), "none")); !errors.Is(err,
		os.ErrNotExist) {
		t.Errorf("a directory that is not there: %v", err)
	}
}

// A part is replaced, and those that were made from it count as made from what there is now.
func TestReplace(t *testing.T) {
	dir := written(t)
	b, err := write(dir, learned(), part(bundle.Graph, "graph.json", graphJSON(3)),
		func(w *bundle.Writer) error {
			return w.Add(bundle.Part{Role: "notes", File: "notes.txt",
				From: map[bundle.Role]string{bundle.Graph: ""}}, []byte("x"))
		})
	must(err)
	if _, err := b.Replace(bundle.Model, nil); !errors.Is(err, bundle.ErrNoPart) {
		t.Errorf("a part that is not there: %v", err)
	}
	if _, err := b.Replace(bundle.Graph, []byte("{")); err == nil {
		t.Error("a graph that is no JSON was taken")
	}
	_, err = b.Replace(bundle.Graph, graphJSON(4))
	must(err)
	b, err = bundle.Open(dir)
	must(err)
	graph, _ := b.Part(bundle.Graph)
	notes, _ := b.Part("notes")
	if graph.Facts[bundle.States] != 4 || notes.From[bundle.Graph] != graph.SHA256 ||
		len(b.Manifest.Parts) != 2 {
		t.Errorf("%+v", b.Manifest.Parts)
	}
}
