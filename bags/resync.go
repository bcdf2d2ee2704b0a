package bags

import (
	"encoding/binary"

	"github.com/foxglove/mcap/go/mcap"
)

// Where bytes are missing from a file, or were put into it, the record there is damaged and those
// after it are not where its length says. resync finds the next chunk that is whole.

// scanBlock is how much of a file is searched at once.
const scanBlock = 1 << 20

// dataEndFields is the length of a data end record: one CRC.
const dataEndFields = 4

// headSize is how much of a record tells whether it can be one.
const headSize = recordHeader + chunkFields + 16 + 8

// checkedPerByte bounds the work of a search: candidates of so many bytes in all are read and
// checked for each byte of the file. A search ends at the first whole chunk; only a file that was
// made to waste time has many candidates that are not.
const checkedPerByte = 4

// resync continues at the next whole chunk, or at the end of the data section. It returns false
// where there is none. A record that was read after w.whole may hide the beginning of that chunk.
func (w *mcapScan) resync() bool {
	at, found := w.search(w.whole)
	w.whole = at + 1 // where the next search begins, if that one is refused
	return found && w.s.seek(w.file, at) == nil
}

func (w *mcapScan) search(from int64) (at int64, found bool) {
	budget := checkedPerByte * w.size
	block := make([]byte, min(scanBlock+headSize, max(w.size-from, 0)))
	for ; from < w.size; from += scanBlock {
		n, _ := w.file.ReadAt(block[:min(int64(len(block)), w.size-from)], from)
		for i, b := range block[:min(n, scanBlock)] {
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

// stands says whether a record of the data section can begin at an offset, by its first bytes.
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
		return !w.chunked // between chunks, it would be a part of a damaged one
	case mcap.OpSchema, mcap.OpChannel, mcap.OpAttachment, mcap.OpMetadata:
		return true
	}
	return false
}

// chunkLength is the length of a chunk record by the fields at its begin; 0 where they are not
// those of a chunk.
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
	c, whole, err := parseChunk(rec.data)
	if err != nil || !whole || c.size > maxRecord {
		return int64(len(rec.data)), false
	}
	contents, err := c.contents()
	if err == nil {
		err = inner(contents, func(record) bool { return true })
	}
	return int64(len(rec.data) + len(contents)), err == nil && len(contents) > 0
}
