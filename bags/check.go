package bags

import (
	"context"
	"fmt"
	"hash/crc32"
	"maps"
	"path/filepath"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"

	"stripswm/msgs"
)

// Check verifies a recording: every record and CRC, the indexes and statistics, metadata.yaml,
// every image and every transition with its references. Messages that are not in CDR are no fault;
// the Report notes their topics. Faults are in the Report; the error is only of a path that is no
// recording or cannot be read, or of a context that ended. progress is told bytes; it may be nil.
func Check(ctx context.Context, path string, decode Decoder,
	progress func(done, total int64),
) (*Report, error) {
	return check(ctx, path, decode, progress, func(*Message) error { return nil })
}

// A Decoder decodes an image message, a *msgs.Image or *msgs.CompressedImage, and names its size
// and format: "64x64 rgb8". This package does not know pixels; cvbridge.Describe is the decoder for
// real images. Where it is nil, an image is whole if its message is.
type Decoder func(m msgs.Message) (format string, err error)

// check passes to keep each message that is whole and refers to whole ones only.
func check(ctx context.Context, path string, decode Decoder, progress func(done, total int64),
	keep func(*Message) error,
) (*Report, error) {
	report := &Report{Path: path, Faults: []*Fault{}, Actions: map[uint32]int{},
		topicsByName: map[string]*TopicReport{}}
	r, found, err := open(path, report.add)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for _, f := range r.files {
		report.Bytes += f.bytes()
		if folder, ok := f.(*folderFile); ok && len(folder.table.ignored) > 0 {
			report.note("%s: the columns %q are ignored", TableName, folder.table.ignored)
		}
	}
	c := newChecker(ctx, report, r, decode, keep)
	var done int64
	v := c.visitor()
	v.progress = func(n int64) {
		done += n
		if progress != nil {
			progress(done, report.Bytes)
		}
	}
	for _, f := range r.files {
		c.earlier = maps.Clone(c.sequences)
		if f.scan(v); c.err != nil {
			return report, c.err
		}
	}
	if found != nil {
		c.compare(found)
	}
	report.Lost, report.killed = c.lostCount(), c.killed()
	report.finish()
	return report, nil
}

// A checker checks messages one by one, and remembers the latest images.
type checker struct {
	ctx       context.Context
	report    *Report
	reader    *Reader
	decode    Decoder
	keep      func(*Message) error
	images    *lru.LRU[stampKey, imageState]
	latest    *msgs.Transition  // which the next one may amend
	sequences map[string]uint32 // transition messages there must have been, by topic
	earlier   map[string]uint32 // sequences before the present file
	byFile    map[string]uint64 // messages by data file
	whole     int               // transition messages kept
	err       error             // that ended the check
}

// An imageState is what a reference to an image needs to know of it.
type imageState struct {
	sum       uint32 // CRC of the payload
	whole     bool
	ambiguous bool // another image has the same stamp
}

func newChecker(ctx context.Context, report *Report, r *Reader, decode Decoder,
	keep func(*Message) error,
) *checker {
	return &checker{ctx: ctx, report: report, reader: r, decode: decode, keep: keep,
		images:    newRecent[imageState](),
		sequences: map[string]uint32{}, byFile: map[string]uint64{}}
}

func (c *checker) visitor() *visitor {
	return &visitor{strict: true, message: c.message, fault: c.fault, lost: c.lost, counted: c.counted}
}

func (c *checker) fault(f *Fault) bool {
	c.report.add(f)
	return true
}

func (c *checker) lost(t *Topic, sequence uint32) {
	if t.IsTransition() {
		c.sequences[t.Name] = max(c.sequences[t.Name], sequence+1)
	}
}

func (c *checker) counted(t *Topic, n uint64) {
	if t.IsTransition() {
		c.sequences[t.Name] = max(c.sequences[t.Name], c.earlier[t.Name]+uint32(n))
	}
}

// lostCount is how many transition messages there must have been, by their sequence numbers, less
// those that are whole. Other recorders may number otherwise than the Writer, so the numbers count
// only when something is wrong.
func (c *checker) lostCount() int {
	if c.report.FaultCount == 0 {
		return 0
	}
	total := 0
	for _, n := range c.sequences {
		total += int(n)
	}
	return max(0, total-c.whole)
}

