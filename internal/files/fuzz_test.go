package files_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/internal/files"
)

// FuzzNote gives arbitrary text for a note: a file that it does not name by its SHA-256 stays.
func FuzzNote(f *testing.F) {
	sum := sha256.Sum256([]byte("mine"))
	noted := hex.EncodeToString(sum[:]) + "  mine\n"
	f.Add(noted)
	f.Add("x" + noted)
	f.Add(strings.Repeat(noted, 3)[1:])
	f.Add(strings.TrimSuffix(noted, "\n"))
	f.Fuzz(func(t *testing.T, notes string) {
		dir := t.TempDir()
		mine := filepath.Join(dir, "mine")
		write(t, mine, "mine")
		write(t, filepath.Join(dir, files.NoteName), notes)
		err := files.Remove(mine)
		_, gone := os.Stat(mine)
		if named := strings.Contains("\n"+notes, "\n"+noted); named != (err == nil) ||
			named != (gone != nil) {
			t.Errorf("named %v: %v", named, err)
		}
	})
}
