package bags

import (
	"cmp"
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

	"github.com/google/renameio/v2"
	"github.com/klauspost/compress/zstd"
	"gopkg.in/yaml.v3"

	"stripswm/internal/files"
)

// metadataName is rosbag2's name of the file that describes a recording.
const metadataName = "metadata.yaml"

// metadataVersion 5 is what Humble writes; Humble and all later releases read it.
const metadataVersion = 5

// metadata is rosbag2's BagMetadata.
type metadata struct {
	Version     int             `yaml:"version"`
	Storage     string          `yaml:"storage_identifier"`
	Duration    nanoseconds     `yaml:"duration"`
	Start       sinceEpoch      `yaml:"starting_time"`
	Messages    uint64          `yaml:"message_count"`
	Topics      []topicMetadata `yaml:"topics_with_message_count"`
	Compression string          `yaml:"compression_format"`
	Mode        string          `yaml:"compression_mode"`
	Paths       []string        `yaml:"relative_file_paths"`
	Files       []fileMetadata  `yaml:"files"`
}

type nanoseconds struct {
	Nanoseconds int64 `yaml:"nanoseconds"`
}

type sinceEpoch struct {
	Nanoseconds int64 `yaml:"nanoseconds_since_epoch"`
}

type topicMetadata struct {
	Topic struct {
		Name          string    `yaml:"name"`
		Type          string    `yaml:"type"`
		Serialization string    `yaml:"serialization_format"`
		QoS           yaml.Node `yaml:"offered_qos_profiles"` // text until version 8, then a list
	} `yaml:"topic_metadata"`
	Messages uint64 `yaml:"message_count"`
}

type fileMetadata struct {
	Path     string      `yaml:"path"`
	Start    sinceEpoch  `yaml:"starting_time"`
	Duration nanoseconds `yaml:"duration"`
	Messages uint64      `yaml:"message_count"`
}

type metadataFile struct {
	Info metadata `yaml:"rosbag2_bagfile_information"`
}

// readMetadata returns nil without an error if dir has no metadata.yaml.
func readMetadata(dir string) (*metadata, error) {
	path := filepath.Join(dir, metadataName)
	text, err := files.Read(path, maxMetadata)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if errors.Is(err, files.ErrTooLarge) || errors.Is(err, files.ErrIrregular) {
		return nil, metadataFault("%s", err)
	}
	if err != nil {
		return nil, err
	}
	var f metadataFile
	if err := yaml.Unmarshal(text, &f); err != nil {
		return nil, metadataFault("%s", err)
	}
	if f.Info.Version == 0 || len(f.Info.Paths) == 0 {
		return nil, metadataFault("it names no version or no files")
	}
	return &f.Info, nil
}

// writeMetadata replaces dir's metadata.yaml: after a crash it is the old one or the new one.
func writeMetadata(dir string, m *metadata) error {
	text, err := yaml.Marshal(metadataFile{*m})
	if err != nil {
		return fmt.Errorf("bag %s: %s: %w", dir, metadataName, err)
	}
	if err := renameio.WriteFile(filepath.Join(dir, metadataName), text, 0o644); err != nil {
		return fmt.Errorf("bag %s: %s: %w", dir, metadataName, err)
	}
	return files.SyncDir(dir)
}

