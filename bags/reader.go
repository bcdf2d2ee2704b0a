package bags

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"

	"stripswm/msgs"
)

// A Reader reads one recording. Its memory does not grow with the recording. Several goroutines may
// load images at the same time.
type Reader struct {
	dir    string
	names  []string
	files  []dataFile
	topics topicSet
	live   bool
	copies scratch
}

// Open opens a rosbag2 directory, with or without metadata.yaml, one .mcap or .db3 file, or a
// folder of images with transitions.csv. Files that zstd compressed, and databases of a
// killed recorder, are copied to a temporary folder until Close.
func Open(path string) (*Reader, error) {
	// A missing metadata.yaml is no reason to refuse, the data says it all; a missing data file is.
	var missing *Fault
	r, _, err := open(path, func(f *Fault) {
		if missing == nil && errors.Is(f, fs.ErrNotExist) {
			missing = f
		}
	})
	if err == nil && missing != nil {
		return nil, fmt.Errorf("open recording: %w", errors.Join(missing, r.Close()))
	}
	return r, err
}

// OpenLive opens a recording that a recorder may still be making: it is no fault that its last file
// ends early. All transitions acknowledged before are there; what is written later may not be.
func OpenLive(path string) (*Reader, error) {
	r, err := Open(path)
	if r != nil {
		r.live = true
	}
	return r, err
}

// open tells fault of what is wrong and can be stepped over.
func open(path string, fault func(*Fault)) (*Reader, *metadata, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, fmt.Errorf("open recording: %w", err)
	}
	r := &Reader{dir: path, topics: topicSet{}}
	var names []string
	var m *metadata
	if info.IsDir() {
		var problem *Fault
		if names, m, problem, err = dataFiles(path); err != nil {
			return nil, nil, fmt.Errorf("open recording: %w", err)
		}
		if problem != nil {
			fault(problem)
		}
	} else {
		r.dir, names = filepath.Dir(path), []string{filepath.Base(path)}
	}
	chunks := newChunkCache(cacheSize)
	for _, name := range names {
		file, err := r.openFile(name, len(r.files), chunks)
		if errors.Is(err, fs.ErrNotExist) {
			fault(faultAt(name, -1, fs.ErrNotExist, "named by %s", metadataName))
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("open recording: %w", errors.Join(err, r.Close()))
		}
		r.names = append(r.names, name)
		r.files = append(r.files, file)
	}
	return r, m, nil
}

func (r *Reader) openFile(name string, index int, chunks *chunkCache) (dataFile, error) {
	path := filepath.Join(r.dir, name)
	var err error
	if plainName(name) != name {
		path, err = r.copies.put(path)
	} else if logs := unfinished(path); len(logs) > 0 {
		path, err = r.copies.finish(path, logs)
	}
	if err != nil {
		return nil, err
	}
	switch ext := filepath.Ext(path); ext {
	case ".mcap":
		return openMCAP(path, name, index, r.topics, chunks)
	case ".db3":
		return openSQLite(path, name, index, r.topics)
	case ".csv":
		return openFolder(path, name, index, r.topics)
	case ros1Ext:
		return nil, ros1(path)
	default:
		return nil, fmt.Errorf("%s: %w: data file of kind %q; want .mcap or .db3, or a folder with %s",
			path, ErrUnsupported, ext, TableName)
	}
}

// Close releases the files. Images of the Reader cannot be loaded afterwards.
func (r *Reader) Close() error {
	var errs []error
	for _, f := range r.files {
		errs = append(errs, f.close())
	}
	return errors.Join(append(errs, r.copies.remove())...)
}

