package bags

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
)

// cacheSize is the memory for chunks that transitions may refer back to.
const cacheSize = 32 << 20

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

// OpenLive is Open of a recording that may still be being made: that its last file ends early is no
// fault, and what is written later is not read. Every transition acknowledged before is there.
func OpenLive(path string) (*Reader, error) {
	r, err := Open(path)
	if r != nil {
		r.live = true
	}
	return r, err
}

// open tells of what it could step over.
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
			fault(&Fault{File: name, Offset: -1, Index: -1, Kind: fs.ErrNotExist, Detail: "named by " +
				metadataName})
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

// Topics reads the whole recording and returns its topics by name, with their numbers of messages.
func (r *Reader) Topics(ctx context.Context) (map[Topic]int, error) {
	counts := map[Topic]int{}
	for m, err := range r.Messages(ctx) {
		if err != nil {
			return counts, err
		}
		counts[*m.Topic]++
	}
	return counts, nil
}
