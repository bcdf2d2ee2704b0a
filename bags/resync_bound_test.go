package bags

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/foxglove/mcap/go/mcap"
)

// countingFile counts the bytes that are read of it.
type countingFile struct {
	memoryFile
	read int64
}

func (f *countingFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.memoryFile.ReadAt(p, at)
	f.read += int64(n)
	return n, err
}

// TestSearchIsLinear has a file of nothing but heads of chunks, each of which reaches to the end of
// the file and has a wrong CRC.
func TestSearchIsLinear(t *testing.T) {
	const heads, head = 20000, recordHeader + chunkFields + 8
	data := slices.Clone(mcap.Magic)
	data = append(data, 0xff) // no record
	for i := range heads {
		stored := uint64(heads-1-i) * head
		le := binary.LittleEndian
		data = append(data, byte(mcap.OpChunk))
		data = le.AppendUint64(data, chunkFields+8+stored)
		data = append(data, make([]byte, 16)...)
		data = le.AppendUint64(data, stored)
		data = le.AppendUint32(data, 1) // CRC
		data = le.AppendUint32(data, 0) // no compression
		data = le.AppendUint64(data, stored)
	}
	file := &countingFile{memoryFile: memoryFile{bytes.NewReader(data)}}
	f := &mcapFile{name: "heads.mcap", file: file, size: int64(len(data)),
		topics: topicSet{}, chunks: newChunkCache(1)}
	f.scan(&visitor{
		strict: true, message: func(Message) bool { return true }, fault: func(*Fault) bool {
			return true
		},
	})
	if limit := 2 * checkedPerByte * f.size; file.read < f.size || file.read > limit {
		t.Errorf("%d bytes read of a file of %d, want at most %d", file.read, f.size, limit)
	}
}
