package bags_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/sys/unix"

	"stripswm/bags"
	"stripswm/msgs"
)

var three = []attempt{{0, 7, bags.Succeeded, 1, 2}, {1, 4, bags.Refused, 2, 3},
	{2, 70, bags.Failed, 3, 5}}

// TestRecordingsComeBack records, reads and checks.
func TestRecordingsComeBack(t *testing.T) {
	usual := [6]int{8, 4, 0, 1, 1, 1}
	for name, c := range map[string]struct {
		options bags.Options
		steps   []step
		want    []attempt
		counts  [6]int // messages, images, amended; succeeded, refused, failed
	}{
		"synced each":   {bags.Options{}, threeAttempts(), three, usual},
		"synced by two": {bags.Options{SyncEvery: 2}, threeAttempts(), three, usual},
		"synced at end": {bags.Options{SyncEvery: -1}, threeAttempts(), three, usual},
		"small chunks":  {bags.Options{SyncEvery: -1, ChunkSize: 100}, threeAttempts(), three, usual},
		"zstd":          {bags.Options{Compression: "zstd"}, threeAttempts(), three, usual},
		"three files":   {bags.Options{}, inThreeFiles(), three, [6]int{8, 4, 1, 1, 1, 1}},
		"compressed images": {bags.Options{}, []step{seesJPEG(1), seesJPEG(2), does(3, 1, 2)},
			[]attempt{{0, 3, bags.Succeeded, 1, 2}}, [6]int{3, 2, 0, 1, 0, 0}},
		"the last of equal transitions counts": {bags.Options{},
			[]step{sees(1), sees(2), does(7, 1, 2), fails(7, 1, 2), sees(3), does(8, 2, 3)},
			[]attempt{{0, 7, bags.Failed, 1, 2}, {1, 8, bags.Succeeded, 2, 3}},
			[6]int{6, 3, 1, 1, 0, 1}},
		"the same image twice": {bags.Options{}, []step{sees(1), sees(1), sees(2), does(1, 1, 2)},
			[]attempt{{0, 1, bags.Succeeded, 1, 2}}, [6]int{4, 3, 0, 1, 0, 0}},
		"nothing": {},
		"one transition": {bags.Options{}, []step{sees(1), refuses(2, 1, 1)},
			[]attempt{{0, 2, bags.Refused, 1, 1}}, [6]int{2, 1, 0, 0, 1, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := bag(t, c.options, c.steps...)
			reads(t, dir, c.want)
			r := intact(t, dir, len(c.want))
			if got := [6]int{r.Messages, r.Images, r.Amended, r.Succeeded, r.Refused,
				r.Failed}; got != c.counts {
				t.Errorf("counted %v, want %v: %s", got, c.counts, r)
			}
			actions := map[uint32]int{}
			for _, a := range c.want {
				actions[a.Action]++
			}
			if diff := cmp.Diff(actions, r.Actions); diff != "" {
				t.Error(diff)
			}
			if name == "compressed images" && r.Topics[0].Formats["8x6 jpeg"] != 2 {
				t.Errorf("formats %v", r.Topics[0].Formats)
			}
		})
	}
}

