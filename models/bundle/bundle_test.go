package bundle_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/bundle"
	"stripswm/models/strips"
)

func TestWhatIsWrittenOpens(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runs", "bundle")
	made, err := write(dir, learned(), whole()...)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := bundle.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(made, opened); diff != "" {
		t.Errorf("committed and opened differ:\n%s", diff)
	}
	data, err := opened.Read(bundle.Model)
	if err != nil || !bytes.Equal(data, modelJSON(3, 4)) {
		t.Errorf("model: %v\n%s", err, data)
	}
	if m, err := opened.Operators(); err != nil || m.Predicates != 3 {
		t.Errorf("operators: %v, %v", m, err)
	}
	if g, err := opened.TaskGraph(); err != nil || g.NumStates() != 4 {
		t.Errorf("task graph: %v, %v", g, err)
	}
	p, ok := opened.Part(bundle.Classifier)
	want := map[string]int64{bundle.Predicates: 3, bundle.Height: 64, bundle.Width: 64}
	if diff := cmp.Diff(want, p.Facts); !ok || diff != "" {
		t.Errorf("facts of the classifier:\n%s", diff)
	}
	of := func(data []byte, least int) (int, error) {
		if len(data) < least {
			return 0, io.ErrUnexpectedEOF
		}
		return len(data), nil
	}
	if n, err := bundle.Use(opened, bundle.Model, of, 1); err != nil || n != len(data) {
		t.Errorf("a model of %d bytes: %v", n, err)
	}
	if _, err := bundle.Use(opened, bundle.Model, of, 1<<20); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a part that cannot be used: %v", err)
	}
	var mismatch *bundle.Mismatch
	if _, err := bundle.Decode(opened, bundle.Encoder, strips.ReadJSON); !errors.As(err, &mismatch) {
		t.Errorf("an encoder read as a model: %v", err)
	}
	if _, err := bundle.Use(opened, "heatmap", of, 1); !errors.Is(err, bundle.ErrNoPart) {
		t.Errorf("a role that is not there: %v", err)
	}
}

func TestSamePartsGiveTheSameBytes(t *testing.T) {
	if diff := cmp.Diff(files(t, written(t)), files(t, written(t))); diff != "" {
		t.Errorf("two bundles of the same parts differ:\n%s", diff)
	}
}