// Messages yields the messages of the given topics, or of all, in the order of recording. A fault
// ends it, as its last pair; everything before was whole. The data of a message is not changed
// afterwards, but it keeps the chunk it is part of in memory: clone it to keep it.
func (r *Reader) Messages(ctx context.Context, topics ...string) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		stopped := false
		v := &visitor{
			message: func(m Message) bool {
				if err := ctx.Err(); err != nil {
					stopped = true
					yield(Message{}, err)
					return false
				}
				if len(topics) > 0 && !slices.Contains(topics, m.Topic.Name) {
					return true
				}
				stopped = !yield(m, nil)
				return !stopped
			},
			fault: func(f *Fault) bool {
				growing := r.live && errors.Is(f, ErrTruncated) && f.File == r.names[len(r.names)-1]
				if !stopped && !growing {
					stopped = true
					yield(Message{}, f)
				}
				return false
			},
		}
		for _, f := range r.files {
			if f.scan(v); stopped {
				return
			}
		}
	}
}

// Load reads the data of a message of this Reader again.
func (r *Reader) Load(m *Message) (err error) {
	m.Data, err = r.files[m.at.file].load(m.at)
	return err
}

// Outcome of an attempt.
type Outcome = msgs.Outcome

// Outcomes.
const (
	Succeeded = msgs.Succeeded
	Refused   = msgs.Refused // not applicable: the world was left as it was
	Failed    = msgs.Failed  // the result is unknown
)

// A Transition is (image, action, image) with its outcome.
type Transition struct {
	Index   int    // in the recording, from 0; amended ones are not counted twice
	Action  uint32 // opaque id, 1..L
	Outcome Outcome
	Before  Image
	After   Image
	Stamp   msgs.Time // when the outcome was known
	Note    string
	Reset   bool // the scene is not as the transition before left it: see ResetTopic
}

// An Image is a recorded image that is loaded when it is asked for.
type Image struct {
	Topic string
	Type  string // sensor_msgs/msg/Image or sensor_msgs/msg/CompressedImage
	Stamp msgs.Time

	reader *Reader
	at     location
}

// File is the image's path inside a folder of images; "" where the recording is a bag.
func (im Image) File() string {
	if im.reader != nil {
		if f, ok := im.reader.files[im.at.file].(*folderFile); ok {
			return f.path(f.row(im.at), im.at.off)
		}
	}
	return ""
}

// String says where the image is, for messages to people.
func (im Image) String() string {
	if file := im.File(); file != "" {
		return fmt.Sprintf("%s (%s:%d)", file, im.reader.names[im.at.file], im.at.record)
	}
	return fmt.Sprintf("%s at %s", im.Topic, im.Stamp)
}

// Message returns the image message, a *msgs.Image or *msgs.CompressedImage, not decoded. Its bytes
// are shared with the Reader and are not to be changed.
func (im Image) Message() (msgs.Message, error) {
	if im.reader == nil {
		return nil, fmt.Errorf("%w: the transition has no such image", ErrReference)
	}
	payload, err := im.reader.files[im.at.file].load(im.at)
	if err != nil {
		return nil, fmt.Errorf("image %s: %w", im, err)
	}
	m, ok := msgs.New(im.Type)
	if !ok {
		return nil, fmt.Errorf("image %s: no codec for %s", im, im.Type)
	}
	if err := msgs.UnmarshalNoCopy(payload, m); err != nil {
		return nil, fmt.Errorf("image %s: %w", im, err)
	}
	return m, nil
}

// Transitions yields the transitions in the order of recording. An error that wraps ErrTransition
// or ErrReference is about the transition it comes with, and the next pair is the next transition;
// any other error is the last pair.
func (r *Reader) Transitions(ctx context.Context) iter.Seq2[Transition, error] {
	return func(yield func(Transition, error) bool) {
		p := &pairing{reader: r, images: newRecent[Image](), yield: yield}
		for m, err := range r.Messages(ctx) {
			if err != nil {
				if p.flush() {
					yield(Transition{}, err)
				}
				return
			}
			if !p.message(&m) {
				return
			}
		}
		p.flush()
	}
}

// A pairing ties transitions to their images. It holds the latest transition back, since the next
// message on the topic may amend it.
type pairing struct {
	reader *Reader
	images *lru.LRU[stampKey, Image]
	yield  func(Transition, error) bool
	held   *Transition
	latest msgs.Transition // the message that held is of
	index  int
	reset  bool // since the latest transition
}

