package bags

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"stripswm/internal/files"
)

// A scratch is a temporary folder for data files that cannot be read as they are stored. Nothing is
// ever written beside the data, which may be on a read-only disk.
type scratch struct{ dir string }

func (s *scratch) remove() error {
	if s.dir == "" {
		return nil
	}
	return os.RemoveAll(s.dir)
}

// put copies a file there, decompressed.
func (s *scratch) put(path string) (string, error) {
	file, err := files.Open(path, math.MaxInt64)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if s.dir == "" {
		if s.dir, err = os.MkdirTemp("", "stripswm-"); err != nil {
			return "", fmt.Errorf("copy %s: %v", path, err) // no data file is missing
		}
	}
	name := filepath.Base(path)
	to := filepath.Join(s.dir, plainName(name))
	var from io.Reader = file
	if name != plainName(name) {
		d, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxWindow(maxRecord))
		if err != nil {
			return "", err
		}
		defer d.Close()
		from = d
	}
	copied, err := os.Create(to)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(copied, from)
	if _, system := errors.AsType[*fs.PathError](err); err != nil && !system {
		err = errors.Join(err, copied.Close())
		return "", fmt.Errorf("decompress %s: %w: %w", path, ErrDamaged, err)
	}
	if err = errors.Join(err, copied.Close()); err != nil {
		return "", fmt.Errorf("copy %s to %s (TMPDIR names another folder): %w", path, to, err)
	}
	return to, nil
}

// A database that a killed recorder left has one of these beside it: a write-ahead log, or the
// pages as they were before the last transaction.
var logSuffixes = []string{"-wal", "-journal"}

// unfinished lists the files beside a database without which it is not whole.
func unfinished(path string) (logs []string) {
	for _, suffix := range logSuffixes {
		if info, err := os.Stat(path + suffix); err == nil && info.Size() > 0 {
			logs = append(logs, path+suffix)
		}
	}
	return logs
}

// finish copies a database with what is beside it, and has sqlite do what the recorder would have
// done with them.
func (s *scratch) finish(path string, logs []string) (string, error) {
	before := lastWrite(path)
	for _, log := range logs {
		if _, err := s.put(log); err != nil {
			return "", err
		}
	}
	to, err := s.put(path)
	if err != nil {
		return "", err
	}
	if lastWrite(path) != before {
		return "", fmt.Errorf("%s: %w: a recorder writes to it; read it after the recording has ended",
			path, ErrUnsupported)
	}
	db, err := sql.Open("sqlite", to)
	if err != nil {
		return "", err
	}
	_, err = db.Exec(`PRAGMA journal_mode=DELETE`)
	if err = errors.Join(err, db.Close()); err != nil {
		return "", fmt.Errorf("%s: %w: with %s: %w", path, ErrDamaged, strings.Join(logs, ", "), err)
	}
	return to, nil
}

// lastWrite is when a database, or what is beside it, was written to.
func lastWrite(path string) (at int64) {
	for _, name := range append(unfinished(path), path) {
		if info, err := os.Stat(name); err == nil {
			at = max(at, info.ModTime().UnixNano())
		}
	}
	return at
}

// packedExts are what rosbag2 and people put behind the name of a file that zstd compressed.
var packedExts = []string{".zstd", ".zst"}

// plainName is a data file's before it was compressed.
func plainName(name string) string {
	if ext := filepath.Ext(name); slices.Contains(packedExts, ext) {
		return strings.TrimSuffix(name, ext)
	}
	return name
}

// stored is the name under which a data file is there: people compress and unpack them by hand, and
// leave metadata.yaml as it was.
func stored(dir, name string) string {
	plain := plainName(name)
	for _, ext := range append([]string{""}, packedExts...) {
		if exists(filepath.Join(dir, plain+ext)) {
			return plain + ext
		}
	}
	return name
}