func TestOpenRefusesDamage(t *testing.T) {
	flip := func(b []byte) []byte { b[len(b)/2] ^= 1; return b }
	cut := func(b []byte) []byte { return b[:len(b)/2] }
	tests := []struct {
		name, file string
		damage     func(t *testing.T, path string)
		want       string
	}{
		{"a flipped bit", "classifier.onnx", edited(flip),
			"classifier.onnx: SHA-256: expected "},
		{"a truncated part", "model.json", edited(cut),
			"model.json: size: expected "},
		{"a part that is gone", "graph.json", func(t *testing.T, p string) { os.Remove(p) },
			"graph.json: file: expected the graph, found none"},
		{"a link out of the bundle", "graph.json", func(t *testing.T, p string) {
			outside := filepath.Join(t.TempDir(), "graph.json")
			must(os.Rename(p, outside))
			must(os.Symlink(outside, p))
		}, "graph.json: file: expected a regular file in the bundle"},
		{"a pipe in place of a part", "graph.json", func(t *testing.T, p string) {
			must(os.Remove(p))
			must(syscall.Mkfifo(p, 0o644))
		}, "not a regular file"},
		{"a truncated manifest", "manifest.json", edited(cut),
			"bad manifest"},
		{"another format", "manifest.json", edited(instead(`"format": 2`, `"format": 3`)),
			"format 3, this program reads formats 1 to 2"},
		{"codes of no dimensions", "manifest.json", edited(instead(`"dims": 5`, `"dims": 0`)),
			"bad manifest: codes: 5 levels, 0 dimensions"},
		{"a file name that leaves the bundle", "manifest.json", edited(instead(`"model.json"`, `"../model.json"`)),
			`file "../model.json"`},
		{"a manifest that claims other facts", "manifest.json", edited(instead(`"predicates": 3`, `"predicates": 4`)),
			"predicates: expected 4 as manifest.json says, found 3"},
		{"no manifest", "manifest.json", func(t *testing.T, p string) { os.Remove(p) }, "not a bundle"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := written(t)
			tt.damage(t, filepath.Join(dir, tt.file))
			_, err := bundle.Open(dir)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

// TestOpenRefusesADistance that would switch the recognition check off, or refuse every image.
func TestOpenRefusesADistance(t *testing.T) {
	for distance, want := range map[float64]bool{0: true, 1: true, bundle.OldDistance: true, 2: false,
		-1: false} {
		m := learned()
		m.MaxDistance = distance
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		data = bytes.Replace(data, []byte(`"format":0`), []byte(`"format":2`), 1)
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, bundle.ManifestName), data, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := bundle.Open(dir); (err == nil) != want || err != nil &&
			!strings.Contains(err.Error(), "max_distance") {
			t.Errorf("max_distance %g: %v", distance, err)
		}
	}
}

func TestReadHashesAgain(t *testing.T) {
	dir := written(t)
	b, err := bundle.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	edit(t, filepath.Join(dir, "model.json"), func(b []byte) []byte { b[10] ^= 1; return b })
	var mismatch *bundle.Mismatch
	if _, err := b.Read(bundle.Model); !errors.As(err, &mismatch) || mismatch.File != "model.json" {
		t.Errorf("got %v, want a mismatch of model.json", err)
	}
}

func TestPartsThatDoNotBelongTogether(t *testing.T) {
	replace := func(role bundle.Role, s step) []step {
		steps := whole()
		for i, r := range []bundle.Role{bundle.Encoder, bundle.Graph, bundle.GraphDFA, bundle.Model,
			bundle.Classifier, bundle.Dynamics} {
			if r == role {
				steps[i] = s
			}
		}
		return steps
	}
	fromOther := func(p bundle.Part, role bundle.Role, content []byte) step {
		p.From = map[bundle.Role]string{role: bundle.Sum([]byte("another"))}
		return func(w *bundle.Writer) error { return w.Add(p, content) }
	}
	noImage := learned()
	noImage.Image = nil
	noCodes := learned()
	noCodes.Codes = nil
	tests := []struct {
		name     string
		manifest bundle.Manifest
		steps    []step
		want     string
	}{
		{"classifier with other outputs", learned(),
			replace(bundle.Classifier, part(bundle.Classifier, "classifier.onnx", classifier(64, 4),
				bundle.Model)),
			"classifier.onnx: predicates: expected 3 as in model.json, found 4"},
		{"networks of another image size", learned(),
			replace(bundle.Classifier, part(bundle.Classifier, "classifier.onnx", classifier(32, 3),
				bundle.Model)),
			"classifier.onnx: height: expected 64 as in manifest.json, found 32"},
		{"model of fewer states", learned(),
			replace(bundle.Model, part(bundle.Model, "model.json", modelJSON(3, 2), bundle.Graph)),
			"model.json: states: expected 4 as in graph.json, found 2"},
		{"two graphs", learned(),
			replace(bundle.GraphDFA, part(bundle.GraphDFA, "graph.dfa", graphDFA(5))),
			"graph.dfa: edges: expected 6 as in graph.json, found 8"},
		{"model learned from another graph", learned(),
			replace(bundle.Model, fromOther(bundle.Part{Role: bundle.Model, File: "model.json"},
				bundle.Graph, modelJSON(3, 4))),
			"model.json: made from another graph: expected graph.json"},
		{"classifier trained for another model", learned(),
			replace(bundle.Classifier, fromOther(bundle.Part{Role: bundle.Classifier, File: "c.onnx"},
				bundle.Model, classifier(64, 3))),
			"c.onnx: made from another model: expected model.json"},
		{"model that does not say its graph", learned(),
			replace(bundle.Model, part(bundle.Model, "model.json", modelJSON(3, 4))),
			"model.json: source: expected the SHA-256 of the graph"},
		{"dynamics of another latent space", learned(),
			replace(bundle.Dynamics, part(bundle.Dynamics, "dynamics.onnx", dynamics(2, 7), bundle.Encoder)),
			"dynamics.onnx: latent: expected 5 as in manifest.json, found 7"},
		{"an encoder of another space of codes", learned(),
			replace(bundle.Encoder, part(bundle.Encoder, "encoder.onnx", classifier(64, 6))),
			"encoder.onnx: latent: expected 5 as in manifest.json, found 6"},
		{"dynamics of other actions", learned(),
			replace(bundle.Dynamics, part(bundle.Dynamics, "dynamics.onnx", dynamics(3, 5), bundle.Encoder)),
			"dynamics.onnx: actions: expected 2 as in graph.json, found 3"},
		{"dynamics that do not say their encoder", learned(),
			replace(bundle.Dynamics, part(bundle.Dynamics, "dynamics.onnx", dynamics(2, 5))),
			"dynamics.onnx: source: expected the SHA-256 of the encoder"},
		{"networks without image size", noImage, whole(), "manifest.json: image: "},
		{"an encoder without a space of codes", noCodes, whole(), "manifest.json: codes: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "bundle")
			_, err := write(dir, tt.manifest, tt.steps...)
			var mismatch *bundle.Mismatch
			if !errors.As(err, &mismatch) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want a mismatch with %q", err, tt.want)
			}
			if left, _ := os.ReadDir(filepath.Dir(dir)); len(left) > 0 {
				t.Errorf("%d entries left behind, first %s", len(left), left[0].Name())
			}
		})
	}
}

