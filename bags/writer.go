package bags

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/foxglove/mcap/go/mcap"
	lru "github.com/hashicorp/golang-lru/v2/simplelru"
	"gopkg.in/yaml.v3"

	"stripswm/internal/files"
	"stripswm/msgs"
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
	// Clock gives the receive time of messages written without one; time.Now if nil.
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

	lock *os.File // keeps other Writers from the directory

	mu       sync.Mutex
	*dataLog                 // the file that is being written
	ended    []endedFile     // those before it
	earlier  []topicMetadata // of a recording that is continued
	topics   map[string]*writerTopic
	order    []*writerTopic
	pending  []mcap.Message          // of the chunk to come
	bytes    int                     // in pending
	images   *lru.LRU[stampKey, int] // the number of the file that each is in
	unsynced int                     // transitions since the last sync
	broken   error                   // why nothing more can be written
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

// newWriter makes a Writer that has no file yet.
func newWriter(dir string, opts Options) (*Writer, error) {
	if opts.TransitionTopic == "" {
		opts.TransitionTopic = DefaultTransitionTopic
	}
	if opts.ChunkSize <= 0 {
		opts.ChunkSize = defaultChunk
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
		images: newRecent[int]()}, nil
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

// Holds reports whether an image is in the data file that is being written.
func (w *Writer) Holds(topic string, stamp msgs.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	file, known := w.images.Get(stampKey{topic, stamp})
	return known && file == len(w.ended)
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

// neverCut keeps the encoder from ending chunks by itself: the Writer ends them, so that a sync
// brings all that is pending into the file.
const neverCut = math.MaxInt64

// WriteImage records a *msgs.Image or *msgs.CompressedImage, received now.
func (w *Writer) WriteImage(topic string, m msgs.Message) error {
	return w.Write(topic, w.opts.Clock(), m)
}

// WriteTransition records a transition, whose images must have been written before it. When it
// returns nil and Options.SyncEvery is 1, the transition and its images survive a kill of the
// process and a loss of power. Writing the same transition again after an error is safe: readers
// take the last of equal ones.
func (w *Writer) WriteTransition(m *msgs.Transition) error {
	return w.Write(w.opts.TransitionTopic, w.opts.Clock(), m)
}

// WriteReset records that the next transition does not find what the last one left, received now;
// why is for people. It is durable when the next transition is.
func (w *Writer) WriteReset(why string) error {
	return w.Write(ResetTopic, w.opts.Clock(), &msgs.String{Data: why})
}

// Tell records a Simulation, Camera or Clocks, as Parse reads it.
func (w *Writer) Tell(topic string, received time.Time, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write %s: %w", topic, err)
	}
	return w.Write(topic, received, &msgs.String{Data: string(text)})
}

// Write records any message of package msgs, received at the given time.
func (w *Writer) Write(topic string, received time.Time, m msgs.Message) error {
	data, err := msgs.Marshal(m)
	if err != nil {
		return fmt.Errorf("write %s: %w", topic, err)
	}
	return w.WritePayload(topic, m.ROSType(), received, data)
}

// WritePayload is Write of a message in CDR, which is not to be changed from then on.
func (w *Writer) WritePayload(topic, rosType string, received time.Time, payload []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.topics[topic]
	if t == nil {
		declared, err := NewTopic(topic, rosType)
		if err != nil {
			return err
		}
		if t, err = w.topic(declared); err != nil {
			return err
		}
	}
	if t.Type != rosType {
		return fmt.Errorf("topic %s holds %s, not %s", topic, t.Type, rosType)
	}
	return w.record(t, received.UnixNano(), 0, payload)
}

// WriteRaw records a CDR payload of a topic that AddTopic declared. received and published are
// nanoseconds since the epoch; published may be 0. The payload is copied.
func (w *Writer) WriteRaw(topic string, received, published int64, payload []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.topics[topic]
	if t == nil {
		return fmt.Errorf("topic %s was not declared", topic)
	}
	return w.record(t, received, published, bytes.Clone(payload))
}

func (w *Writer) ready() error {
	if w.closed {
		return ErrClosed
	}
	return w.broken
}

// record takes ownership of data.
func (w *Writer) record(t *writerTopic, received, published int64, data []byte) error {
	if err := w.ready(); err != nil {
		return err
	}
	// Something could not be written last time: until it is, keep nothing more in memory.
	if err := w.tail.flush(); err != nil {
		return fmt.Errorf("recording %s: %w", w.dir, err)
	}
	if received < 0 {
		return fmt.Errorf("write %s: receive time %d is before 1970", t.Name, received)
	}
	if published <= 0 {
		published = received
	}
	switch {
	case t.IsImage():
		stamp, err := msgs.Stamp(data)
		if err != nil {
			return fmt.Errorf("write %s: %w", t.Name, err)
		}
		published = max(0, stamp.Nanoseconds())
		w.images.Add(stampKey{t.Name, stamp}, len(w.ended))
	case t.IsTransition():
		if err := w.checkTransition(data); err != nil {
			return fmt.Errorf("write %s: %w", t.Name, err)
		}
	}
	w.pending = append(w.pending, mcap.Message{ChannelID: t.id, Sequence: t.sequence,
		LogTime: uint64(received), PublishTime: uint64(published), Data: data})
	w.bytes += len(data)
	t.sequence++
	if t.IsTransition() {
		w.unsynced++
		if w.opts.SyncEvery > 0 && w.unsynced >= w.opts.SyncEvery {
			return w.sync()
		}
	}
	if w.bytes < w.opts.ChunkSize {
		return nil
	}
	if err := errors.Join(w.cut(), w.tail.flush()); err != nil {
		return fmt.Errorf("recording %s: %w", w.dir, err)
	}
	return nil
}

// checkTransition refuses what Check would find fault with, while it can still be put right.
func (w *Writer) checkTransition(data []byte) error {
	var m msgs.Transition
	if err := msgs.Unmarshal(data, &m); err != nil {
		return err
	}
	if detail := invalid(&m); detail != "" {
		return fmt.Errorf("%w: %s", ErrTransition, detail)
	}
	for _, stamp := range []msgs.Time{m.Before, m.After} {
		if _, ok := w.images.Get(stampKey{m.ImageTopic, stamp}); !ok {
			return fmt.Errorf("%w: %s has no image stamped %s; write it before the transition", ErrReference,
				m.ImageTopic, stamp)
		}
	}
	return nil
}

// invalid says what is wrong with a transition taken by itself, or "".
func invalid(m *msgs.Transition) string {
	switch {
	case m.Action == 0:
		return "action 0; ids begin at 1"
	case m.Outcome < msgs.TransitionSucceeded || m.Outcome > msgs.TransitionFailed:
		return fmt.Sprintf("outcome %d is not known", m.Outcome)
	case m.After.Nanoseconds() < m.Before.Nanoseconds():
		return fmt.Sprintf("the image after (%s) is older than the image before (%s)", m.After, m.Before)
	}
	return ""
}

// cut ends the chunk with what is pending. The encoder compares ChunkSize after each message, so a
// size of 0 ends the chunk at the last one.
func (w *Writer) cut() error {
	for i := range w.pending {
		if i == len(w.pending)-1 {
			w.logOpts.ChunkSize = 0
		}
		if err := w.log.WriteMessage(&w.pending[i]); err != nil {
			w.broken = err
			return err
		}
		w.pending[i].Data = nil
	}
	w.logOpts.ChunkSize = neverCut
	w.pending, w.bytes = w.pending[:0], 0
	return nil
}

func (w *Writer) sync() error {
	if err := errors.Join(w.cut(), w.tail.flush()); err != nil {
		return fmt.Errorf("recording %s: %w", w.dir, err)
	}
	if err := w.tail.sync(); err != nil {
		w.broken = fmt.Errorf("recording %s: %w; close it and start another", w.dir, err)
		return w.broken
	}
	w.unsynced = 0
	return nil
}

// A dataLog is a data file that is being written.
type dataLog struct {
	name    string
	tail    *tail
	log     *mcap.Writer
	logOpts *mcap.WriterOptions // log reads ChunkSize from here on every message
}

// An endedFile is a data file that is complete.
type endedFile struct {
	fileMetadata
	size int64
}

// Split ends the data file, makes it durable and goes on in the next one of the same recording, as
// rosbag2 does. Transitions may refer to images in files before theirs; to make a file that stands
// alone, write its images again. A file without messages is not ended.
//
// If the next file cannot be made, the Writer goes on in the old one. If the old one cannot be
// ended, the Writer refuses from then on; Repair completes the recording.
func (w *Writer) Split() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.ready(); err != nil {
		return err
	}
	if err := w.sync(); err != nil {
		return err
	}
	if w.log.Statistics.MessageCount == 0 {
		return nil
	}
	next, err := w.begin()
	if err != nil {
		return fmt.Errorf("split recording %s: %w", w.dir, err)
	}
	if err := errors.Join(w.finish(), w.tail.file.Close()); err != nil {
		w.broken = fmt.Errorf("split recording %s: %w; close it and start another", w.dir, err)
		return errors.Join(w.broken, next.abandon(w.dir))
	}
	for _, t := range w.order {
		t.ended += w.log.Statistics.ChannelMessageCounts[t.id]
	}
	w.ended = append(w.ended, endedFile{w.describe(), w.tail.size})
	w.dataLog = next
	for _, t := range w.order {
		if err := w.declare(t); err != nil {
			w.broken = err
			return err
		}
	}
	return nil
}

