package bags

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"stripswm/internal/files"
)

// recordHeader is the length of opcode and content length.
const recordHeader = 9

// A record is one MCAP record and where it begins.
type record struct {
	op   mcap.OpCode
	at   int64
	data []byte
}

// A scanner reads the records of a file one after the other. The library's own lexer trusts the
// lengths in a file, asks for all memory where they are damaged, and panics on some.
type scanner struct {
	name string
	r    *bufio.Reader
	off  int64
	size int64
	crc  uint32 // of all bytes before off, since it was last set to 0
}

func newScanner(name string, r io.ReaderAt, size int64) *scanner {
	return &scanner{name: name, r: bufio.NewReaderSize(io.NewSectionReader(r, 0, size),
		int(min(size, readBlock))), size: size}
}

func (s *scanner) read(n int64) ([]byte, error) {
	p := make([]byte, n)
	got, err := io.ReadFull(s.r, p)
	s.off += int64(got)
	s.crc = updateCRC(s.crc, p[:got])
	return p, err
}

// seek continues at another offset.
func (s *scanner) seek(r io.ReaderAt, off int64) error {
	if off < 0 || off > s.size {
		return faultAt(s.name, off, ErrDamaged, "the file changed while it was read")
	}
	s.r.Reset(io.NewSectionReader(r, off, s.size-off))
	s.off = off
	return nil
}

func updateCRC(crc uint32, p []byte) uint32 { return crc32.Update(crc, crc32.IEEETable, p) }

// magic reads the eight bytes with which a file begins and ends.
func (s *scanner) magic() error {
	at := s.off
	if s.size-at < int64(len(mcap.Magic)) {
		return faultAt(s.name, at, ErrTruncated, "%d bytes where MCAP's magic must be", s.size-at)
	}
	p, err := s.read(int64(len(mcap.Magic)))
	if err != nil {
		return err
	}
	if !bytes.Equal(p, mcap.Magic) {
		return faultAt(s.name, at, ErrDamaged, "%q is not MCAP's magic", p)
	}
	return nil
}

// next returns io.EOF at the end of the file. If the next record is cut off or has an impossible
// length, it returns a Fault, and what there is of the record.
func (s *scanner) next() (record, error) {
	at := s.off
	if at == s.size {
		return record{at: at}, io.EOF
	}
	if s.size-at < recordHeader {
		return record{at: at}, faultAt(s.name, at, ErrTruncated, "%d bytes of a record", s.size-at)
	}
	head, err := s.read(recordHeader)
	if err != nil {
		return record{at: at}, err
	}
	rec := record{op: mcap.OpCode(head[0]), at: at}
	length, rest := binary.LittleEndian.Uint64(head[1:]), s.size-s.off
	if length > uint64(rest) {
		fault := faultAt(s.name, at, ErrTruncated, "a %s record of %d bytes, %d of them there", rec.op,
			length, rest)
		rec.data, err = s.read(min(rest, maxRecord))
		return rec, errors.Join(fault, err)
	}
	if length > maxRecord {
		return rec, faultAt(s.name, at, ErrDamaged, "a %s record of %d bytes; at most %d are read",
			rec.op, length, maxRecord)
	}
	rec.data, err = s.read(int64(length))
	return rec, err
}

// A chunk is a chunk record, taken apart.
type chunk struct {
	start, end  uint64
	size        uint64 // of the contents
	crc         uint32 // of the contents; 0 if not known
	compression mcap.CompressionFormat
	stored      []byte // perhaps compressed
}

const chunkFields = 8 + 8 + 8 + 4 + 4

// parseChunk reads as much of a chunk record as is there; whole tells whether that is all.
func parseChunk(p []byte) (c chunk, whole bool, err error) {
	if len(p) < chunkFields {
		return c, false, fmt.Errorf("a chunk of %d bytes has no room for its fields", len(p))
	}
	le := binary.LittleEndian
	c.start, c.end, c.size = le.Uint64(p), le.Uint64(p[8:]), le.Uint64(p[16:])
	c.crc = le.Uint32(p[24:])
	n := uint64(le.Uint32(p[28:]))
	p = p[chunkFields:]
	if uint64(len(p)) < n+8 {
		return c, false, fmt.Errorf("compression name of %d bytes in %d", n, len(p))
	}
	c.compression = mcap.CompressionFormat(p[:n])
	length := le.Uint64(p[n:])
	p = p[n+8:]
	if length > uint64(len(p)) {
		c.stored = p
		return c, false, nil
	}
	c.stored = p[:length]
	return c, true, nil
}

