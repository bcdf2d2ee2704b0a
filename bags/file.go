package bags

import (
	"fmt"
	"io"
	"os"
)

// A File is what the Writer needs of a file. *os.File is one; tests put failing ones in its place.
type File interface {
	io.WriterAt
	Sync() error
	Truncate(size int64) error
	Close() error
}

func createFile(path string) (File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
}

// A tail is the growing end of a file. Bytes are staged in memory and then written whole or not at
// all: after a failed write the file is cut back to the last whole one and the bytes stay staged,
// to be tried again.
type tail struct {
	file   File
	size   int64  // bytes of the file that are whole
	staged []byte // what comes after them
	dirty  bool   // written since the last Sync
}

// Write stages p. It never fails, so that the encoder above never sees half a record go missing.
func (t *tail) Write(p []byte) (int, error) {
	t.staged = append(t.staged, p...)
	return len(p), nil
}

// flush moves what is staged into the file.
func (t *tail) flush() error {
	if len(t.staged) == 0 {
		return nil
	}
	n, err := t.file.WriteAt(t.staged, t.size)
	if err == nil && n < len(t.staged) {
		err = io.ErrShortWrite
	}
	if err != nil {
		err = fmt.Errorf("write %d bytes at %d: %w", len(t.staged), t.size, err)
		if cut := t.file.Truncate(t.size); cut != nil {
			err = fmt.Errorf("%w (and cutting the file back: %w)", err, cut)
		}
		return err
	}
	t.size += int64(n)
	t.dirty = true
	t.staged = t.staged[:0]
	return nil
}

// sync makes the file's whole part durable.
func (t *tail) sync() error {
	if !t.dirty {
		return nil
	}
	if err := t.file.Sync(); err != nil {
		return fmt.Errorf("sync: %w", err)
	}
	t.dirty = false
	return nil
}