// begin makes the next data file, with nothing in it but a header.
func (w *Writer) begin() (*dataLog, error) {
	name := fmt.Sprintf("%s_%d.mcap", w.base, w.count())
	file, err := w.opts.OpenFile(filepath.Join(w.dir, name))
	if err != nil {
		return nil, err
	}
	d := &dataLog{name: name, tail: &tail{file: file}, logOpts: &mcap.WriterOptions{
		IncludeCRC: true, Chunked: true, ChunkSize: neverCut,
		Compression: mcap.CompressionFormat(w.opts.Compression)}}
	if d.log, err = mcap.NewWriter(d.tail, d.logOpts); err == nil {
		err = d.log.WriteHeader(&mcap.Header{Profile: "ros2"})
	}
	if err == nil {
		err = d.tail.flush()
	}
	if err == nil {
		err = files.SyncDir(w.dir)
	}
	if err != nil {
		return nil, errors.Join(err, d.abandon(w.dir))
	}
	return d, nil
}

// abandon removes a file in which nothing was recorded.
func (d *dataLog) abandon(dir string) error {
	return errors.Join(d.tail.file.Close(), os.Remove(filepath.Join(dir, d.name)))
}

// count is the number of data files begun so far.
func (w *Writer) count() int {
	if w.dataLog == nil {
		return len(w.ended)
	}
	return len(w.ended) + 1
}

