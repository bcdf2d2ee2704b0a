package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	onnx "github.com/gomlx/compute-onnx/support/protos"

	"stripswm/models/bundle"
	"stripswm/models/imageplan"
	"stripswm/models/inference"
	"stripswm/models/inference/inferencetest"
	"stripswm/models/pixels"
	"stripswm/models/strips"
)

// alter changes a file of a bundle, and has the manifest say so.
func alter(t *testing.T, dir, file string, change func([]byte) []byte) {
	t.Helper()
	path, manifest := filepath.Join(dir, file), filepath.Join(dir, bundle.ManifestName)
	whole := must(os.ReadFile(path))
	changed := change(bytes.Clone(whole))
	if bytes.Equal(changed, whole) {
		t.Errorf("%s is as it was", file)
	}
	write(t, path, string(changed))
	if file == bundle.ManifestName {
		return
	}
	text := strings.ReplaceAll(string(must(os.ReadFile(manifest))), bundle.Sum(whole),
		bundle.Sum(changed))
	size := regexp.MustCompile(`("file": "` + file + `",\s+"bytes": )\d+`)
	write(t, manifest, size.ReplaceAllString(text, fmt.Sprint("${1}", len(changed))))
}

// replaced has other words in the place of some.
func replaced(from, to string) func([]byte) []byte {
	return func(data []byte) []byte { return bytes.Replace(data, []byte(from), []byte(to), 1) }
}

// TestUnusableBundles changes the bundle of BlocksWorld, and gives each change the right hashes.
func TestUnusableBundles(t *testing.T) {
	altered := func(file string, change func([]byte) []byte) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) { alter(t, dir, file, change) }
	}
	manifest := func(from, to string) func(t *testing.T, dir string) {
		return altered(bundle.ManifestName, replaced(from, to))
	}
	for name, tt := range map[string]struct {
		change func(t *testing.T, dir string)
		says   string
	}{
		"a pipe for a part": {func(t *testing.T, dir string) {
			path := filepath.Join(dir, "model.json")
			must(0, os.Remove(path))
			must(0, syscall.Mkfifo(path, 0o644))
		}, "not a regular file"},
		"a folder for the manifest": {func(t *testing.T, dir string) {
			path := filepath.Join(dir, bundle.ManifestName)
			must(0, os.Remove(path))
			must(0, os.Mkdir(path, 0o755))
		}, "not a regular file"},
		"a part that was changed": {func(t *testing.T, dir string) {
			path := filepath.Join(dir, "model.json")
			write(t, path, string(must(os.ReadFile(path)))+" ")
		}, "model.json"},
		"an unknown encoding":     {manifest(`"encoding": "rgb8"`, `"encoding": "yuv422"`), `encoding "yuv422"`},
		"an unknown resize mode":  {manifest(`"resize": "`, `"resize": "fisheye-`), "fisheye"},
		"a bad region":            {manifest(`"resize"`, `"region": [0.5, 0.5, 0.9, 0.9], "resize"`), "region"},
		"a region of two numbers": {manifest(`"resize"`, `"region": [0.5, 0.5], "resize"`), "region"},
		"impossible bits":         {manifest(`"resize"`, `"bits": 40, "resize"`), "bits 40"},
		"a garbage network": {altered("classifier.onnx", func(b []byte) []byte {
			return bytes.Repeat([]byte{0xa5}, len(b))
		}), "classifier"},
		"a network of unknown operators": {altered("classifier.onnx", func(b []byte) []byte {
			return bytes.ReplaceAll(b, []byte("Conv"), []byte("Vonc"))
		}), "onnx runtime"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "bundle")
			must(0, os.CopyFS(dir, os.DirFS(blocksworldBundle)))
			tt.change(t, dir)
			code, _, stderr := verb(t, t.Context(), "plan", "--bundle", dir, "--start", "a.png", "--goal",
				"b.png")
			if code != exitInput || !strings.Contains(stderr, tt.says) || !strings.Contains(stderr, dir) {
				t.Errorf("exit %d: %s", code, stderr)
			}
		})
	}
}

// TestDamagedBundles has the content of a part damaged, and its hash right. Each verb refuses it as
// damaged input.
func TestDamagedBundles(t *testing.T) {
	dirs := map[string]string{"graph": blocksworldBundle, "facts": bundleOfFacts(t)}
	cut := func(data []byte) []byte { return data[:len(data)/2] }
	for name, tt := range map[string]struct {
		method, file string
		damage       func([]byte) []byte
	}{
		"half a graph":            {"graph", "graph.json", cut},
		"half a DFA":              {"graph", "graph.dfa", cut},
		"half a model":            {"graph", "model.json", cut},
		"half an encoder":         {"graph", "encoder.onnx", cut},
		"half an appearance":      {"graph", "looks.onnx", cut},
		"half a training":         {"graph", "training.json", cut},
		"too many predicates":     {"graph", "model.json", replaced(`"predicates": 6`, `"predicates": 600000000`)},
		"half of facts":           {"facts", "facts.json", cut},
		"a limit of facts of -1":  {"facts", "facts.json", replaced(`"limit": 1.5`, `"limit": -1`)},
		"a limit of 1e300":        {"facts", "facts.json", replaced(`"limit": 1.5`, `"limit": 1e300`)},
		"no sums":                 {"facts", "facts.json", replaced(`"sums"`, `"some"`)},
		"no sets with one":        {"facts", "facts.json", replaced(`"one_holds"`, `"some"`)},
		"facts of another size":   {"facts", "facts.json", replaced(`"size": 16`, `"size": 17`)},
		"a distance of 1e300":     {"facts", "", replaced(`"max_distance": 1,`, `"max_distance": 1e300,`)},
		"images of 1e9 pixels":    {"facts", "", replaced(`"height": 16`, `"height": 1000000000`)},
		"a simulation of nothing": {"facts", "", replaced(`"transitions": 9`, `"transitions": -9`)},
	} {
		dir := filepath.Join(t.TempDir(), "bundle")
		must(0, os.CopyFS(dir, os.DirFS(dirs[tt.method])))
		alter(t, dir, cmp.Or(tt.file, bundle.ManifestName), tt.damage)
		for _, line := range []string{
			"plan --bundle DIR --start a.png --goal b.png", "export --bundle DIR --out OUT",
			"eval --bundle DIR --world blocksworld", "up sim --bundle DIR",
			"research baseline plan --bundle DIR --start a.png --goal b.png",
		} {
			words := strings.NewReplacer("DIR", dir, "OUT", t.TempDir()).Replace(line)
			code, stdout, stderr := verb(t, t.Context(), strings.Fields(words)...)
			if code != exitInput || !strings.Contains(stderr, dir) {
				t.Errorf("%s: %s: exit %d: %s%s", name, line, code, stdout, stderr)
			}
		}
	}
}

