package bags

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/pierrec/lz4/v4"

	"stripswm/msgs"
)

func TestChunkCacheKeepsToItsBudget(t *testing.T) {
	c := newChunkCache(100)
	for i := range int64(10) {
		c.put(chunkKey{0, i}, make([]byte, 40))
	}
	if _, ok := c.get(chunkKey{0, 9}); !ok || c.size > 100 || c.chunks.Len() != 2 {
		t.Errorf("%d bytes in %d chunks", c.size, c.chunks.Len())
	}
	c.put(chunkKey{0, 10}, make([]byte, 1000)) // larger than all: kept, alone
	if _, ok := c.get(chunkKey{0, 10}); !ok || c.chunks.Len() != 1 {
		t.Errorf("%d bytes in %d chunks", c.size, c.chunks.Len())
	}
}

func TestNaturalOrder(t *testing.T) {
	want := []string{"a.mcap", "run_1.mcap", "run_9.mcap", "run_10.mcap", "run_10a.mcap",
		"run_200.mcap"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, naturalOrder)
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestChunksInLZ4(t *testing.T) {
	var b bytes.Buffer
	w := lz4.NewWriter(&b)
	must(w.Write([]byte("records")))
	must(0, w.Close())
	c := chunk{size: 7, compression: "lz4", stored: b.Bytes()}
	if got, err := c.contents(); err != nil || string(got) != "records" {
		t.Errorf("got %q, %v", got, err)
	}
}

// A chunk that claims to be large must not be believed.
func TestChunksAreBounded(t *testing.T) {
	for _, c := range []chunk{
		{size: maxRecord + 1},
		{size: 1 << 20, compression: "zstd", stored: []byte{0x28, 0xb5, 0x2f, 0xfd}},
		{size: 10, compression: "rle"},
		{size: 3, stored: []byte{1, 2}},
		{size: 2, crc: 1, stored: []byte{1, 2}},
	} {
		if _, err := c.contents(); err == nil {
			t.Errorf("%+v passes", c)
		}
	}
}

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

// seed is a small recording's data.
func seed(t testing.TB, compression string) []byte {
	dir := filepath.Join(t.TempDir(), "run")
	w := must(Create(dir, Options{Compression: compression, Clock: func() time.Time {
		return time.Unix(5, 0)
	}}))
	small := image.NewGray(image.Rect(0, 0, 2, 2))
	for sec := range int32(3) {
		must(0, w.WriteImage("/c", msgs.NewImage(msgs.Header{Stamp: msgs.Time{Sec: sec}},
			small)))
		if sec == 0 {
			continue
		}
		must(0, w.WriteTransition(&msgs.Transition{ImageTopic: "/c", Before: msgs.Time{Sec: sec - 1},
			Action: 1,
			After:  msgs.Time{Sec: sec}, Outcome: msgs.TransitionSucceeded}))
	}
	must(0, w.Close())
	data := must(os.ReadFile(filepath.Join(dir, w.name)))
	return data
}

type memoryFile struct{ *bytes.Reader }

func (memoryFile) Close() error { return nil }

// FuzzCheck gives arbitrary bytes to the reader and to the checker: neither may panic, hang or ask
// for much memory, and what they let through must agree.
func FuzzCheck(f *testing.F) {
	for _, compression := range []string{"", "zstd"} {
		data := seed(f, compression)
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	if real, err := os.ReadFile(filepath.Join("testdata", "talker_mcap", "talker.mcap")); err == nil {
		f.Add(real)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		topics := topicSet{}
		file := &mcapFile{name: "fuzz.mcap", file: memoryFile{bytes.NewReader(data)},
			size: int64(len(data)), topics: topics, chunks: newChunkCache(1 << 20)}
		r := &Reader{names: []string{"fuzz.mcap"}, files: []dataFile{file}, topics: topics}

		whole, faults := 0, 0
		for tr, err := range r.Transitions(context.Background()) {
			if err != nil {
				faults++
				continue
			}
			if _, err := tr.Before.Message(); err == nil {
				whole++
			}
		}
		report := &Report{Actions: map[uint32]int{}, topicsByName: map[string]*TopicReport{}}
		c := newChecker(context.Background(), report, r, nil, func(*Message) error { return nil })
		file.scan(c.visitor())
		report.finish()
		if report.Class == Intact && (faults > 0 || whole != report.Transitions) {
			t.Errorf("an intact file of %d transitions reads as %d with %d faults", report.Transitions,
				whole, faults)
		}
	})
}

func FuzzMetadata(f *testing.F) {
	f.Add([]byte("rosbag2_bagfile_information:\n  version: 5\n  relative_file_paths: [x.mcap]\n"))
	if real, err := os.ReadFile(filepath.Join("testdata", "talker_mcap", metadataName)); err == nil {
		f.Add(real)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		must(0, os.WriteFile(filepath.Join(dir, metadataName), text, 0o644))
		names, _, _, _ := dataFiles(dir)
		for _, name := range names {
			if filepath.Base(name) != name {
				t.Errorf("a data file %q outside the recording", name)
			}
		}
	})
}

