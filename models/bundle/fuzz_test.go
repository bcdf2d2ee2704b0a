package bundle_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"stripswm/models/bundle"
)

// A manifest that is taken says the same after it is written and read again, and names only files
// inside the bundle.
func FuzzParseManifest(f *testing.F) {
	data, err := os.ReadFile(filepath.Join(written(f), bundle.ManifestName))
	must(err)
	f.Add(data)
	f.Add([]byte(`{"format":1,"parts":[{"role":"x","file":"../x"}]}`))
	f.Add([]byte(`{"format":1}{}`))
	f.Add([]byte(`{"format":2,"codes":{"levels":5,"dims":0}}`))
	f.Add([]byte(`{"format":1,"seed":-1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := bundle.ParseManifest(data)
		if err != nil {
			return
		}
		for _, p := range m.Parts {
			if filepath.Base(p.File) != p.File || !filepath.IsLocal(p.File) {
				t.Errorf("file %q was taken", p.File)
			}
		}
		again, err := json.Marshal(m)
		must(err)
		m2, err := bundle.ParseManifest(again)
		if err != nil {
			t.Fatalf("its own writing is refused: %v\n%s", err, again)
		}
		if diff := cmp.Diff(m, m2, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("read again it differs:\n%s", diff)
		}
	})
}

// Any bytes given as a network are taken or refused, without a panic.
func FuzzNetwork(f *testing.F) {
	f.Add(classifier(64, 3))
	f.Add(network(nil, nil))
	f.Add([]byte{0x3a, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, data []byte) {
		facts, err := bundle.NetworkFacts(bytes.NewReader(data), bundle.Predicates)
		if err == nil && (facts[bundle.Height] < 1 || facts[bundle.Width] < 1 ||
			facts[bundle.Predicates] < 1) {
			t.Errorf("taken with facts %v", facts)
		}
	})
}
