package bags

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"stripswm/internal/files"
)

// Continue goes on with the recording at dir in its next data file, as after Split, and reports
// what is in it. [Recover] makes it whole first, with the same errors. Transitions may refer to
// images that are written from then on; write those of earlier files again.
//
// Until Close the recording is without its metadata.yaml, as every one that is being made.
func Continue(ctx context.Context, dir string, opts Options) (*Writer, *Report, error) {
	w, report, err := resume(ctx, dir, opts)
	if err != nil {
		return nil, report, fmt.Errorf("continue recording %s: %w", dir, err)
	}
	return w, report, nil
}

func resume(ctx context.Context, dir string, opts Options) (*Writer, *Report, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, nil, err
	}
	report, lock, err := recovered(ctx, dir)
	if err != nil {
		return nil, report, err
	}
	w, err := goOn(dir, opts)
	if err != nil {
		return nil, report, errors.Join(err, lock.Close())
	}
	w.lock = lock
	return w, report, nil
}

// goOn begins the next file of a whole recording.
func goOn(dir string, opts Options) (*Writer, error) {
	m, err := readMetadata(dir)
	if err != nil {
		return nil, err
	}
	if err := ownMetadata(dir, m); err != nil {
		return nil, err
	}
	w, err := newWriter(dir, opts)
	if err == nil {
		err = w.follow(m)
	}
	if err == nil {
		err = w.reopen(m)
	}
	return w, err
}

// ownMetadata refuses a metadata.yaml with something in it that Close would not write again.
func ownMetadata(dir string, m *metadata) error {
	if m == nil {
		return nil // follow says so
	}
	text, err := files.Read(filepath.Join(dir, metadataName), maxMetadata)
	if err != nil {
		return err
	}
	again, err := yaml.Marshal(metadataFile{*m})
	if err == nil && !bytes.Equal(text, again) {
		err = fmt.Errorf("%w: its %s is not as this program writes it; record into another directory",
			ErrUnsupported, metadataName)
	}
	return err
}

// follow takes over what earlier files hold.
func (w *Writer) follow(m *metadata) error {
	if m == nil || len(m.Files) != len(m.Paths) {
		return fmt.Errorf(
			"%w: it does not say what is in each file; only recordings of this program's can be continued",
			ErrUnsupported)
	}
	for i, f := range m.Files {
		path := filepath.Base(f.Path)
		base, numbered := strings.CutSuffix(path, fmt.Sprintf("_%d.mcap", i))
		if !numbered || i > 0 && base != w.base {
			return fmt.Errorf(
				"%w: its file %d is called %s, not as this program does; record into another directory",
				ErrUnsupported, i, path)
		}
		info, err := os.Stat(filepath.Join(w.dir, path))
		if err != nil {
			return err
		}
		w.base, f.Path = base, path
		w.ended = append(w.ended, endedFile{f, info.Size()})
	}
	w.earlier = m.Topics
	return nil
}

// reopen begins the next file. metadata.yaml goes first: who reads meanwhile, or after a crash,
// would find no file there that it does not name.
func (w *Writer) reopen(m *metadata) error {
	if err := reserve(w.dir, w.opts.ChunkSize); err != nil {
		return err
	}
	err := os.Remove(filepath.Join(w.dir, metadataName))
	if err == nil {
		err = files.SyncDir(w.dir)
	}
	if err == nil {
		w.dataLog, err = w.begin()
	}
	if err != nil {
		return errors.Join(err, release(w.dir), writeMetadata(w.dir, m))
	}
	return nil
}

// known is what earlier files hold of a topic; nil if nothing.
func (w *Writer) known(name string) *topicMetadata {
	for i := range w.earlier {
		if w.earlier[i].Topic.Name == name {
			return &w.earlier[i]
		}
	}
	return nil
}