// edited changes a file.
func edited(change func([]byte) []byte) func(*testing.T, string) {
	return func(t *testing.T, path string) { edit(t, path, change) }
}

// instead writes one text where another is.
func instead(old, new string) func([]byte) []byte {
	return func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(old), []byte(new)) }
}

// TestFormat1 opens bundles as they once were: the space of codes among the training curves, not in
// the manifest.
func TestFormat1(t *testing.T) {
	for name, c := range map[string]struct {
		training string
		codes    *bundle.Codes
		fault    string
	}{
		"as learned":              {`{"transitions": 9, "fsq": {"Levels": 5, "Dims": 5}, "world_model": []}`, &bundle.Codes{Levels: 5, Dims: 5}, ""},
		"put together from parts": {`{}`, nil, ""},
		"of another encoder": {`{"fsq": {"Levels": 5, "Dims": 6}}`, nil, "encoder.onnx: latent: " +
			"expected 6 as in manifest.json, found 5"},
		"damaged":  {`{"fsq": {"Levels": 5, "Dims": -1}}`, nil, "found codes: 5 levels, -1 dimensions"},
		"not JSON": {`curves`, nil, "training.json: content: "},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "bundle")
			steps := whole()
			steps[len(steps)-1] = part("training", "training.json", []byte(c.training))
			if _, err := write(dir, learned(), steps...); err != nil && c.fault == "" {
				t.Fatal(err)
			}
			edit(t, filepath.Join(dir, bundle.ManifestName), func(b []byte) []byte {
				b = bytes.Replace(b, []byte(`"format": 2`), []byte(`"format": 1`), 1)
				return regexp.MustCompile(` "codes": \{[^}]*\},\n`).ReplaceAll(b, nil)
			})
			b, err := bundle.Open(dir)
			if c.fault != "" {
				if err == nil || !strings.Contains(err.Error(), c.fault) {
					t.Errorf("got %v, want an error with %q", err, c.fault)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.codes, b.Manifest.Codes); diff != "" {
				t.Errorf("codes:\n%s", diff)
			}
		})
	}
}

// files reads a directory.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	content := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		content[e.Name()] = string(data)
	}
	return content
}