func (p *pairing) message(m *Message) bool {
	switch {
	case m.Topic.IsImage():
		stamp, err := msgs.Stamp(m.Data)
		if err != nil {
			return true // a transition that refers to it will say so
		}
		p.images.Add(stampKey{m.Topic.Name, stamp},
			Image{Topic: m.Topic.Name, Type: m.Topic.Type, Stamp: stamp, reader: p.reader, at: m.at})
	case m.Topic.IsTransition():
		return p.transition(m)
	case m.Topic.Name == ResetTopic:
		p.reset = true
	}
	return true
}

func (p *pairing) transition(m *Message) bool {
	var msg msgs.Transition
	detail := ""
	if err := m.Decode(&msg); err != nil {
		detail = err.Error()
	} else {
		detail = invalid(&msg)
	}
	t := Transition{Action: msg.Action, Outcome: Outcome(msg.Outcome), Stamp: msg.Header.Stamp,
		Note: msg.Note, Before: Image{Topic: msg.ImageTopic, Stamp: msg.Before},
		After: Image{Topic: msg.ImageTopic, Stamp: msg.After}}
	if p.held != nil && detail == "" && msg.Amends(&p.latest) {
		t.Index, t.Before, t.After, t.Reset = p.held.Index, p.held.Before, p.held.After, p.held.Reset
		p.held = &t
		return true
	}
	if !p.flush() {
		return false
	}
	t.Index, t.Reset = p.index, p.reset
	p.index++
	p.reset = false
	fault := &Fault{File: p.reader.names[m.at.file], Offset: m.at.record, Topic: m.Topic.Name,
		Index: t.Index}
	if detail != "" {
		fault.Kind, fault.Detail = ErrTransition, detail
		return p.yield(t, fault)
	}
	for _, im := range []*Image{&t.Before, &t.After} {
		found, ok := p.images.Get(stampKey{im.Topic, im.Stamp})
		if !ok {
			fault.Kind, fault.Detail = ErrReference, fmt.Sprintf(
				"no image on %s stamped %s among the %d before it", im.Topic, im.Stamp, p.images.Len())
			return p.yield(t, fault)
		}
		*im = found
	}
	p.held, p.latest = &t, msg
	return true
}

func (p *pairing) flush() bool {
	if p.held == nil {
		return true
	}
	t := *p.held
	p.held = nil
	return p.yield(t, nil)
}

// A stampKey names an image: topic and header.stamp.
type stampKey struct {
	topic string
	stamp msgs.Time
}

// newRecent maps the latest maxImages images to a V each, and forgets the oldest.
func newRecent[V any]() *lru.LRU[stampKey, V] {
	images, err := lru.NewLRU[stampKey, V](maxImages, nil)
	if err != nil {
		panic(err) // of a size that is not positive
	}
	return images
}

// A chunkCache keeps the contents of the latest chunks, so that an image that transitions refer to
// is seldom read twice.
type chunkCache struct {
	mu     sync.Mutex
	budget int // bytes
	size   int
	chunks *lru.LRU[chunkKey, []byte]
}

type chunkKey struct {
	file   int
	offset int64
}

func newChunkCache(budget int) *chunkCache {
	c := &chunkCache{budget: budget}
	dropped := func(_ chunkKey, contents []byte) { c.size -= len(contents) }
	c.chunks, _ = lru.NewLRU(math.MaxInt, dropped) // put keeps to the budget
	return c
}

func (c *chunkCache) get(k chunkKey) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.chunks.Get(k)
}

// put may drop the oldest chunks, but never the one it is given.
func (c *chunkCache) put(k chunkKey, contents []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.chunks.Get(k); known {
		return
	}
	c.chunks.Add(k, contents)
	c.size += len(contents)
	for c.size > c.budget && c.chunks.Len() > 1 {
		c.chunks.RemoveOldest()
	}
}
