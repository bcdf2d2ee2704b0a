package bags

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"stripswm/internal/files"
	"stripswm/msgs"
)

// FolderTopic is where the images of a folder are found.
const FolderTopic = "/images"

// maxImage bounds what is read of an image.
const maxImage = 64 << 20

// A folderFile is a folder of images with its transitions.csv, seen as the messages that a recorder
// would have written. Stamps are made up: images come a second apart. It is only ever read.
type folderFile struct {
	dir    *os.Root // no link in it leads out of it
	name   string
	index  int
	size   int64 // of the table
	table  *table
	stamps [][2]int // of each row's images, seconds
	topics struct{ images, transitions, resets, names *Topic }
}

// folderBegin is the stamp of the first image, so that the same folder gives the same messages.
var folderBegin = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func openFolder(path, name string, index int, topics topicSet) (*folderFile, error) {
	file, err := files.Open(path, maxTable)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	f := &folderFile{name: name, index: index, size: file.Size()}
	if f.table, err = parseTable(file); err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	if f.dir, err = os.OpenRoot(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if err := f.findImages(); err != nil {
		return nil, fmt.Errorf("%s:%w", path, errors.Join(err, f.dir.Close()))
	}
	f.number()
	for _, t := range []struct {
		at         **Topic
		name, kind string
	}{
		{&f.topics.images, FolderTopic, compressedType},
		{&f.topics.transitions, DefaultTransitionTopic, transitionType},
		{&f.topics.resets, ResetTopic, (*msgs.String)(nil).ROSType()},
		{&f.topics.names, NamesTopic, (*msgs.String)(nil).ROSType()},
	} {
		topic, err := NewTopic(t.name, t.kind)
		if err != nil {
			return nil, err
		}
		if *t.at, err = topics.add(topic); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// findImages looks whether all images are there, before hours of work.
func (f *folderFile) findImages() error {
	seen := map[string]bool{}
	for _, r := range f.table.rows {
		for _, path := range []string{r.before, r.after} {
			if seen[path] {
				continue
			}
			seen[path] = true
			info, err := f.dir.Stat(path)
			switch {
			case err != nil:
				// no data file of a bag is missing, which fs.ErrNotExist would say
				return fmt.Errorf("%d: %w: %v", r.line, ErrReference, err)
			case !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > maxImage:
				return fmt.Errorf("%d: %w: %s is no file of 1 to %d bytes", r.line, ErrReference, path,
					maxImage)
			}
		}
	}
	return nil
}

// number stamps the images. One that an attempt left and the next one found is one image; any other
// mention of a file is an image of its own, since none may be older than the one before it.
func (f *folderFile) number() {
	next := 0
	stamp := func() int { next++; return next - 1 }
	for i, r := range f.table.rows {
		var s [2]int
		if i > 0 && !r.reset && f.table.rows[i-1].after == r.before && r.after != r.before {
			s[0] = f.stamps[i-1][1]
		} else {
			s[0] = stamp()
		}
		if s[1] = s[0]; r.after != r.before {
			s[1] = stamp()
		}
		f.stamps = append(f.stamps, s)
	}
}

func (f *folderFile) close() error { return f.dir.Close() }
func (f *folderFile) bytes() int64 { return f.size }

func (f *folderFile) scan(v *visitor) {
	w := folderScan{folderFile: f, v: v}
	if len(f.table.names) > 0 &&
		!w.send(f.topics.names, 0, location{}, &msgs.String{Data: strings.Join(f.table.names, "\n")}) {
		return
	}
	done := int64(0)
	for i := range f.table.rows {
		if !w.row(i) {
			return
		}
		if v.progress != nil {
			now := f.size * int64(i+1) / int64(len(f.table.rows))
			v.progress(now - done)
			done = now
		}
	}
}

type folderScan struct {
	*folderFile
	v   *visitor
	now int // row
}

// row tells of an attempt: a reset, images that were not told of, the transition.
func (w *folderScan) row(i int) bool {
	w.now = i
	r, s := w.table.rows[i], w.stamps[i]
	at := location{file: w.index, record: int64(r.line)}
	if r.reset && !w.send(w.topics.resets, s[0], at, &msgs.String{Data: "reset"}) {
		return false
	}
	for k := range s {
		if k == 0 && i > 0 && s[0] == w.stamps[i-1][1] || k == 1 && s[1] == s[0] {
			continue
		}
		at.off = k
		m, err := w.image(i, k)
		if err != nil {
			if !w.v.fault(&Fault{File: w.name, Offset: int64(r.line), Index: -1, Kind: ErrImage,
				Detail: err.Error()}) {
				return false
			}
			continue
		}
		if !w.send(w.topics.images, s[k], at, m) {
			return false
		}
	}
	return w.send(w.topics.transitions, s[1], at, &msgs.Transition{
		Header: msgs.Header{Stamp: folderStamp(s[1])}, ImageTopic: FolderTopic,
		Before: folderStamp(s[0]), Action: r.action, After: folderStamp(s[1]), Outcome: uint8(r.outcome),
		Note: r.name,
	})
}

func (w *folderScan) send(t *Topic, second int, at location, m msgs.Message) bool {
	data, err := msgs.Marshal(m)
	if err != nil {
		return w.v.fault(faultAt(w.name, at.record, ErrDamaged, "%s", err))
	}
	at.n = len(data)
	stamp := folderBegin.Add(time.Duration(second) * time.Second).UnixNano()
	return w.v.message(Message{Topic: t, Received: stamp, Published: stamp, Sequence: uint32(w.now),
		Data: data, at: at})
}

func folderStamp(second int) msgs.Time {
	return msgs.TimeFrom(folderBegin.Add(time.Duration(second) * time.Second))
}

// image reads the image before (0) or after (1) an attempt.
func (f *folderFile) image(row, which int) (*msgs.CompressedImage, error) {
	path := f.path(row, which)
	file, err := files.OpenIn(f.dir, path, maxImage)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	m := &msgs.CompressedImage{Header: msgs.Header{Stamp: folderStamp(f.stamps[row][which])},
		Data: data}
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		m.Format = "png"
	case bytes.HasPrefix(data, []byte{0xff, 0xd8}):
		m.Format = "jpeg"
	default:
		return nil, fmt.Errorf("%s is neither PNG nor JPEG", path)
	}
	return m, nil
}

func (f *folderFile) path(row, which int) string {
	if which == 0 {
		return f.table.rows[row].before
	}
	return f.table.rows[row].after
}

func (f *folderFile) load(at location) ([]byte, error) {
	m, err := f.image(f.row(at), at.off)
	if err != nil {
		return nil, err
	}
	return msgs.Marshal(m)
}

// row is the one on the line of a location.
func (f *folderFile) row(at location) int {
	return sort.Search(len(f.table.rows), func(i int) bool {
		return int64(f.table.rows[i].line) >= at.record
	})
}
