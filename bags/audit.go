package bags

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/foxglove/mcap/go/mcap"
)

// An audit checks what an MCAP file says about itself: message indexes, section CRCs, chunk
// indexes, statistics.
type audit struct {
	scan     *mcapScan
	faults   int
	messages uint64
	chunks   uint32
	counts   map[string]uint64 // messages by topic

	chunk       chunk
	lo, hi      uint64              // receive times in the chunk
	unindexed   map[uint64]indexKey // messages of the chunk by offset, until its indexes name them
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
