package bags_test

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/sys/unix"

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
			"the summary": rebuilt(t, func(op mcap.OpCode, body []byte) []byte {
				return mcapRecord(op, body...)
			}, c.record...),
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

// database makes a recording as rosbag2's sqlite3 storage does, of the attempts in threeAttempts.
// With a mode of its journal, it is what a killed recorder left.
func database(t *testing.T, qos bool, journal string) string {
	t.Helper()
	dir, from := t.TempDir(), t.TempDir()
	live := filepath.Join(from, "run_0.db3")
	db, err := sql.Open("sqlite", live)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatal(err)
		}
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
			rewrite(t, filepath.Join(dir, name), data)
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
			r, err := bags.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
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
			if report := check(t, dir); report.FaultCount != 1 || report.Transitions != 3 {
				t.Errorf("%s", report) // but for its metadata.yaml it is whole
			}
		})
	}
}

// TestHashCoversTheLog has two databases whose data is all in their write-ahead logs.
func TestHashCoversTheLog(t *testing.T) {
	one, err := bags.Hash(database(t, true, "WAL"))
	if err != nil {
		t.Fatal(err)
	}
	if two, err := bags.Hash(database(t, false, "WAL")); err != nil || one == two {
		t.Errorf("%s and %s, %v", one, two, err)
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
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	whole := bag(t, bags.Options{}, threeAttempts()...)
	plain := contents(t, dataFile(whole))
	packed := encoder.EncodeAll(plain, nil)
	text := string(contents(t, filepath.Join(whole, "metadata.yaml")))
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
				rewrite(t, filepath.Join(dir, file), data)
			}
			faults := 1
			if c.metadata != "" {
				faults = 0
				rewrite(t, filepath.Join(dir, "metadata.yaml"), []byte(c.metadata))
			}
			if got, err := attempts(t, dir); err != nil || len(got) != 3 {
				t.Errorf("%d attempts, %v", len(got), err)
			}
			if report := check(t, dir); report.FaultCount != faults || report.Transitions != 3 {
				t.Errorf("%s", report)
			}
		})
	}
	dir := t.TempDir()
	temporary(t)
	rewrite(t, filepath.Join(dir, "run_0.mcap.zstd"), packed[:len(packed)/2])
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
	rewrite(t, path, []byte("#ROSBAG V2.0\n"))
	for _, given := range []string{dir, path} {
		want := "rosbags-convert --src " + path + " --dst " + filepath.Join(dir, "drive")
		if _, err := bags.Open(given); !errors.Is(err, bags.ErrUnsupported) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", given, err)
		}
	}
	rewrite(t, dataFile(dir), contents(t, dataFile(bag(t, bags.Options{}, threeAttempts()...))))
	if got, err := attempts(t, dir); err != nil || len(got) != 3 {
		t.Errorf("beside a ROS 2 bag: %v, %v", got, err)
	}
}
