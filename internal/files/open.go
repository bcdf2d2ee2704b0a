package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

var (
	// ErrIrregular is returned, wrapped, for a path that is not a regular file, nor a link to one.
	ErrIrregular = errors.New("not a regular file")
	// ErrTooLarge is returned, wrapped, for a file that is larger than the reader's limit.
	ErrTooLarge = errors.New("too large")
)

// A File is a regular file, read up to the size that it had when it was opened.
type File struct {
	*io.SectionReader
	file *os.File
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }

// Open opens a regular file of at most limit bytes, or a link to one. It does not wait for the
// writer of a pipe. Errors are a *fs.PathError.
func Open(path string, limit int64) (*File, error) {
	// Without O_NONBLOCK, opening a pipe waits until somebody writes to it.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	return bounded(f, err, path, limit)
}

// OpenIn is [Open] of a file inside a folder: links that lead out of it are refused.
func OpenIn(root *os.Root, name string, limit int64) (*File, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	return bounded(f, err, name, limit)
}

func bounded(f *os.File, err error, path string, limit int64) (*File, error) {
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = &fs.PathError{Op: "open", Path: path, Err: ErrIrregular}
	case info.Size() > limit:
		err = fmt.Errorf("%w: %d bytes; at most %d are read", ErrTooLarge, info.Size(), limit)
		err = &fs.PathError{Op: "open", Path: path, Err: err}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &File{io.NewSectionReader(f, 0, info.Size()), f}, nil
}

// Read reads a file as [Open] opens it.
func Read(path string, limit int64) ([]byte, error) {
	f, err := Open(path, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
