package bags

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"stripswm/internal/files"
)

// reserveName is a file of nothing that a recording holds while it is written, so that a full disk
// has room for closing it: Close removes it first, and Repair that of a killed recorder.
const reserveName = ".reserve"

// endSize is room for the indexes of some 19,000 chunks, of 110 bytes each, and for metadata.yaml.
const endSize = 2 << 20

// reserve takes the room for what may be pending and for the end of the recording.
func reserve(dir string, chunk int) error {
	if err := release(dir); err != nil {
		return err
	}
	path := filepath.Join(dir, reserveName)
	if err := os.WriteFile(path, make([]byte, chunk+endSize), 0o644); err != nil {
		return fmt.Errorf("keep %d MB free to close it with: %w", (chunk+endSize)>>20,
			errors.Join(err, release(dir)))
	}
	return nil
}

// release gives the room back, if it was taken: a file of this name that has something in it stays.
func release(dir string) error {
	path := filepath.Join(dir, reserveName)
	held, err := files.Read(path, maxRecord)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil && len(bytes.Trim(held, "\x00")) > 0 {
		err = errors.New("it is not the reserve of a recorder; move it")
	}
	if err != nil {
		return fmt.Errorf("will not remove %s: %w", path, err)
	}
	return os.Remove(path)
}