func TestWriterRefuses(t *testing.T) {
	tests := []struct {
		name  string
		steps []step
		want  error
	}{
		{"action 0", []step{sees(1), sees(2), does(0, 1, 2)}, bags.ErrTransition},
		{"unknown outcome", []step{sees(1), sees(2), ends(1, 1, 2, 4)}, bags.ErrTransition},
		{"backwards", []step{sees(1), sees(2), does(1, 2, 1)}, bags.ErrTransition},
		{"no image before", []step{sees(2), does(1, 1, 2)}, bags.ErrReference},
		{"image comes later", []step{sees(1), does(1, 1, 2)}, bags.ErrReference},
		{"another type on the topic", []step{sees(1), seesJPEG(2)}, nil},
		{"after close", []step{(*bags.Writer).Close, sees(1)}, bags.ErrClosed},
	}
	for _, tt := range tests {
		w := must(bags.Create(filepath.Join(t.TempDir(), "run"), bags.Options{}))
		for i, s := range tt.steps {
			err := s(w)
			if last := i == len(tt.steps)-1; last && (err == nil || tt.want != nil &&
				!errors.Is(err, tt.want)) {
				t.Errorf("%s: got %v, want %v", tt.name, err, tt.want)
			} else if !last && err != nil {
				t.Errorf("%s, step %d: %v", tt.name, i, err)
			}
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := bags.Create(t.TempDir(), bags.Options{}); !errors.Is(err, os.ErrExist) {
		t.Errorf("an existing directory: %v", err)
	}
}

// The library's own reader, and so Foxglove's tools, must take our files, each by itself.
func TestLibraryReadsOurFiles(t *testing.T) {
	dir, n := bag(t, bags.Options{}, inThreeFiles()...), 0
	for _, path := range must(filepath.Glob(filepath.Join(dir, "*.mcap"))) {
		f := must(os.Open(path))
		defer f.Close()
		r := must(mcap.NewReader(f))
		defer r.Close()
		info := must(r.Info())
		if info.Header.Profile != "ros2" || info.Statistics.ChunkCount == 0 || len(info.Channels) == 0 {
			t.Errorf("profile %q, statistics %+v", info.Header.Profile, info.Statistics)
		}
		for _, c := range info.Channels {
			s := info.Schemas[c.SchemaID]
			want, _ := msgs.Schema(s.Name)
			if s.Encoding != "ros2msg" || string(s.Data) != want || c.MessageEncoding != "cdr" ||
				!strings.Contains(c.Metadata["offered_qos_profiles"], "reliability") {
				t.Errorf("channel %s: schema %s in %s", c.Topic, s.Name, s.Encoding)
			}
		}
		for it := must(r.Messages()); ; n++ {
			if _, _, _, err := it.NextInto(nil); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	if n != 8 {
		t.Errorf("%d messages", n)
	}
}

// TestMetadata has metadata.yaml of recordings in one file and in three. The keys are those that
// rosbag2's decoder requires of version 5 (rosbag2_storage/yaml.hpp).
func TestMetadata(t *testing.T) {
	for name, steps := range map[string][]step{"one_file": threeAttempts(),
		"three_files": inThreeFiles()} {
		got := contents(filepath.Join(bag(t, bags.Options{}, steps...), "metadata.yaml"))
		if diff := cmp.Diff(string(contents("testdata/metadata/"+name+".yaml")),
			string(got)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestOpensOneFileAndSplitBags(t *testing.T) {
	dir := bag(t, bags.Options{}, threeAttempts()...)
	reads(t, dataFile(dir), three)
	// A transition in one file may refer to images in the file before it.
	split := t.TempDir()
	second := bag(t, bags.Options{}, sees(1), sees(2), does(7, 1, 2), sees(5), does(70, 2, 5))
	for name, from := range map[string]string{"x_9.mcap": dataFile(dir),
		"x_10.mcap": dataFile(second)} {
		must(0, os.WriteFile(filepath.Join(split, name), contents(from), 0o644))
	}
	got, err := attempts(t, split)
	if err != nil || len(got) != 5 || got[4] != (attempt{4, 70, bags.Succeeded, 2, 5}) {
		t.Errorf("split: %v, %v", got, err)
	}
}

func TestNoRecording(t *testing.T) {
	empty := t.TempDir()
	if _, err := bags.Open(empty); !errors.Is(err, bags.ErrNoBag) {
		t.Errorf("an empty directory: %v", err)
	}
	if _, err := bags.Check(context.Background(), filepath.Join(empty, "none"), decode,
		nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
	dir := bag(t, bags.Options{}, sees(1))
	must(0, os.Remove(dataFile(dir)))
	if _, err := bags.Open(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing data file: %v", err)
	}
	if report := check(dir); report.Class != bags.Unusable || report.Class.ExitCode() != 1 {
		t.Errorf("a missing data file: %s", report)
	}
}

func TestImagesLoadLaterInAnyOrder(t *testing.T) {
	steps := []step{sees(0)}
	for i := 1; i < 40; i++ {
		steps = append(steps, sees(i), does(uint32(i), i-1, i))
	}
	for _, compression := range []string{"", "zstd"} {
		r := must(bags.Open(bag(t, bags.Options{Compression: compression}, steps...)))
		var all []bags.Transition
		for tr, err := range r.Transitions(context.Background()) {
			must(0, err)
			all = append(all, tr)
		}
		done := make(chan error)
		for range 2 {
			go func() {
				for _, tr := range slices.Backward(all) {
					if _, err := tr.Before.Message(); err != nil {
						done <- err
						return
					}
				}
				done <- nil
			}()
		}
		if err := errors.Join(<-done, <-done, r.Close()); err != nil || len(all) != 39 {
			t.Errorf("%d transitions, %v", len(all), err)
		}
	}
}

func TestContextEndsReading(t *testing.T) {
	r := must(bags.Open(bag(t, bags.Options{}, threeAttempts()...)))
	defer r.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, err := range r.Transitions(ctx) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
	if _, err := bags.Check(ctx, bag(t, bags.Options{}, sees(1)), decode, nil); !errors.Is(err,
		context.Canceled) {
		t.Errorf("check: %v", err)
	}
}

// realBag is a recording that rosbag2 wrote: the shared one if it is beside the checkout, else the
// copy.
func realBag(name string) string {
	shared := filepath.Join("..", "..", "shared", "data", "bags", name)
	if _, err := os.Stat(shared); err == nil {
		return shared
	}
	return filepath.Join("testdata", name)
}

func read(t *testing.T, path string, topics ...string) []bags.Message {
	t.Helper()
	r := must(bags.Open(path))
	defer r.Close()
	var all []bags.Message
	for m, err := range r.Messages(context.Background(), topics...) {
		must(0, err)
		all = append(all, m)
	}
	return all
}

// TestReadsWhatRosbag2Wrote: all is there, in order, and the codec gives back, byte for byte, what
// rmw implementations put into the bags.
func TestReadsWhatRosbag2Wrote(t *testing.T) {
	for _, tt := range []struct {
		name   string
		counts map[string]int
		first  string // std_msgs/String
	}{
		{"talker_mcap", map[string]int{"/topic": 10, "/rosout": 10}, "Hello, world! 0"},
		{"talker_sqlite3", map[string]int{"/topic": 10, "/rosout": 10}, "Hello, world! 0"},
		{"multiple_files_mcap", map[string]int{"/chatter": 3177}, "test"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			counts, first, last := map[string]int{}, "", int64(0)
			for _, m := range read(t, realBag(tt.name)) {
				counts[m.Topic.Name]++
				if m.Received < last {
					t.Errorf("%s goes back in time", m.Topic.Name)
				}
				last = m.Received
				into, _ := msgs.New(m.Topic.Type)
				must(0, m.Decode(into))
				back := must(msgs.Marshal(into))
				// Writers need not zero their padding, and may pad the end to four bytes.
				again, _ := msgs.New(m.Topic.Type)
				must(0, msgs.Unmarshal(back, again))
				if diff := cmp.Diff(into, again); diff != "" || len(m.Data)-len(back) > 3 ||
					len(m.Data) < len(back) {
					t.Fatalf("%s: %d bytes came back as %d\n%s", m.Topic.Type, len(m.Data), len(back), diff)
				}
				s, ok := into.(*msgs.String)
				if ok && !bytes.Equal(back, m.Data[:len(back)]) {
					t.Fatalf("%q came back as %q", m.Data, back)
				}
				if ok && first == "" {
					first = s.Data
				}
			}
			if diff := cmp.Diff(tt.counts, counts); diff != "" || first != tt.first {
				t.Errorf("first %q, %s", first, diff)
			}
			if report := check(realBag(tt.name)); tt.name == "multiple_files_mcap" {
				if report.FaultCount != 1 || !strings.Contains(report.Faults[0].Error(), "metadata.yaml") {
					t.Errorf("a split bag without metadata.yaml: %s", report)
				}
			} else if report.Class != bags.Intact || report.Messages != 20 {
				t.Errorf("%s", report)
			}
		})
	}
}

// normal is a schema without comments and blank lines.
func normal(schema string) string {
	var lines []string
	for line := range strings.Lines(schema) {
		line, _, _ = strings.Cut(line, "#")
		if fields := strings.Fields(line); len(fields) > 0 {
			lines = append(lines, strings.ReplaceAll(strings.Join(fields, " "), " = ", "="))
		}
	}
	return strings.Join(lines, "\n")
}

// The definitions that rosbag2 embeds must be those in package msgs.
func TestSchemasAreRosbag2s(t *testing.T) {
	for _, m := range read(t, realBag("talker_mcap")) {
		ours, _ := msgs.Schema(m.Topic.Type)
		if diff := cmp.Diff(normal(m.Topic.Schema), normal(ours)); diff != "" {
			t.Fatalf("%s: %s", m.Topic.Type, diff)
		}
	}
}

// A damaged database gives faults, not panics, and whatever decodes is passed on.
func TestDamagedDatabase(t *testing.T) {
	dir := must(copyBag(t, realBag("talker_sqlite3")))
	path := filepath.Join(dir, "talker.db3")
	data := contents(path)
	must(0, os.Chmod(path, 0o644))
	for at := 0; at < len(data); at += 331 {
		poke(path, at, data[at]^0xff)
		check(dir)
		poke(path, at, data[at])
	}
	for cut := len(data) - 1; cut >= 0; cut -= 1009 {
		must(0, os.Truncate(path, int64(cut)))
		if report := check(dir); report.Class == bags.Intact && report.Messages < 20 {
			t.Errorf("cut to %d of %d bytes passes: %s", cut, len(data), report)
		}
	}
}

// mcapRecord is an MCAP record.
func mcapRecord(op mcap.OpCode, body ...byte) []byte {
	head := binary.LittleEndian.AppendUint64([]byte{byte(op)}, uint64(len(body)))
	return append(head, body...)
}

// rebuilt is a recording whose records in the data section are passed through edit. It has no
// indexes.
func rebuilt(t *testing.T, edit func(op mcap.OpCode, body []byte) []byte, summary ...byte) string {
	t.Helper()
	dir := bag(t, bags.Options{}, threeAttempts()...)
	data := contents(dataFile(dir))
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
	rewrite(dataFile(dir), append(out, mcap.Magic...))
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
			"the summary": rebuilt(t, func(op mcap.OpCode, body []byte) []byte {
				return mcapRecord(op, body...)
			}, c.record...),
		}
		if name == "of another place" {
			c.fault = "in "
			delete(places, "the summary")
		}
		for place, dir := range places {
			report := check(dir)
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
	report := check(damaged(t, dir, data, false))
	found := slices.ContainsFunc(report.Faults, func(f *bags.Fault) bool {
		return strings.Contains(f.Error(), "index entry")
	})
	if !found || report.Transitions != 2 {
		t.Errorf("%s", report)
	}
}

// database makes a recording as rosbag2's sqlite3 storage does, of the attempts in threeAttempts.
// With a mode of its journal, it is what a killed recorder left.
func database(t *testing.T, qos bool, journal string) string {
	t.Helper()
	dir, from := t.TempDir(), t.TempDir()
	live := filepath.Join(from, "run_0.db3")
	db := must(sql.Open("sqlite", live))
	defer db.Close()
	db.SetMaxOpenConns(1)
	exec := func(query string, args ...any) {
		t.Helper()
		must(db.Exec(query, args...))
	}
	column, value := "", ""
	if qos {
		column, value = ", offered_qos_profiles TEXT NOT NULL", ", ''"
	}
	if journal != "" {
		exec(`PRAGMA journal_mode=` + journal)
	}
	exec(`CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, ` +
		`serialization_format TEXT NOT NULL` + column + `)`)
	exec(`CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, ` +
		`timestamp INTEGER NOT NULL, data BLOB NOT NULL)`)
	ids := map[string]int{}
	for _, m := range read(t, bag(t, bags.Options{}, threeAttempts()...)) {
		if ids[m.Topic.Name] == 0 {
			ids[m.Topic.Name] = len(ids) + 1
			exec(`INSERT INTO topics VALUES (?, ?, ?, 'cdr'`+value+`)`, ids[m.Topic.Name], m.Topic.Name,
				m.Topic.Type)
		}
		exec(`INSERT INTO messages(topic_id, timestamp, data) VALUES (?, ?, ?)`, ids[m.Topic.Name],
			len(ids), m.Data)
	}
	if journal == "DELETE" { // killed in a transaction that has changed pages of the file
		exec(`PRAGMA cache_size=1`)
		exec(`BEGIN`)
		exec(`DELETE FROM messages`)
		for range 100 {
			exec(`INSERT INTO messages(topic_id, timestamp, data) VALUES (1, 1, zeroblob(5000))`)
		}
	}
	for _, name := range []string{"run_0.db3", "run_0.db3-wal", "run_0.db3-journal"} {
		if data, err := os.ReadFile(filepath.Join(from, name)); err == nil {
			rewrite(filepath.Join(dir, name), data)
		}
	}
	return dir
}

// temporary is the folder for temporary files from now on, which must be empty in the end.
func temporary(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Cleanup(func() {
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left in TMPDIR: %v, %v", left, err)
		}
	})
}

// TestDatabases reads what rosbag2 has written since its first versions, and what it leaves when it
// is killed; nothing is written into the folder, and it may be on a read-only disk.
func TestDatabases(t *testing.T) {
	for name, c := range map[string]struct {
		qos     bool
		journal string
	}{
		"since Foxy":         {true, ""},
		"Eloquent":           {false, ""},
		"a killed recorder":  {true, "WAL"},
		"killed in Eloquent": {false, "DELETE"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := database(t, c.qos, c.journal)
			temporary(t)
			before, _ := os.ReadDir(dir)
			if (c.journal != "") != (len(before) == 2) {
				t.Fatalf("files %v", before)
			}
			readOnly(t, dir)
			r := must(bags.Open(dir))
			defer r.Close()
			n := 0
			for tr, err := range r.Transitions(t.Context()) {
				if err == nil {
					_, err = tr.After.Message()
				}
				if err != nil {
					t.Fatal(err)
				}
				n++
			}
			if during, _ := os.ReadDir(dir); len(during) != len(before) || n != 3 {
				t.Errorf("%d attempts; the folder has %v, and had %v", n, during, before)
			}
			if report := check(dir); report.FaultCount != 1 || report.Transitions != 3 {
				t.Errorf("%s", report) // but for its metadata.yaml it is whole
			}
		})
	}
}

// readOnly mounts a folder read-only on itself, where that is allowed.
func readOnly(t *testing.T, dir string) {
	err := unix.Mount(dir, dir, "", unix.MS_BIND, "")
	if err != nil {
		t.Logf("not mounted read-only: %v", err)
		return
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	if err := unix.Mount("", dir, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Logf("not mounted read-only: %v", err)
	}
}

// TestCompressedFiles has files that rosbag2 or people compressed with zstd.
func TestCompressedFiles(t *testing.T) {
	encoder := must(zstd.NewWriter(nil))
	whole := bag(t, bags.Options{}, threeAttempts()...)
	plain := contents(dataFile(whole))
	packed := encoder.EncodeAll(plain, nil)
	text := string(contents(filepath.Join(whole, "metadata.yaml")))
	compressed := strings.NewReplacer("run_0.mcap", "run_0.mcap.zstd", `compression_mode: ""`,
		"compression_mode: FILE", `compression_format: ""`, "compression_format: zstd").Replace(text)
	for name, c := range map[string]struct {
		files    map[string][]byte
		metadata string // "" is none
	}{
		"rosbag2":           {map[string][]byte{"run_0.mcap.zstd": packed}, compressed},
		"no metadata":       {map[string][]byte{"run_0.mcap.zstd": packed}, ""},
		"by the tool":       {map[string][]byte{"run_0.mcap.zst": packed}, ""},
		"packed by hand":    {map[string][]byte{"run_0.mcap.zst": packed}, text},
		"unpacked by hand":  {map[string][]byte{"run_0.mcap": plain}, compressed},
		"both, no metadata": {map[string][]byte{"run_0.mcap": plain, "run_0.mcap.zstd": nil}, ""},
		"both":              {map[string][]byte{"run_0.mcap": plain, "run_0.mcap.zstd": nil}, compressed},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			temporary(t)
			for file, data := range c.files {
				rewrite(filepath.Join(dir, file), data)
			}
			faults := 1
			if c.metadata != "" {
				faults = 0
				rewrite(filepath.Join(dir, "metadata.yaml"), []byte(c.metadata))
			}
			reads(t, dir, three)
			if report := check(dir); report.FaultCount != faults || report.Transitions != 3 {
				t.Errorf("%s", report)
			}
		})
	}
	dir := t.TempDir()
	temporary(t)
	rewrite(filepath.Join(dir, "run_0.mcap.zstd"), packed[:len(packed)/2])
	if _, err := bags.Open(dir); !errors.Is(err, bags.ErrDamaged) ||
		!strings.Contains(err.Error(), "run_0.mcap.zstd") {
		t.Errorf("cut off: %v", err)
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "none"))
	if _, err := bags.Open(dir); err == nil || errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder for temporary files: %v", err)
	}
}

// TestROS1 gives the recording of another ROS, in a folder or by itself.
func TestROS1(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "drive.bag")
	rewrite(path, []byte("#ROSBAG V2.0\n"))
	for _, given := range []string{dir, path} {
		want := "rosbags-convert --src " + path + " --dst " + filepath.Join(dir, "drive")
		if _, err := bags.Open(given); !errors.Is(err, bags.ErrUnsupported) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", given, err)
		}
	}
	rewrite(dataFile(dir), contents(dataFile(bag(t, bags.Options{}, threeAttempts()...))))
	reads(t, dir, three) // beside a ROS 2 bag
}

