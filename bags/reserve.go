package bags

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// reserveName is a file of nothing that a recording holds while it is written, so that a full disk has room for
// closing it: Close removes it first, and Repair that of a killed recorder.
const reserveName = ".reserve"

// endSize is room for the indexes of some 19,000 chunks, of 110 bytes each, and for metadata.yaml.
const endSize = 2 << 20

// reserve takes the room for what may be pending and for the end of the recording.
func reserve(dir string, chunk int) error {
	path := filepath.Join(dir, reserveName)
	if err := os.WriteFile(path, make([]byte, chunk+endSize), 0o644); err != nil {
		return fmt.Errorf("keep %d MB free to close it with: %w", (chunk+endSize)>>20, errors.Join(err, release(dir)))
	}
	return nil
}

// release gives the room back, if it was taken.
func release(dir string) error {
	if err := os.Remove(filepath.Join(dir, reserveName)); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