func (c *checker) message(m Message) bool {
	if c.err = c.ctx.Err(); c.err != nil {
		return false
	}
	t := c.report.topic(m.Topic)
	index := t.Messages
	t.Messages++
	if f := c.check(&m, t); f != nil {
		f.File, f.Offset, f.Topic, f.Index = c.reader.names[m.at.file], m.at.record, t.Name, index
		c.report.add(f)
		return true
	}
	c.byFile[plainName(c.reader.names[m.at.file])]++
	c.report.received(m.Received)
	c.report.Messages++
	if c.err = c.keep(&m); c.err != nil {
		return false
	}
	return true
}

// wrong is a fault whose place is filled in by message.
func wrong(kind error, format string, args ...any) *Fault {
	return &Fault{Kind: kind, Detail: fmt.Sprintf(format, args...)}
}

// check returns what is wrong with a message, or nil.
func (c *checker) check(m *Message, t *TopicReport) *Fault {
	if m.Received < 0 || m.Published < 0 {
		return wrong(ErrDamaged, "receive time %d, publish time %d", m.Received, m.Published)
	}
	switch {
	case !m.Topic.IsCDR():
		return nil
	case m.Topic.IsImage():
		return c.image(m, t)
	case m.Topic.IsTransition():
		c.lost(m.Topic, m.Sequence)
		return c.transition(m)
	}
	known, ok := msgs.New(m.Topic.Type)
	if !ok {
		return nil
	}
	if err := m.Decode(known); err != nil {
		return wrong(ErrDamaged, "%s", err)
	}
	return nil
}

func (c *checker) image(m *Message, t *TopicReport) *Fault {
	stamp, err := msgs.Stamp(m.Data)
	if err != nil {
		return wrong(ErrImage, "%s", err)
	}
	key := stampKey{m.Topic.Name, stamp}
	state := imageState{sum: crc32.ChecksumIEEE(m.Data)}
	if before, ok := c.images.Get(key); ok {
		state.ambiguous = before.ambiguous || before.sum != state.sum
	}
	format, err := c.format(m)
	state.whole = err == nil
	c.images.Add(key, state)
	if err != nil {
		return wrong(ErrImage, "%s", err)
	}
	if format != "" {
		if t.Formats == nil {
			t.Formats = map[string]int{}
		}
		t.Formats[format]++
	}
	c.report.Images++
	return nil
}

// format decodes an image.
func (c *checker) format(m *Message) (string, error) {
	im, _ := msgs.New(m.Topic.Type)
	if err := m.Decode(im); err != nil || c.decode == nil {
		return "", err
	}
	return c.decode(im)
}

func (c *checker) transition(m *Message) *Fault {
	var t msgs.Transition
	if err := m.Decode(&t); err != nil {
		return wrong(ErrTransition, "%s", err)
	}
	if detail := invalid(&t); detail != "" {
		return wrong(ErrTransition, "%s", detail)
	}
	for _, stamp := range []msgs.Time{t.Before, t.After} {
		state, ok := c.images.Get(stampKey{t.ImageTopic, stamp})
		switch {
		case !ok:
			return wrong(ErrReference, "no image on %s stamped %s among the %d before it", t.ImageTopic,
				stamp, c.images.Len())
		case !state.whole:
			return wrong(ErrReference, "the image on %s stamped %s cannot be decoded", t.ImageTopic, stamp)
		case state.ambiguous:
			return wrong(ErrReference, "several images on %s are stamped %s", t.ImageTopic, stamp)
		}
	}
	c.whole++
	c.count(&t)
	return nil
}

func (c *checker) count(t *msgs.Transition) {
	r := c.report
	if l := c.latest; l != nil && t.Amends(l) {
		r.Amended++
		*r.At(l.Outcome)--
	} else {
		r.Transitions++
		r.Actions[t.Action]++
	}
	*r.At(t.Outcome)++
	c.latest = t
}

// compare checks metadata.yaml against the data; after other faults they cannot agree.
func (c *checker) compare(m *metadata) {
	if c.report.FaultCount > 0 {
		return
	}
	complain := func(format string, args ...any) { c.report.add(metadataFault(format, args...)) }
	if m.Messages != uint64(c.report.Messages) {
		complain("%d messages where the data has %d", m.Messages, c.report.Messages)
	}
	for _, f := range m.Files {
		if got := c.byFile[plainName(filepath.Base(f.Path))]; f.Messages != got {
			complain("%d messages in %s where the data has %d", f.Messages, f.Path, got)
		}
	}
	for _, t := range m.Topics {
		got := 0
		if known := c.report.topicsByName[t.Topic.Name]; known != nil {
			got = known.Messages
		}
		if t.Messages != uint64(got) {
			complain("%d messages on %s where the data has %d", t.Messages, t.Topic.Name, got)
		}
	}
}