// logs records a line in JSON, as a bridge or an event logger does.
func logs(text string) step {
	return func(w *bags.Writer) error {
		topic := bags.Topic{Name: "/events", Type: "foxglove.Log", Schema: `{"type":"object"}`, Encoding: "json", SchemaEncoding: "jsonschema"}
		if err := w.AddTopic(topic); err != nil {
			return err
		}
		return w.WriteRaw("/events", time.Unix(1000, 0).UnixNano(), 0, []byte(text))
	}
}

func TestOtherEncodingsAreNoted(t *testing.T) {
	dir := bag(t, bags.Options{}, append(threeAttempts(), logs(`{"message":"a"}`), logs(`not even JSON`))...)
	if data := contents(dataFile(dir)); !bytes.Contains(data, []byte("jsonschema")) {
		t.Error("the schema's encoding is not in the file")
	}
	report := intact(t, dir, 3)
	if len(report.Notes) != 1 ||
		!strings.Contains(report.Notes[0], `/events: 2 messages encoded in "json"`) {
		t.Errorf("%s", report)
	}
	reads(t, dir, three)
	// Repair keeps them as they are.
	must(0, os.Remove(dir+"/metadata.yaml"))
	must(bags.Repair(context.Background(), dir, decode, nil))
	lines := read(t, dir, "/events")
	if len(lines) != 2 || string(lines[0].Data) != `{"message":"a"}` || lines[0].Topic.Encoding != "json" || lines[0].Topic.SchemaEncoding != "jsonschema" {
		t.Errorf("after repair: %+v", lines)
	}
	if report := intact(t, dir, 3); len(report.Notes) != 1 {
		t.Errorf("after repair: %s", report)
	}
}