// bundleOfFacts is a bundle made by hand: two predicates in images of 16x16 pixels.
func bundleOfFacts(t *testing.T) string {
	t.Helper()
	network := inferencetest.OfMeans(16, 2, []*onnx.NodeProto{
		inferencetest.Node("Slice", inference.OutputName, inferencetest.Mean, "from", "to", "of"),
	}, inferencetest.Ints("from", 0), inferencetest.Ints("to", 2), inferencetest.Ints("of", 1))
	var model bytes.Buffer
	must(0, (&strips.Model{Predicates: 2, Names: []string{"p", "q"}, Operators: []strips.Operator{
		{Action: 1, Name: "move", PrePos: []strips.Predicate{0}, Del: []strips.Predicate{0},
			Add: []strips.Predicate{1}}}}).WriteJSON(&model))
	dir := filepath.Join(t.TempDir(), "bundle")
	w := must(bundle.Create(dir, bundle.Manifest{Domain: "blocksworld", MaxDistance: 1,
		Image:      &bundle.Image{Height: 16, Width: 16, Encoding: "rgb8", Resize: "letterbox"},
		Simulation: &bundle.Simulation{World: "blocksworld", Transitions: 9}}))
	from := map[bundle.Role]string{bundle.Model: ""}
	must(0, w.Add(bundle.Part{Role: bundle.Model, File: "model.json"}, model.Bytes()))
	must(0, w.Add(bundle.Part{Role: bundle.Classifier, File: "classifier.onnx", From: from}, network))
	must(0, w.Add(bundle.Part{Role: bundle.Facts, File: "facts.json", From: from},
		must(os.ReadFile("../../models/facts/testdata/facts.json"))))
	must(w.Commit())
	return dir
}

// TestBundleOfFacts opens a bundle of an earlier version, whose manifest does not say what
// facts.json was made from, and heeds its max_distance.
func TestBundleOfFacts(t *testing.T) {
	dir := bundleOfFacts(t)
	path := filepath.Join(dir, bundle.ManifestName)
	text := regexp.MustCompile(`(?s)("file": "facts.json".*?),\s*"facts": \{.*?\}`).ReplaceAllString(
		string(must(os.ReadFile(path))), "$1")
	gray := pixels.RGB{Width: 16, Height: 16, Pix: bytes.Repeat([]byte{90, 100, 110}, 256)}
	for says, want := range map[string]float64{`"max_distance": 1,`: 1, `"max_distance": 1.25,`: 1.25,
		"": 1} {
		write(t, path, strings.Replace(text, `"max_distance": 1,`, says, 1))
		p := must(imageplan.Open(dir, imageplan.Options{}))
		if r := must(p.Recognize(gray)); r.Limit != want {
			t.Errorf("manifest with %q: limit %g, want %g", says, r.Limit, want)
		}
		must(0, p.Close())
	}
}

// TestReadsRegularFilesOnly gives verbs a pipe that nobody writes to, and a link to a device
// without an end, wherever they read a file.
func TestReadsRegularFilesOnly(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"device": func(path string) error { return os.Symlink("/dev/full", path) },
	} {
		dir := t.TempDir()
		at := func(path string) string {
			path = filepath.Join(dir, path)
			must(0, os.MkdirAll(filepath.Dir(path), 0o755))
			if err := put(path); err != nil && !os.IsExist(err) {
				t.Fatal(err)
			}
			return path
		}
		for _, line := range [][]string{
			{"camera", at("now.png"), at("later.png")},
			{"check", at("bag.mcap")},
			{"check", at("bag.db3")},
			{"check", filepath.Dir(at("recorded/metadata.yaml"))},
			{"import", "images", filepath.Dir(at("images/transitions.csv")), "--out",
				filepath.Join(dir, "out")},
			{"operators", "suspects", "--graph", at("graph.dfa")},
			{"export", "--model", at("model.json"), "--out", filepath.Join(dir, "pddl")},
			{"export", "--bundle", filepath.Dir(at("bundle/manifest.json")), "--out",
				filepath.Join(dir, "pddl")},
			{"research", "compare", filepath.Dir(at("runs/blocksworld-1-eval.json")), "--out",
				filepath.Join(dir, "figure")},
			{"research", "run", at("experiment.yaml"), "--out", filepath.Join(dir, "rows")},
		} {
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				if code, _, stderr := verb(t, t.Context(), line...); code != exitInput {
					t.Errorf("%s: %v: exit %d: %s", name, line, code, stderr)
				}
			}()
			select {
			case <-ended:
			case <-time.After(5 * time.Second):
				t.Errorf("%s: %v waits", name, line)
			}
		}
	}
}