// chunk takes a chunk record apart, with its contents.
func (r record) chunk() (c chunk, contents []byte, err error) {
	c, whole, err := parseChunk(r.data)
	if err == nil && !whole {
		return chunk{}, nil, errors.New("a chunk longer than its record")
	}
	if err == nil {
		contents, err = c.contents()
	}
	return c, contents, err
}

// contents decompresses and checks the chunk.
func (c *chunk) contents() ([]byte, error) {
	if c.size > maxRecord {
		return nil, fmt.Errorf("a chunk of %d bytes; at most %d are read", c.size, maxRecord)
	}
	var p []byte
	var err error
	switch c.compression {
	case mcap.CompressionNone:
		p = c.stored
	case mcap.CompressionZSTD:
		p, err = c.unzstd()
	case mcap.CompressionLZ4:
		p, err = readBounded(lz4.NewReader(bytes.NewReader(c.stored)), c.size)
	default:
		return nil, fmt.Errorf("compression %q is not known", c.compression)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.compression, err)
	}
	if uint64(len(p)) != c.size {
		return nil, fmt.Errorf("a chunk of %d bytes where %d were written", len(p), c.size)
	}
	if sum := crc32.ChecksumIEEE(p); c.crc != 0 && sum != c.crc {
		return nil, fmt.Errorf("a chunk with CRC %08x where %08x was written", sum, c.crc)
	}
	return p, nil
}

func (c *chunk) unzstd() ([]byte, error) {
	d, err := zstd.NewReader(bytes.NewReader(c.stored), zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(maxRecord), zstd.WithDecoderMaxWindow(maxRecord))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return readBounded(d, c.size)
}

// readBounded reads at most one byte more than size. The buffer grows with the data, as size may be
// damaged.
func readBounded(r io.Reader, size uint64) ([]byte, error) {
	buf := bytes.NewBuffer(make([]byte, 0, min(size+bytes.MinRead, firstBuffer)))
	_, err := buf.ReadFrom(io.LimitReader(r, int64(size)+1))
	return buf.Bytes(), err
}

// inner yields the records in a chunk's contents; offsets count from the begin of the contents.
func inner(p []byte, yield func(record) bool) error {
	for off := 0; off < len(p); {
		if len(p)-off < recordHeader {
			return fmt.Errorf("%d bytes of a record at %d in the chunk", len(p)-off, off)
		}
		op, length := mcap.OpCode(p[off]), binary.LittleEndian.Uint64(p[off+1:])
		body := off + recordHeader
		if length > uint64(len(p)-body) {
			return fmt.Errorf("a %s record of %d bytes at %d in the chunk, which has %d more", op, length,
				off, len(p)-body)
		}
		end := body + int(length)
		if !yield(record{op, int64(off), p[body:end:end]}) {
			return nil
		}
		off = end
	}
	return nil
}

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
	whole    int64 // where the record of the last message ends; resync searches from there on
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

// fault reports a problem; it returns false if the scan has to end.
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

// run reads the data section, and reports what it can step over. An error that it returns ends the
// scan.
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

// misplaced is the error of a record that must not stand there; 0 is no type. Types that MCAP does
// not have are an application's own or a later version's, and readers have to pass over them.
func misplaced(op mcap.OpCode, where string) error {
	if op > mcap.OpDataEnd {
		return nil
	}
	return fmt.Errorf("a %s record (0x%02x) in %s", op, byte(op), where)
}