// FuzzSQLite gives arbitrary bytes to the reader of rosbag2's databases: neither it nor the checker
// may panic or hang, and what reads without an error is intact.
func FuzzSQLite(f *testing.F) {
	real := must(os.ReadFile(filepath.Join("testdata", "talker_sqlite3", "talker.db3")))
	f.Add(real)
	f.Add(real[:len(real)/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "fuzz.db3")
		must(0, os.WriteFile(path, data, 0o644))
		report := must(Check(context.Background(), path, nil, nil))
		r := must(Open(path))
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
		must(0, os.Mkdir(dir, 0o755))
		must(0, os.WriteFile(filepath.Join(dir, "run_0.mcap"), data, 0o644))
		repaired, err := Repair(context.Background(), dir, nil, nil)
		if errors.Is(err, ErrNothingToKeep) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		report := must(Check(context.Background(), dir, nil, nil))
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
	must(0, s.magic())
	for {
		rec := must(s.next())
		if rec.op == mcap.OpDataEnd {
			return list
		}
		if rec.op != mcap.OpChunk {
			continue
		}
		place := chunkPlace{begin: int(rec.at), end: int(s.off)}
		_, contents, err := rec.chunk()
		must(0, errors.Join(err, inner(contents, func(r record) bool {
			if r.op == mcap.OpMessage {
				place.messages++
			}
			return true
		})))
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

const tableHead = "before,action,after,outcome\n"

func TestTable(t *testing.T) {
	got := must(parseTable(strings.NewReader("\ufeffbefore,action,after,outcome,reset\r\n" +
		"img/1.png, place " +
		",img/2.png,succeeded,\r\n\"a,b.jpg\",pick,c.jpg,refused,1\r\nx,pick,x,failed,0\r\n")))
	want := []tableRow{
		{2, "img/1.png", "img/2.png", 2, Succeeded, false, "place"},
		{3, "a,b.jpg", "c.jpg", 1, Refused, true, "pick"},
		{4, "x", "x", 1, Failed, false, "pick"},
	}
	if !slices.Equal(got.rows, want) || !slices.Equal(got.names, []string{"pick", "place"}) {
		t.Errorf("got %+v, names %q, want %+v", got.rows, got.names, want)
	}
	mixed, err := parseTable(strings.NewReader("when,after,before,action,outcome,note\n" +
		"12:00,b,a,1,failed,\"x, y\"\n"))
	if err != nil || !slices.Equal(mixed.rows, []tableRow{{2, "a", "b", 1, Failed, false, ""}}) ||
		!slices.Equal(mixed.ignored, []string{"when", "note"}) {
		t.Errorf("other columns, in another order: %+v, %v", mixed, err)
	}
	ids, err := parseTable(strings.NewReader(tableHead + "1,7,2,succeeded\n"))
	if err != nil || ids.rows[0].action != 7 || ids.names != nil {
		t.Errorf("got %+v, %v", ids, err)
	}
	if none, err := parseTable(strings.NewReader(tableHead)); err != nil || len(none.rows) != 0 {
		t.Errorf("got %+v, %v", none, err)
	}
}

func TestFaultyTables(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty":              {"", "1: bad transition: the file is empty"},
		"no header":          {"a,1,b,succeeded\n", "1: bad transition: the header is"},
		"a column missing":   {"before,action,outcome\n", "want the columns before,action,after,outcome"},
		"a column twice":     {"before,action,after,outcome,action\n", "names the column action twice"},
		"unknown outcome":    {tableHead + "a,1,b,succeeded\na,1,b,ok\n", `3: bad transition: unknown outcome "ok": want succeeded, refused or failed`},
		"bad reset":          {"before,action,after,outcome,reset\na,1,b,succeeded,yes\n", `2: bad transition: reset "yes": want 1`},
		"few fields":         {tableHead + "a,1,b\n", "2: bad transition: 3 fields, the header has 4"},
		"many fields":        {tableHead + "a,1,b,failed,1\n", "2: bad transition: 5 fields"},
		"no image":           {tableHead + "a,1,,failed\n", "2: bad transition: no image after"},
		"outside":            {tableHead + "../a,1,b,failed\n", `2: bad transition: image before "../a": want a path inside`},
		"absolute":           {tableHead + "/a,1,b,failed\n", "want a path inside"},
		"action 0":           {tableHead + "a,0,b,failed\n", "2: bad transition: action 0: ids are 1 to"},
		"negative action":    {tableHead + "a,-3,b,failed\n", "action -3: ids are 1 to"},
		"huge action":        {tableHead + "a,99999999999999999999,b,failed\n", "ids are 1 to"},
		"no action":          {tableHead + "a,,b,failed\n", "2: bad transition: no action"},
		"two words":          {tableHead + "a,pick up,b,failed\n", "one word"},
		"name after ids":     {tableHead + "a,1,b,failed\na,pick,b,failed\n", `3: bad transition: action "pick", but line 2 has "1"`},
		"id after names":     {tableHead + "a,pick,b,failed\n\na,1,b,failed\n", `4: bad transition: action "1", but line 2 has "pick"`},
		"unfinished header":  {"\"before", "1: bad transition: extraneous"},
		"unfinished quote":   {tableHead + "a,1,\"b,failed\n", "bad transition: "},
		"quote in the field": {tableHead + "a,1,b\"b,failed\n", "2: bad transition: bare"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseTable(strings.NewReader(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, ErrTransition) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// FuzzTable gives arbitrary text to the reader of tables: it must not panic, and what it lets
// through keeps its promises.
func FuzzTable(f *testing.F) {
	f.Add(tableHead + "a,1,b,succeeded\n")
	f.Add("\ufeffbefore,action,after,outcome,reset\na,pick,b,refused,1\n\"a\nb\",place,b,failed,\n")
	f.Add(tableHead + "a,1,\"b,failed\n")
	f.Add("\"before")
	f.Add("note,outcome,after,before,action\n,failed,b,a,1\n")
	f.Add(tableHead + "../a,-1,b,failed\n,,,\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := parseTable(strings.NewReader(text))
		if err != nil {
			if !errors.Is(err, ErrTransition) {
				t.Errorf("error %v is of no kind", err)
			}
			return
		}
		line := 1
		for _, r := range table.rows {
			if r.line <= line || r.action < 1 || r.action > maxActionID || r.outcome < Succeeded ||
				r.outcome > Failed || r.before == "" || r.after == "" ||
				r.name != "" && table.names[r.action-1] != r.name {
				t.Fatalf("row %+v, names %q", r, table.names)
			}
			line = r.line
		}
	})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
