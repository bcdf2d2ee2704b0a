package eval

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzLabels gives arbitrary text for truth.csv: what it lets through is inside the folder and has
// a state.
func FuzzLabels(f *testing.F) {
	f.Add("image,state\n1.png,on table\n")
	f.Add("\ufeffimage, state\r\n\"1.png\",\"a\nb\"\n")
	f.Add("image,state\n../1.png,a\n/dev/zero,b\n,\n1.png\n")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		for name, content := range map[string]string{TruthName: text, "1.png": ""} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		l, err := readLabels(dir)
		if err != nil {
			return
		}
		for _, file := range l.files {
			if s, ok := l.state[file]; !ok || !filepath.IsLocal(file) || l.names[s] == "" {
				t.Errorf("%q shows state %d of %q", file, s, l.names)
			}
		}
	})
}