func (w *mcapScan) chunkRecord(rec record) error {
	w.chunked = true
	c, contents, err := rec.chunk()
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

const (
	// channelAndSequence is the length of a message record's first two fields.
	channelAndSequence = 2 + 4
	// messageFields is the length of a message record before the payload.
	messageFields = channelAndSequence + 8 + 8
)

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

// salvage tells which messages the chunk that is cut off would have had.
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
			if _, contents, err = rec.chunk(); err != nil {
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

// dataEndFields is the length of a data end record: one CRC.
const dataEndFields = 4

// headSize is how much of a record tells whether it can be one: of a chunk, all up to its contents,
// with a name of its compression of eight bytes.
const headSize = recordHeader + chunkFields + 8 + 8

// resync continues at the next whole chunk, or at the end of the data section; it returns false if
// there is neither. Where bytes are missing or were put in, the damaged record and those after it
// are not where lengths say, so it searches all bytes after the last message that was read.
func (w *mcapScan) resync() bool {
	at, found := w.search(w.whole)
	w.whole = at + 1 // where the next search begins, if that one is refused
	return found && w.s.seek(w.file, at) == nil
}

func (w *mcapScan) search(from int64) (at int64, found bool) {
	budget := checkedPerByte * w.size
	block := make([]byte, min(searchBlock+headSize, max(w.size-from, 0)))
	for ; from < w.size; from += searchBlock {
		n, _ := w.file.ReadAt(block[:min(int64(len(block)), w.size-from)], from)
		for i, b := range block[:min(n, searchBlock)] {
			op, at := mcap.OpCode(b), from+int64(i)
			if op != mcap.OpChunk && op != mcap.OpDataEnd || !w.stands(block[i:n], at) {
				continue
			}
			if op == mcap.OpDataEnd {
				if w.summaryFollows(at) {
					return at, true
				}
				continue
			}
			cost, whole := w.wholeChunk(at)
			if whole {
				return at, true
			}
			if budget -= cost; budget < 0 {
				return 0, false
			}
		}
	}
	return 0, false
}

// follows says whether a record can be at the scanner's offset, or the file ends there.
func (w *mcapScan) follows() bool {
	var head [headSize]byte
	n, _ := w.file.ReadAt(head[:], w.s.off)
	return w.s.off == w.size || w.stands(head[:n], w.s.off)
}

// stands says whether a record of the data section may begin at an offset, by its first bytes.
func (w *mcapScan) stands(head []byte, at int64) bool {
	if len(head) < recordHeader {
		return false
	}
	le := binary.LittleEndian
	length, fields := le.Uint64(head[1:]), head[recordHeader:]
	if length > uint64(w.size-at-recordHeader) || length > maxRecord {
		return false
	}
	switch mcap.OpCode(head[0]) {
	case mcap.OpChunk:
		return chunkLength(fields) == length
	case mcap.OpMessageIndex:
		return len(fields) >= 6 && length == 6+uint64(le.Uint32(fields[2:]))
	case mcap.OpDataEnd:
		return length == dataEndFields
	case mcap.OpMessage:
		return !w.chunked // between chunks it would be a part of a damaged one
	case mcap.OpSchema, mcap.OpChannel, mcap.OpAttachment, mcap.OpMetadata:
		return true
	}
	return false
}

// chunkLength is the length of a chunk record by its first fields; 0 if they are not a chunk's.
func chunkLength(p []byte) uint64 {
	if len(p) < chunkFields {
		return 0
	}
	le := binary.LittleEndian
	name := uint64(le.Uint32(p[chunkFields-4:]))
	p = p[chunkFields:]
	if uint64(len(p)) < name+8 || name > 8 {
		return 0
	}
	stored := le.Uint64(p[name:])
	if stored > maxRecord {
		return 0
	}
	return chunkFields + name + 8 + stored
}

// summaryFollows says whether what follows a data end is a summary, or the footer.
func (w *mcapScan) summaryFollows(at int64) bool {
	var p [1]byte
	if _, err := w.file.ReadAt(p[:], at+recordHeader+dataEndFields); err != nil {
		return false
	}
	switch mcap.OpCode(p[0]) {
	case mcap.OpFooter, mcap.OpSchema, mcap.OpChannel, mcap.OpStatistics, mcap.OpChunkIndex,
		mcap.OpAttachmentIndex, mcap.OpMetadataIndex, mcap.OpSummaryOffset:
		return true
	}
	return false
}

// wholeChunk reads and checks a chunk; cost is how many bytes that took.
func (w *mcapScan) wholeChunk(at int64) (cost int64, whole bool) {
	s := newScanner(w.name, w.file, w.size)
	if s.seek(w.file, at) != nil {
		return 0, false
	}
	rec, err := s.next()
	if err != nil {
		return 0, false
	}
	_, contents, err := rec.chunk()
	if err == nil {
		err = inner(contents, func(record) bool { return true })
	}
	return int64(len(rec.data) + len(contents)), err == nil && len(contents) > 0
}

// An audit checks what an MCAP file says of itself: message indexes, CRCs of sections, chunk
// indexes, statistics.
type audit struct {
	scan     *mcapScan
	faults   int
	messages uint64
	chunks   uint32
	counts   map[string]uint64 // messages by topic

	chunk       chunk
	lo, hi      uint64              // receive times in the chunk
	unindexed   map[uint64]indexKey // messages of the chunk that no index has named yet, by offset
	chunkHasAny bool                // the chunk has at least one index
	chunkAt     int64
	chunkIndex  int // chunk index records in the summary
}

type indexKey struct {
	channel uint16
	time    uint64
}

func (a *audit) beginChunk(c chunk, rec record) error {
	err := a.indexed()
	a.chunks++
	a.chunk, a.chunkAt = c, rec.at
	a.lo, a.hi = ^uint64(0), 0
	a.unindexed, a.chunkHasAny = map[uint64]indexKey{}, false
	return err
}

func (a *audit) message(m *mcap.Message, offset int64) {
	a.messages++
	if a.counts == nil {
		a.counts = map[string]uint64{}
	}
	a.counts[a.scan.channels[m.ChannelID].Name]++
	if a.unindexed != nil {
		a.unindexed[uint64(offset)] = indexKey{m.ChannelID, m.LogTime}
		a.lo, a.hi = min(a.lo, m.LogTime), max(a.hi, m.LogTime)
	}
}

func (a *audit) endChunk() error {
	if len(a.unindexed) > 0 && (a.chunk.start != a.lo || a.chunk.end != a.hi) {
		return fmt.Errorf("a chunk said to span times %d to %d spans %d to %d", a.chunk.start,
			a.chunk.end, a.lo, a.hi)
	}
	return nil
}

// messageIndex strikes off the messages that the index names.
func (a *audit) messageIndex(data []byte) error {
	idx, err := mcap.ParseMessageIndex(data)
	if err != nil {
		return fmt.Errorf("message index: %w", err)
	}
	a.chunkHasAny = true
	for _, e := range idx.Records {
		if key, ok := a.unindexed[e.Offset]; !ok || key != (indexKey{idx.ChannelID, e.Timestamp}) {
			return fmt.Errorf("an index entry for a message on channel %d at %d in the chunk, where none is",
				idx.ChannelID, e.Offset)
		}
		delete(a.unindexed, e.Offset)
	}
	return nil
}

// indexed is called when the indexes of a chunk have been read.
func (a *audit) indexed() error {
	if !a.chunkHasAny || len(a.unindexed) == 0 {
		return nil
	}
	return faultAt(a.scan.name, a.chunkAt, ErrDamaged,
		"%d messages of the chunk are in none of its indexes", len(a.unindexed))
}

// end reads from the end of the data section to the end of the file. crc is the data section's.
func (a *audit) end(rec record, crc uint32) error {
	w := a.scan
	if err := a.indexed(); err != nil {
		w.fault(rec.at, err)
	}
	end, err := mcap.ParseDataEnd(rec.data)
	if err != nil {
		return fmt.Errorf("data end: %w", err)
	}
	if end.DataSectionCRC != 0 && end.DataSectionCRC != crc {
		w.fault(rec.at, fmt.Errorf("data with CRC %08x where %08x was written", crc, end.DataSectionCRC))
	}
	w.s.crc = 0
	begin := w.s.off
	for !w.stopped {
		crc, at := w.s.crc, w.s.off
		rec, err := w.s.next()
		if err == io.EOF {
			return faultAt(w.name, at, ErrTruncated, "no footer: the recorder did not end in order")
		}
		if err != nil {
			return err
		}
		if rec.op == mcap.OpFooter {
			return a.footer(rec, crc, begin)
		}
		if err := a.summary(rec); err != nil {
			w.fault(at, err)
		}
	}
	return nil
}

func (a *audit) summary(rec record) error {
	switch rec.op {
	case mcap.OpStatistics:
		return a.statistics(rec.data)
	case mcap.OpChunkIndex:
		return a.chunkIndexRecord(rec.data)
	case mcap.OpSchema:
		_, err := mcap.ParseSchema(rec.data)
		return err
	case mcap.OpChannel:
		_, err := mcap.ParseChannel(rec.data)
		return err
	case mcap.OpSummaryOffset, mcap.OpMetadataIndex, mcap.OpAttachmentIndex:
		return nil
	}
	return misplaced(rec.op, "the summary")
}

func (a *audit) statistics(data []byte) error {
	s, err := mcap.ParseStatistics(data)
	if err != nil {
		return fmt.Errorf("statistics: %w", err)
	}
	if counted := a.scan.v.counted; counted != nil {
		for id, n := range s.ChannelMessageCounts {
			if t := a.scan.channels[id]; t != nil {
				counted(t, n)
			}
		}
	}
	// After a fault that was stepped over, the numbers cannot agree, and the fault has said why.
	if a.faults == 0 && (s.MessageCount != a.messages || s.ChunkCount != a.chunks) {
		return fmt.Errorf("%d messages in %d chunks where %d in %d were written", a.messages, a.chunks,
			s.MessageCount, s.ChunkCount)
	}
	return nil
}

func (a *audit) chunkIndexRecord(data []byte) error {
	idx, err := mcap.ParseChunkIndex(data)
	if err != nil {
		return fmt.Errorf("chunk index: %w", err)
	}
	a.chunkIndex++
	w := a.scan
	if idx.ChunkStartOffset >= uint64(w.size) || idx.ChunkLength > uint64(w.size) {
		return fmt.Errorf("an index entry for a chunk at %d, past the end of the file",
			idx.ChunkStartOffset)
	}
	var head [recordHeader]byte
	if _, err := w.file.ReadAt(head[:], int64(idx.ChunkStartOffset)); err != nil {
		return fmt.Errorf("an index entry for a chunk at %d: %w", idx.ChunkStartOffset, err)
	}
	if mcap.OpCode(head[0]) != mcap.OpChunk ||
		binary.LittleEndian.Uint64(head[1:])+recordHeader != idx.ChunkLength {
		return fmt.Errorf("an index entry for a chunk of %d bytes at %d, where none is", idx.ChunkLength,
			idx.ChunkStartOffset)
	}
	return nil
}

// footer checks the summary's CRC, which covers it up to the footer's last field.
func (a *audit) footer(rec record, crc uint32, begin int64) error {
	w := a.scan
	f, err := mcap.ParseFooter(rec.data)
	if err != nil {
		return fmt.Errorf("footer: %w", err)
	}
	head := make([]byte, recordHeader, recordHeader+16)
	head[0] = byte(mcap.OpFooter)
	binary.LittleEndian.PutUint64(head[1:], uint64(len(rec.data)))
	if sum := updateCRC(crc, append(head, rec.data[:16]...)); f.SummaryCRC != 0 &&
		sum != f.SummaryCRC {
		w.fault(rec.at, fmt.Errorf("a summary with CRC %08x where %08x was written", sum, f.SummaryCRC))
	}
	if f.SummaryStart != 0 && f.SummaryStart != uint64(begin) {
		w.fault(rec.at, fmt.Errorf("a summary said to begin at %d begins at %d", f.SummaryStart, begin))
	}
	if a.chunkIndex > 0 && a.faults == 0 && a.chunkIndex != int(a.chunks) {
		w.fault(rec.at, fmt.Errorf("%d chunks in the index where there are %d", a.chunkIndex, a.chunks))
	}
	if err := w.s.magic(); err != nil {
		return err
	}
	if w.s.off != w.size {
		return errors.New("bytes after the end")
	}
	return nil
}
