package bags

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/foxglove/mcap/go/mcap"

	"stripswm/internal/files"
)

type readerAtCloser interface {
	io.ReaderAt
	io.Closer
}

// An mcapFile is an MCAP data file.
type mcapFile struct {
	index  int
	name   string
	file   readerAtCloser
	size   int64
	topics topicSet
	chunks *chunkCache
}

func openMCAP(path, name string, index int, topics topicSet,
	chunks *chunkCache,
) (*mcapFile, error) {
	file, err := files.Open(path, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	return &mcapFile{index: index, name: name, file: file, size: file.Size(),
		topics: topics, chunks: chunks}, nil
}

func (f *mcapFile) close() error { return f.file.Close() }
func (f *mcapFile) bytes() int64 { return f.size }

// mcapScan is the state of one pass through the file.
type mcapScan struct {
	*mcapFile
	v        *visitor
	s        *scanner
	schemas  map[uint16]*mcap.Schema
	channels map[uint16]*Topic
	audit    audit // used when v.strict
	chunked  bool  // there was a chunk
	whole    int64 // where the record of the last message ends: from there on resync searches
	stopped  bool
}

func (f *mcapFile) scan(v *visitor) {
	w := &mcapScan{mcapFile: f, v: v, s: newScanner(f.name, f.file, f.size),
		schemas: map[uint16]*mcap.Schema{}, channels: map[uint16]*Topic{}}
	w.audit.scan = w
	if err := w.run(); err != nil {
		w.fault(0, err)
	}
}

// fault reports a problem; it returns false if the walk must end.
func (w *mcapScan) fault(at int64, err error) bool {
	f, ok := errors.AsType[*Fault](err)
	if !ok {
		f = faultAt(w.name, at, ErrDamaged, "%s", err)
	}
	w.audit.faults++
	if !w.v.fault(f) {
		w.stopped = true
	}
	return !w.stopped
}

// run reads the data section. The error it returns ends the walk; what can be stepped over it
// reports itself.
func (w *mcapScan) run() error {
	if err := w.s.magic(); err != nil {
		return err
	}
	for !w.stopped {
		crc, at := w.s.crc, w.s.off
		rec, err := w.s.next()
		if err == io.EOF {
			return faultAt(w.name, at, ErrTruncated, "no end record: the recorder did not end in order")
		}
		if err != nil {
			w.salvage(rec)
			if !w.fault(at, err) || !w.resync() {
				return nil
			}
			continue
		}
		if rec.op == mcap.OpDataEnd {
			if !w.v.strict {
				return nil
			}
			return w.audit.end(rec, crc)
		}
		if err := w.dataRecord(rec); err != nil {
			if !w.fault(at, err) || !w.follows() && !w.resync() {
				return nil
			}
		}
		if w.v.progress != nil {
			w.v.progress(w.s.off - at)
		}
	}
	return nil
}

func (w *mcapScan) dataRecord(rec record) error {
	switch rec.op {
	case mcap.OpChunk:
		return w.chunkRecord(rec)
	case mcap.OpSchema, mcap.OpChannel, mcap.OpMessage:
		return w.contentRecord(rec, location{file: w.index, record: rec.at})
	case mcap.OpMessageIndex:
		if w.v.strict {
			return w.audit.messageIndex(rec.data)
		}
	case mcap.OpHeader:
		_, err := mcap.ParseHeader(rec.data)
		return err
	case mcap.OpMetadata:
		_, err := mcap.ParseMetadata(rec.data)
		return err
	case mcap.OpAttachment:
	default:
		return misplaced(rec.op, "the data section")
	}
	return nil
}

// misplaced is about a record that has no meaning where it stands. Types that MCAP does not have
// are an application's own, or a later version's: readers have to pass over them. 0 is no type.
func misplaced(op mcap.OpCode, where string) error {
	if op > mcap.OpDataEnd {
		return nil
	}
	return fmt.Errorf("a %s record (0x%02x) in %s", op, byte(op), where)
}

func (w *mcapScan) chunkRecord(rec record) error {
	w.chunked = true
	c, whole, err := parseChunk(rec.data)
	if err == nil && !whole {
		err = errors.New("a chunk longer than its record")
	}
	if err != nil {
		return err
	}
	contents, err := c.contents()
	if err != nil {
		w.salvageContents(c)
		return err
	}
	w.chunks.put(chunkKey{w.index, rec.at}, contents)
	if w.v.strict {
		if err := w.audit.beginChunk(c, rec); err != nil && !w.fault(rec.at, err) {
			return nil
		}
	}
	var problem error
	err = inner(contents, func(r record) bool {
		problem = w.contentRecord(r, location{file: w.index, record: rec.at,
			off: int(r.at) + recordHeader})
		return (problem == nil || w.fault(rec.at, problem)) && !w.stopped
	})
	if err == nil && w.v.strict && !w.stopped {
		err = w.audit.endChunk()
	}
	return err
}

// messageFields is the length of a message record before the payload.
const messageFields = 2 + 4 + 8 + 8

// contentRecord handles what may stand in a chunk or by itself.
func (w *mcapScan) contentRecord(rec record, at location) error {
	switch rec.op {
	case mcap.OpSchema:
		s, err := mcap.ParseSchema(rec.data)
		if err != nil {
			return fmt.Errorf("schema: %w", err)
		}
		w.schemas[s.ID] = s
		return nil
	case mcap.OpChannel:
		return w.channel(rec.data)
	case mcap.OpMessage:
	default:
		return misplaced(rec.op, "a chunk")
	}
	var m mcap.Message
	if err := m.PopulateFrom(rec.data, false); err != nil {
		return fmt.Errorf("message: %w", err)
	}
	t := w.channels[m.ChannelID]
	if t == nil {
		return fmt.Errorf("a message on channel %d, which was not declared", m.ChannelID)
	}
	at.off, at.n = at.off+messageFields, len(m.Data)
	if w.v.strict {
		w.audit.message(&m, rec.at)
	}
	w.whole = w.s.off
	if !w.v.message(Message{Topic: t, Received: int64(m.LogTime), Published: int64(m.PublishTime),
		Sequence: m.Sequence, Data: m.Data, at: at}) {
		w.stopped = true
	}
	return nil
}

func (w *mcapScan) channel(data []byte) error {
	c, err := mcap.ParseChannel(data)
	if err != nil {
		return fmt.Errorf("channel: %w", err)
	}
	t := Topic{Name: c.Topic, QoS: c.Metadata["offered_qos_profiles"]}
	s := w.schemas[c.SchemaID]
	if s != nil {
		t.Type, t.Schema = s.Name, string(s.Data)
		if s.Encoding != ros2msg {
			t.SchemaEncoding = s.Encoding
		}
	}
	if c.MessageEncoding != cdr {
		t.Encoding = cmp.Or(c.MessageEncoding, "unknown")
	}
	topic, err := w.topics.add(t)
	if err != nil {
		return err
	}
	if known := w.channels[c.ID]; known != nil && known != topic {
		return fmt.Errorf("channel %d is %s here and %s before", c.ID, topic.Name, known.Name)
	}
	w.channels[c.ID] = topic
	return nil
}

// salvage makes out which messages a record cut off would have held.
func (w *mcapScan) salvage(rec record) {
	if rec.op != mcap.OpChunk || w.v.lost == nil {
		return
	}
	if c, _, err := parseChunk(rec.data); err == nil {
		w.salvageContents(c)
	}
}

func (w *mcapScan) salvageContents(c chunk) {
	if w.v.lost == nil || c.compression != mcap.CompressionNone {
		return
	}
	for p := c.stored; len(p) >= recordHeader+channelAndSequence; {
		op, length := mcap.OpCode(p[0]), binary.LittleEndian.Uint64(p[1:])
		p = p[recordHeader:]
		if t := w.channels[binary.LittleEndian.Uint16(p)]; op == mcap.OpMessage && t != nil {
			w.v.lost(t, binary.LittleEndian.Uint32(p[2:]))
		}
		if length > uint64(len(p)) {
			return
		}
		p = p[length:]
	}
}

// channelAndSequence is the length of a message record's first two fields.
const channelAndSequence = 2 + 4

func (f *mcapFile) load(at location) ([]byte, error) {
	contents, ok := f.chunks.get(chunkKey{f.index, at.record})
	if !ok {
		s := newScanner(f.name, f.file, f.size)
		if err := s.seek(f.file, at.record); err != nil {
			return nil, err
		}
		rec, err := s.next()
		if err != nil {
			return nil, err
		}
		contents = rec.data
		if rec.op == mcap.OpChunk {
			c, _, err := parseChunk(rec.data)
			if err == nil {
				contents, err = c.contents()
			}
			if err != nil {
				return nil, faultAt(f.name, at.record, ErrDamaged, "%s", err)
			}
			f.chunks.put(chunkKey{f.index, at.record}, contents)
		}
	}
	end := at.off + at.n
	if end > len(contents) {
		return nil, faultAt(f.name, at.record, ErrDamaged, "the file changed while it was read")
	}
	return contents[at.off:end:end], nil
}