// dataFiles lists the data files of a recording in order, and its metadata if it has any. If
// metadata.yaml is missing or bad, problem says so, and the names of the files tell their order.
func dataFiles(dir string) (names []string, m *metadata, problem *Fault, err error) {
	m, err = readMetadata(dir)
	if err != nil && !errors.As(err, &problem) {
		return nil, nil, nil, err
	}
	if m != nil {
		if strings.EqualFold(m.Mode, "message") {
			return nil, nil, nil,
				fmt.Errorf("%s: %w: rosbag2 compression mode %q; convert it with ros2 bag convert", dir,
					ErrUnsupported, m.Mode)
		}
		for _, p := range m.Paths {
			// Old versions put the recording's own folder before the name. Nothing outside it is ever read.
			names = append(names, stored(dir, filepath.Base(p)))
		}
		return names, m, nil, nil
	}
	if problem == nil {
		problem = metadataFault("there is none: the recorder did not end in order")
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, nil, err
	}
	var other string
	for _, e := range entries {
		name := stored(dir, e.Name())
		switch filepath.Ext(plainName(name)) {
		case ".mcap", ".db3":
			if e.Type().IsRegular() && !slices.Contains(names, name) {
				names = append(names, name)
			}
		case ros1Ext:
			other = filepath.Join(dir, name)
		}
	}
	if len(names) == 0 && exists(filepath.Join(dir, TableName)) {
		return []string{TableName}, nil, nil, nil
	}
	if len(names) == 0 && other != "" {
		return nil, nil, nil, ros1(other)
	}
	if len(names) == 0 {
		return nil, nil, nil, fmt.Errorf("%s: %w: no .mcap or .db3 file, no %s and no %s in it", dir,
			ErrNoBag, metadataName, TableName)
	}
	slices.SortFunc(names, naturalOrder)
	return names, nil, problem, nil
}

// ros1Ext is the extension of ROS 1's recordings.
const ros1Ext = ".bag"

func ros1(path string) error {
	return fmt.Errorf("%s: %w: a recording of ROS 1; convert it: rosbags-convert --src %s --dst %s",
		path, ErrUnsupported, path, strings.TrimSuffix(path, ros1Ext))
}

// naturalOrder puts run_9.mcap before run_10.mcap.
func naturalOrder(a, b string) int {
	for a != "" && b != "" {
		da, db := leadingDigits(a), leadingDigits(b)
		if da != "" && db != "" {
			na, nb := strings.TrimLeft(da, "0"), strings.TrimLeft(db, "0")
			if c := cmp.Or(cmp.Compare(len(na), len(nb)), strings.Compare(na, nb)); c != 0 {
				return c
			}
			a, b = a[len(da):], b[len(db):]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

func leadingDigits(s string) string {
	return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
}

// A scratch is a temporary folder for data files that cannot be read as they are stored. Nothing is
// ever written beside the data, which may be on a read-only disk.
type scratch struct{ dir string }

func (s *scratch) remove() error {
	if s.dir == "" {
		return nil
	}
	return os.RemoveAll(s.dir)
}

// put copies a file into the folder, decompressed.
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

// A killed recorder leaves one of these beside its database: a write-ahead log, or a journal with
// the pages as they were before the last transaction.
var logSuffixes = []string{"-wal", "-journal"}

// unfinished lists the logs and journals beside a database, without which it is not whole.
func unfinished(path string) (logs []string) {
	for _, suffix := range logSuffixes {
		if info, err := os.Stat(path + suffix); err == nil && info.Size() > 0 {
			logs = append(logs, path+suffix)
		}
	}
	return logs
}

// finish copies a database with its logs, and has SQLite work them in.
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

// lastWrite is when a database, or a log of it, was last written to.
func lastWrite(path string) (at int64) {
	for _, name := range append(unfinished(path), path) {
		if info, err := os.Stat(name); err == nil {
			at = max(at, info.ModTime().UnixNano())
		}
	}
	return at
}

// packedExts are the extensions that rosbag2 and the program zstd give to a compressed file.
var packedExts = []string{".zstd", ".zst"}

// plainName is the name of a data file before it was compressed.
func plainName(name string) string {
	if ext := filepath.Ext(name); slices.Contains(packedExts, ext) {
		return strings.TrimSuffix(name, ext)
	}
	return name
}

// stored is the name under which a data file is found in dir: people compress and unpack files by
// hand, and leave metadata.yaml as it was.
func stored(dir, name string) string {
	plain := plainName(name)
	for _, ext := range append([]string{""}, packedExts...) {
		if exists(filepath.Join(dir, plain+ext)) {
			return plain + ext
		}
	}
	return name
}
