package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"stripswm/models/bundle"
)

// TestUnusableBundles changes the bundle of BlocksWorld, and gives each change the right hashes.
func TestUnusableBundles(t *testing.T) {
	manifest := func(from, to string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, bundle.ManifestName)
			text := string(must(os.ReadFile(path)))
			if !strings.Contains(text, from) {
				t.Fatalf("no %q in the manifest", from)
			}
			write(t, path, strings.Replace(text, from, to, 1))
		}
	}
	network := func(change func([]byte) []byte) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			b := must(bundle.Open(dir))
			part, _ := b.Part(bundle.Classifier)
			changed := change(must(b.Read(bundle.Classifier)))
			write(t, filepath.Join(dir, part.File), string(changed))
			manifest(part.SHA256, bundle.Sum(changed))(t, dir)
		}
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
		"an unknown encoding":     {manifest(`"encoding": "rgb8"`, `"encoding": "yuv422"`), `encoding "yuv422"`},
		"an unknown resize mode":  {manifest(`"resize": "`, `"resize": "fisheye-`), "fisheye"},
		"a bad region":            {manifest(`"resize"`, `"region": [0.5, 0.5, 0.9, 0.9], "resize"`), "region"},
		"a region of two numbers": {manifest(`"resize"`, `"region": [0.5, 0.5], "resize"`), "region"},
		"impossible bits":         {manifest(`"resize"`, `"bits": 40, "resize"`), "bits 40"},
		"a garbage network": {
			network(func(b []byte) []byte { return bytes.Repeat([]byte{0xa5}, len(b)) }), "classifier"},
		"a network of unknown operators": {network(func(b []byte) []byte {
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
