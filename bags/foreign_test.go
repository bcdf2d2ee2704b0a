package bags_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/foxglove/mcap/go/mcap"

	"stripswm/bags"
)

// mcapRecord is an MCAP record.
func mcapRecord(op mcap.OpCode, body ...byte) []byte {
	head := binary.LittleEndian.AppendUint64([]byte{byte(op)}, uint64(len(body)))
	return append(head, body...)
}

// rebuilt is a recording whose records up to the end of the data are passed through edit. What
// tells of their places is left out.
func rebuilt(t *testing.T, edit func(op mcap.OpCode, body []byte) []byte, summary ...byte) string {
	t.Helper()
	dir := bag(t, bags.Options{}, threeAttempts()...)
	data := contents(t, dataFile(dir))
	out := slices.Clone(mcap.Magic)
	for at := len(out); ; {
		op, length := mcap.OpCode(data[at]), int(binary.LittleEndian.Uint64(data[at+1:]))
		if op == mcap.OpDataEnd {
			break
		}
		out = append(out, edit(op, data[at+9:][:length])...)
		at += 9 + length
	}
	out = append(out, mcapRecord(mcap.OpDataEnd, 0, 0, 0, 0)...)
	out = append(append(out, summary...), mcapRecord(mcap.OpFooter, make([]byte, 20)...)...)
	rewrite(t, dataFile(dir), append(out, mcap.Magic...))
	return dir
}

// inChunk is a chunk with a record more in it.
func inChunk(body, record []byte) []byte {
	const size, crc, name, stored = 16, 24, 28, 40 // of a chunk that is not compressed
	le := binary.LittleEndian
	body = append(slices.Clone(body), record...)
	le.PutUint64(body[size:], le.Uint64(body[size:])+uint64(len(record)))
	le.PutUint32(body[crc:], 0)
	le.PutUint64(body[name+4:], uint64(len(body)-stored))
	return body
}

// TestUnknownRecordsArePassedOver puts records into a file that MCAP does not have.
func TestUnknownRecordsArePassedOver(t *testing.T) {
	for name, c := range map[string]struct {
		record []byte
		fault  string // "" where readers have to pass over it
	}{
		"an application's":  {mcapRecord(0x80, 1, 2, 3), ""},
		"the last there is": {mcapRecord(0xff), ""},
		"a later version's": {mcapRecord(0x10, make([]byte, 5000)...), ""},
		"none":              {mcapRecord(0, 1, 2, 3), "(0x00) in "},
		"of another place":  {mcapRecord(mcap.OpStatistics, 1, 2, 3), ""},
		"too long":          {[]byte{0x80, 0, 0, 0, 0, 0, 1, 0, 0, 7}, "record"},
	} {
		places := map[string]string{
			"the data": rebuilt(t, func(op mcap.OpCode, body []byte) []byte {
				if op == mcap.OpChunk {
					return append(slices.Clone(c.record), mcapRecord(op, body...)...)
				}
				return mcapRecord(op, body...)
			}),
			"a chunk": rebuilt(t, func(op mcap.OpCode, body []byte) []byte {
				if op == mcap.OpChunk {
					body = inChunk(body, c.record)
				}
				return mcapRecord(op, body...)
			}),
			"the summary": rebuilt(t, func(op mcap.OpCode, body []byte) []byte { return mcapRecord(op, body...) },
				c.record...),
		}
		if name == "of another place" {
			c.fault = "in "
			delete(places, "the summary")
		}
		for place, dir := range places {
			report := check(t, dir)
			if c.fault == "" {
				if got, err := attempts(t, dir); err != nil || len(got) != 3 ||
					report.Class != bags.Intact {
					t.Errorf("%s, in %s: %d attempts, %v, %s", name, place, len(got), err, report)
				}
				continue
			}
			if report.Class == bags.Intact || !strings.Contains(report.Faults[0].Error(), c.fault) {
				t.Errorf("%s, in %s: want %q in %s", name, place, c.fault, report)
			}
		}
	}
}

// TestLostChunkIsNoUnknownRecord damages the type of a chunk in a recording that was killed, in
// which nothing but the index behind the chunk tells of it.
func TestLostChunkIsNoUnknownRecord(t *testing.T) {
	dir, data, sizes := acknowledgedAt(t, bags.Options{}, 3)
	data = data[:sizes[2]]
	at := int(sizes[1])
	if mcap.OpCode(data[at]) != mcap.OpChunk {
		t.Fatalf("no chunk at %d", at)
	}
	data[at] |= 0x80
	report := check(t, damaged(t, dir, data, false))
	found := slices.ContainsFunc(report.Faults, func(f *bags.Fault) bool {
		return strings.Contains(f.Error(), "index entry")
	})
	if !found || report.Transitions != 2 {
		t.Errorf("%s", report)
	}
}