// declare writes what a file must say of a topic before its first message.
func (d *dataLog) declare(t *writerTopic) error {
	err := d.log.WriteSchema(&mcap.Schema{ID: t.id, Name: t.Type, Encoding: cmp.Or(t.SchemaEncoding,
		ros2msg), Data: []byte(t.Schema)})
	if err == nil {
		err = d.log.WriteChannel(&mcap.Channel{ID: t.id, SchemaID: t.id, Topic: t.Name,
			MessageEncoding: cmp.Or(t.Encoding, cdr),
			Metadata:        map[string]string{"offered_qos_profiles": t.QoS}})
	}
	if err != nil {
		return fmt.Errorf("topic %s: %w", t.Name, err)
	}
	return nil
}

// finish writes indexes and footer and makes the file durable. Nothing may be pending.
func (d *dataLog) finish() error {
	if err := d.log.Close(); err != nil {
		return err
	}
	if err := d.tail.flush(); err != nil {
		return err
	}
	return d.tail.sync()
}

// describe is what metadata.yaml says of the file.
func (d *dataLog) describe() fileMetadata {
	s := d.log.Statistics
	return fileMetadata{d.name, sinceEpoch{int64(s.MessageStartTime)},
		nanoseconds{int64(s.MessageEndTime - s.MessageStartTime)}, s.MessageCount}
}

func (w *Writer) metadata() *metadata {
	m := &metadata{Version: metadataVersion, Storage: "mcap", Topics: []topicMetadata{}}
	for _, f := range w.ended {
		m.add(f.fileMetadata)
	}
	m.add(w.describe())
	for _, t := range w.earlier {
		if w.topics[t.Topic.Name] == nil {
			m.Topics = append(m.Topics, t)
		}
	}
	for _, t := range w.order {
		var tm topicMetadata
		tm.Topic.Name, tm.Topic.Type, tm.Topic.Serialization = t.Name, t.Type, cmp.Or(t.Encoding, cdr)
		tm.Topic.QoS.SetString(t.QoS)
		tm.Messages = t.ended + w.log.Statistics.ChannelMessageCounts[t.id]
		m.Topics = append(m.Topics, tm)
	}
	return m
}

// add counts a file in.
func (m *metadata) add(f fileMetadata) {
	m.Paths, m.Files = append(m.Paths, f.Path), append(m.Files, f)
	if f.Messages == 0 {
		return
	}
	start, end := m.Start.Nanoseconds, m.Start.Nanoseconds+m.Duration.Nanoseconds
	if m.Messages == 0 {
		start, end = f.Start.Nanoseconds, f.Start.Nanoseconds
	}
	start = min(start, f.Start.Nanoseconds)
	m.Start.Nanoseconds, m.Duration.Nanoseconds = start, max(end,
		f.Start.Nanoseconds+f.Duration.Nanoseconds)-start
	m.Messages += f.Messages
}

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
// all: after a failed write the file is cut back to where it was, and the bytes stay staged, to be
// tried again.
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

// reserveName is a file of zeros beside the data while it is written, so that a full disk has room
// for closing the recording: Close removes it first. Repair removes that of a killed recorder.
const reserveName = ".reserve"

// reserve takes room on the disk for what may be pending and for the end of the recording.
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

// release gives the room back. A file of this name that has anything but zeros stays.
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

// Continue goes on with the recording at dir in its next data file, as after Split, and reports
// what is in it. [Recover] makes it whole first, with the same errors. Transitions may refer to
// images that are written from then on; write those of earlier files again.
//
// Until Close the recording is without its metadata.yaml, as every one that is being made.
func Continue(ctx context.Context, dir string, opts Options) (*Writer, *Report, error) {
	failed := func(r *Report, err error) (*Writer, *Report, error) {
		return nil, r, fmt.Errorf("continue recording %s: %w", dir, err)
	}
	path, err := filepath.Abs(dir)
	if err != nil {
		return failed(nil, err)
	}
	report, lock, err := recovered(ctx, path)
	if err != nil {
		return failed(report, err)
	}
	w, err := goOn(path, opts)
	if err != nil {
		return failed(report, errors.Join(err, lock.Close()))
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

// ownMetadata refuses a metadata.yaml that has something which Close would not write again.
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

// reopen begins the next file. Before it removes metadata.yaml: who reads meanwhile, or after a
// crash, reads only the files that it names.
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
