package bags

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/foxglove/mcap/go/mcap"

	"stripswm/internal/files"
)

// ErrClosed is returned by a Writer's methods after Close.
var ErrClosed = errors.New("the recording is closed")

// DefaultTransitionTopic is where WriteTransition writes.
const DefaultTransitionTopic = "/transitions"

// Options of a recording. The zero value is ready to use.
type Options struct {
	// TransitionTopic is DefaultTransitionTopic if empty.
	TransitionTopic string
	// Compression of chunks: "" (none; right for JPEG) or "zstd".
	Compression string
	// ChunkSize in bytes, at which a chunk is written even if nothing asks for it; 4 MiB if 0.
	ChunkSize int
	// SyncEvery is the number of transitions between syncs to disk: 1 if 0, so that every transition
	// is durable when WriteTransition returns. Negative: only Sync and Close sync.
	SyncEvery int
	// Clock gives the receive time of messages written without one; time.Now if nil. Writers call it
	// from the goroutine that writes.
	Clock func() time.Time
	// OpenFile creates the data file, which must not exist; *os.File if nil.
	OpenFile func(path string) (File, error)
}

// A Writer makes one recording, in one data file or, with Split, in several. Its methods may be
// called from several goroutines.
//
// A method that returns an error has recorded nothing that a reader could mistake for whole, and
// nothing recorded before is lost. After a full disk the Writer goes on when there is room again;
// after a failed sync it refuses, because the operating system no longer says what reached the
// disk.
type Writer struct {
	opts Options
	dir  string
	base string // what the data files' names begin with

	lock *os.File // of the folder

	mu       sync.Mutex
	*dataLog                 // the file that is being written
	ended    []endedFile     // those before it
	earlier  []topicMetadata // of a recording that is continued
	topics   map[string]*writerTopic
	order    []*writerTopic
	pending  []mcap.Message // of the chunk to come
	bytes    int            // in pending
	images   *recent[struct{}]
	unsynced int   // transitions since the last sync
	broken   error // why nothing more can be written
	closed   bool
}

type writerTopic struct {
	Topic
	id       uint16 // of its schema and its channel, in every file
	sequence uint32 // goes on from file to file
	ended    uint64 // messages in the files before the one that is being written
}

// Create makes the directory dir, which must not exist, and starts a recording in it. Its data
// files are called base_0.mcap, base_1.mcap and so on after the base of dir, as rosbag2 does.
func Create(dir string, opts Options) (*Writer, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	w, err := newWriter(dir, opts)
	if err != nil {
		return nil, err
	}
	w.base = filepath.Base(dir)
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, fmt.Errorf("create recording: %w", err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, fmt.Errorf("create recording: %w; choose another name or remove it", err)
	}
	if w.lock, err = lockDir(dir); err == nil {
		err = reserve(dir, w.opts.ChunkSize)
	}
	if err == nil {
		w.dataLog, err = w.begin()
	}
	if err == nil {
		err = files.SyncDir(filepath.Dir(dir))
	}
	if err != nil {
		w.lock.Close()
		return nil, fmt.Errorf("create recording %s: %w", dir, errors.Join(err, os.RemoveAll(dir)))
	}
	return w, nil
}

// newWriter is one without a file.
func newWriter(dir string, opts Options) (*Writer, error) {
	if opts.TransitionTopic == "" {
		opts.TransitionTopic = DefaultTransitionTopic
	}
	if opts.ChunkSize <= 0 {
		opts.ChunkSize = 4 << 20
	}
	if opts.SyncEvery == 0 {
		opts.SyncEvery = 1
	}
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	if opts.OpenFile == nil {
		opts.OpenFile = createFile
	}
	if opts.Compression != "" && opts.Compression != string(mcap.CompressionZSTD) {
		return nil, fmt.Errorf("compression %q: want none or zstd", opts.Compression)
	}
	return &Writer{opts: opts, dir: dir, topics: map[string]*writerTopic{},
		images: newRecent[struct{}](maxImages)}, nil
}

// AddTopic declares a topic for WriteRaw. A topic that is known with the same type is left as it
// is.
func (w *Writer) AddTopic(t Topic) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := w.topic(t)
	return err
}

func (w *Writer) topic(t Topic) (*writerTopic, error) {
	if known := w.topics[t.Name]; known != nil {
		if known.Type != t.Type {
			return nil, fmt.Errorf("topic %s holds %s, not %s", t.Name, known.Type, t.Type)
		}
		return known, nil
	}
	if err := w.ready(); err != nil {
		return nil, err
	}
	if len(w.order) >= 1<<16-1 {
		return nil, fmt.Errorf("topic %s: a recording holds at most %d topics", t.Name, len(w.order))
	}
	known := &writerTopic{Topic: t, id: uint16(len(w.order) + 1)}
	if before := w.known(t.Name); before != nil {
		if before.Topic.Type != t.Type {
			return nil, fmt.Errorf("topic %s holds %s, not %s", t.Name, before.Topic.Type, t.Type)
		}
		known.ended, known.sequence = before.Messages, uint32(before.Messages)
	}
	if err := w.declare(known); err != nil {
		return nil, err
	}
	w.topics[t.Name] = known
	w.order = append(w.order, known)
	return known, nil
}

// Dir is the recording's absolute path.
func (w *Writer) Dir() string { return w.dir }

// Size is the number of bytes in the data files.
func (w *Writer) Size() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	size := w.tail.size
	for _, f := range w.ended {
		size += f.size
	}
	return size
}

// FileSize is the number of bytes in the data file that is being written.
func (w *Writer) FileSize() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tail.size
}

// Files is the number of data files.
func (w *Writer) Files() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.ended) + 1
}

// Sync writes out what is pending and makes it durable.
func (w *Writer) Sync() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.ready(); err != nil {
		return err
	}
	return w.sync()
}

// Close ends the last data file, makes it durable and writes metadata.yaml, for which room was
// reserved: a full disk does not keep it from that, unless others took the room or single messages
// are larger. If it fails, what was durable stays, and Repair completes the recording. A second
// Close does nothing.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	w.closed = true
	defer w.lock.Close()
	err := errors.Join(w.broken, release(w.dir))
	if err == nil {
		if err = w.cut(); err == nil {
			err = w.finish()
		}
	}
	if err := errors.Join(err, w.tail.file.Close()); err != nil {
		return fmt.Errorf("close recording %s: %w", w.dir, err)
	}
	return writeMetadata(w.dir, w.metadata())
}
