package bags

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// maxRecord bounds one record, and one chunk's contents, so that a damaged length cannot ask for
// all memory. The library's own lexer trusts such lengths, and panics on some; hence this scanner.
const maxRecord = 256 << 20

// recordHeader is the length of opcode and content length.
const recordHeader = 9

// A record is one MCAP record and where it begins.
type record struct {
	op   mcap.OpCode
	at   int64
	data []byte
}

// A scanner reads the records of a file one after the other.
type scanner struct {
	name string
	r    *bufio.Reader
	off  int64
	size int64
	crc  uint32 // of all bytes before off, since it was last set to 0
}

func newScanner(name string, r io.ReaderAt, size int64) *scanner {
	const buffer = 1 << 16
	return &scanner{name: name, r: bufio.NewReaderSize(io.NewSectionReader(r, 0, size),
		int(min(size, buffer))), size: size}
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

// magic reads the eight bytes at the file's begin and end.
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

// next returns io.EOF at the end of the file, and a Fault if the next record is cut off or has an
// impossible length; the record then has what is there of it.
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
	c.start, c.end, c.size, c.crc = le.Uint64(p), le.Uint64(p[8:]), le.Uint64(p[16:]), le.Uint32(
		p[24:])
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

// readBounded reads at most one byte more than size, and never asks for memory that the data does
// not fill.
func readBounded(r io.Reader, size uint64) ([]byte, error) {
	const first = 1 << 20
	buf := bytes.NewBuffer(make([]byte, 0, min(size+bytes.MinRead, first)))
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
