package bags

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/foxglove/mcap/go/mcap"
)

// FuzzSQLite gives arbitrary bytes to the reader of rosbag2's databases: neither it nor the checker
// may panic or hang, and what reads without an error is intact.
func FuzzSQLite(f *testing.F) {
	real, err := os.ReadFile(filepath.Join("testdata", "talker_sqlite3", "talker.db3"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(real)
	f.Add(real[:len(real)/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "fuzz.db3")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		report, err := Check(context.Background(), path, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		read := 0
		for _, err := range r.Messages(context.Background()) {
			if err != nil {
				if report.Class == Intact {
					t.Errorf("an intact database reads with %v", err)
				}
				return
			}
			read++
		}
		if report.Class == Intact && read != report.Messages {
			t.Errorf("%d messages of an intact database with %d", read, report.Messages)
		}
	})
}

// FuzzRepair gives a killed recorder's arbitrary bytes to Repair: what it makes of them is intact
// and has what it says.
func FuzzRepair(f *testing.F) {
	for _, compression := range []string{"", "zstd"} {
		data := seed(f, compression)
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := filepath.Join(t.TempDir(), "run")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "run_0.mcap"), data, 0o644); err != nil {
			t.Fatal(err)
		}
		repaired, err := Repair(context.Background(), dir, nil, nil)
		if errors.Is(err, ErrNothingToKeep) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		report, err := Check(context.Background(), dir, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if report.Class != Intact || report.Transitions+report.Amended != repaired.Kept {
			t.Errorf("kept %d: %s", repaired.Kept, report)
		}
	})
}

// FuzzMissingBytes takes bytes out of a recording: of the chunks behind them none is lost.
func FuzzMissingBytes(f *testing.F) {
	whole := map[bool][]byte{false: seed(f, ""), true: seed(f, "zstd")}
	f.Add(false, uint16(4000), uint16(1))
	f.Add(true, uint16(400), uint16(30))
	f.Fuzz(func(t *testing.T, compressed bool, at, missing uint16) {
		data := whole[compressed]
		chunks := chunksOf(t, data)
		first := chunks[0]
		// Without the definitions of topics, in the first chunk, nothing is read.
		begin := min(max(int(at), first.end), len(data))
		end := min(begin+int(missing), len(data))
		all, behind := 0, 0
		for _, c := range chunks {
			all += c.messages
			if c.begin >= end || c.end <= begin {
				behind += c.messages
			}
		}
		broken := slices.Concat(data[:begin], data[end:])
		if found := messagesOf(broken); found < behind || found > all {
			t.Errorf("%d messages read, of %d, and of %d in whole chunks", found, all, behind)
		}
	})
}

type chunkPlace struct{ begin, end, messages int }

// chunksOf finds the chunks of a whole file.
func chunksOf(t *testing.T, data []byte) (list []chunkPlace) {
	s := newScanner("whole.mcap", bytes.NewReader(data), int64(len(data)))
	if err := s.magic(); err != nil {
		t.Fatal(err)
	}
	for {
		rec, err := s.next()
		if err != nil {
			t.Fatal(err)
		}
		if rec.op == mcap.OpDataEnd {
			return list
		}
		if rec.op != mcap.OpChunk {
			continue
		}
		place := chunkPlace{begin: int(rec.at), end: int(s.off)}
		c, _, err := parseChunk(rec.data)
		if err != nil {
			t.Fatal(err)
		}
		contents, err := c.contents()
		if err == nil {
			err = inner(contents, func(r record) bool {
				if r.op == mcap.OpMessage {
					place.messages++
				}
				return true
			})
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, place)
	}
}

// messagesOf counts what is read of a file, whatever is wrong with it.
func messagesOf(data []byte) (n int) {
	file := &mcapFile{name: "fuzz.mcap", file: memoryFile{bytes.NewReader(data)},
		size: int64(len(data)), topics: topicSet{}, chunks: newChunkCache(1 << 20)}
	file.scan(&visitor{
		strict: true, message: func(Message) bool { n++; return true }, fault: func(*Fault) bool {
			return true
		},
	})
	return n
}