// A topic in JSON is not checked as an image, even if its type is an image's.
func TestImagesInJSONAreNoImages(t *testing.T) {
	dir := bag(t, bags.Options{}, append(threeAttempts(), func(w *bags.Writer) error {
		if err := w.AddTopic(bags.Topic{Name: "/images", Type: "sensor_msgs/msg/Image",
			Encoding: "json"}); err != nil {
			return err
		}
		return w.WriteRaw("/images", 1, 0, []byte("{}"))
	})...)
	if report := intact(t, dir, 3); len(report.Notes) != 1 {
		t.Errorf("%s", report)
	}
}

// acknowledged counts the transitions of a recording that may still be being made, and returns the
// last error.
func acknowledged(dir string) (n int, last error) {
	r := must(bags.OpenLive(dir))
	defer r.Close()
	for _, err := range r.Transitions(context.Background()) {
		if last = err; err == nil {
			n++
		}
	}
	return n, last
}

// TestOpenLive reads a recording after each attempt while its writer goes on, into a second file
// too.
func TestOpenLive(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w := must(bags.Create(dir, fixed(bags.Options{})))
	for i, s := range inThreeFiles() {
		must(0, s(w))
		want := 0
		for _, at := range []int{2, 5, 7} { // the attempts
			if i >= at {
				want++
			}
		}
		if got, err := acknowledged(dir); err != nil || got != want {
			t.Errorf("after step %d: %d transitions, %v, want %d", i, got, err, want)
		}
	}
	if got, err := acknowledged(dir); err != nil || got != len(three) {
		t.Errorf("in the end %d transitions, %v", got, err)
	}
	if _, err := attempts(t, dir); !errors.Is(err, bags.ErrTruncated) {
		t.Errorf("opened as one that has ended: %v", err)
	}
	must(0, w.Close())
}

// TestOpenLiveToleratesTheLastFileAlone: what ends early before it is damage.
func TestOpenLiveToleratesTheLastFileAlone(t *testing.T) {
	for file, fault := range map[string]error{"run_2.mcap": nil, "run_0.mcap": bags.ErrTruncated} {
		dir := bag(t, bags.Options{}, inThreeFiles()...)
		path := filepath.Join(dir, file)
		must(0, os.Truncate(path, int64(len(contents(path)))/2))
		if _, err := acknowledged(dir); !errors.Is(err, fault) || (fault == nil) != (err == nil) {
			t.Errorf("%s cut: %v", file, err)
		}
	}
}
