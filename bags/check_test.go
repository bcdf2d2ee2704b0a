package bags_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"stripswm/bags"
	"stripswm/msgs"
)

// raw writes a payload past the Writer's own checks, under another type's name if need be: other
// programs may write anything into a recording.
func raw(topic, rosType string, m msgs.Message) step {
	return func(w *bags.Writer) error {
		t, err := bags.NewTopic(topic, rosType)
		if err != nil {
			return err
		}
		if err := w.AddTopic(t); err != nil {
			return err
		}
		data, err := msgs.Marshal(m)
		if err != nil {
			return err
		}
		return w.WriteRaw(topic, 1, 0, data)
	}
}

// seesBroken records an image whose rows are missing.
func seesBroken(sec int) step {
	m := msgs.NewImage(header(sec), img(sec))
	m.Data = m.Data[:20]
	return func(w *bags.Writer) error { return w.WriteImage(camera, m) }
}

func TestBadContent(t *testing.T) {
	brokenJPEG := &msgs.CompressedImage{Header: header(9), Format: "jpeg",
		Data: []byte{0xff, 0xd8, 0xff}}
	other := msgs.NewImage(header(1), img(50)) // stamped as another image is
	tests := []struct {
		name  string
		steps []step
		kind  error
		want  string
		kept  int // transitions after repair
	}{
		{"an image short of bytes", []step{sees(1), seesBroken(2), sees(3), does(1, 1, 3)}, bags.ErrImage,
			camera + "[1]: bad image: ", 1},
		{"a reference to it", []step{sees(1), seesBroken(2), does(1, 1, 2)}, bags.ErrReference,
			"cannot be decoded", 0},
		{"a broken jpeg", []step{raw("/jpeg", "sensor_msgs/msg/CompressedImage", brokenJPEG)},
			bags.ErrImage, "/jpeg[0]", 0},
		{"two images with one stamp", []step{sees(1), raw(camera, "sensor_msgs/msg/Image", other),
			sees(2), does(1, 1, 2)}, bags.ErrReference, "several images", 0},
		{"a payload of another type", []step{sees(1), sees(2), does(1, 1, 2),
			raw("/s", "std_msgs/msg/String",
				header2())}, bags.ErrDamaged, "/s[0]: damaged: decode std_msgs/msg/String", 1},
	}
	for _, tt := range tests {
		dir := bag(t, bags.Options{}, tt.steps...)
		report := check(dir)
		if report.FaultCount == 0 || !errors.Is(lastFault(report), tt.kind) ||
			!strings.Contains(lastFault(report).Error(), tt.want) {
			t.Errorf("%s: want %q: %s", tt.name, tt.want, report)
		}
		if report.Class == bags.Unusable {
			continue
		}
		if repaired := repair(dir); repaired.Kept != tt.kept {
			t.Errorf("%s: repair kept %+v", tt.name, repaired)
		}
		intact(t, dir, tt.kept)
	}
}

func header2() msgs.Message { h := header(1); return &h }

func lastFault(r *bags.Report) *bags.Fault { return r.Faults[len(r.Faults)-1] }

func TestRepairKeepsOtherTopics(t *testing.T) {
	dir := must(copyBag(t, realBag("multiple_files_mcap")))
	if report := repair(dir); !report.Repaired {
		t.Fatalf("%+v", report)
	}
	if after := intact(t, dir, 0); after.Messages != 3177 {
		t.Errorf("%s", after)
	}
	// sqlite3 becomes MCAP when it is repaired; an intact one is left alone.
	dir = must(copyBag(t, realBag("talker_sqlite3")))
	if report := repair(dir); report.Repaired {
		t.Errorf("%+v", report)
	}
}

func copyBag(t *testing.T, from string) (string, error) {
	dir := filepath.Join(t.TempDir(), filepath.Base(from))
	return dir, os.CopyFS(dir, os.DirFS(from))
}

func TestSeveralGoroutinesWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w := must(bags.Create(dir, bags.Options{SyncEvery: 10, ChunkSize: 1000}))
	done := make(chan error)
	for g := range 4 {
		go func() {
			for i := range 20 {
				sec := 100*g + 2*i
				if err := errors.Join(sees(sec)(w), sees(sec+1)(w), does(1, sec, sec+1)(w),
					reports(1, 1)(w)); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	must(0, errors.Join(<-done, <-done, <-done, <-done, w.Close()))
	if report := intact(t, dir, 80); report.Messages != 320 {
		t.Errorf("%s", report)
	}
}

// damaged puts changed data into a copy of a recording, with or without its metadata.yaml.
func damaged(t testing.TB, dir string, data []byte, keepMetadata bool) string {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "run")
	must(0, os.Mkdir(copied, 0o755))
	rewrite(dataFile(copied), data)
	if keepMetadata {
		rewrite(filepath.Join(copied, "metadata.yaml"),
			contents(filepath.Join(dir, "metadata.yaml")))
	}
	return copied
}

func rewrite(path string, data []byte) {
	must(0, os.WriteFile(path, data, 0o644))
}

// acknowledgedAt makes a recording and returns its data, and for each transition the size at which
// it was acknowledged.
func acknowledgedAt(t testing.TB, o bags.Options, n int) (dir string, data []byte, sizes []int64) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "run")
	w := must(bags.Create(dir, fixed(o)))
	must(0, sees(0)(w))
	for i := 1; i <= n; i++ {
		must(0, errors.Join(sees(i)(w), does(uint32(i), i-1, i)(w)))
		sizes = append(sizes, w.Size())
	}
	must(0, w.Close())
	return dir, contents(dataFile(dir)), sizes
}

// acknowledgedBy is how many transitions were acknowledged when the file had so many bytes.
func acknowledgedBy(sizes []int64, bytes int) (n int) {
	for _, size := range sizes {
		if size <= int64(bytes) {
			n++
		}
	}
	return n
}

func TestEveryTruncation(t *testing.T) {
	for compression, stride := range map[string]int{"": 1, "zstd": 7} {
		_, data, sizes := acknowledgedAt(t, bags.Options{Compression: compression}, 2)
		dir := damaged(t, "", data, false)
		for cut := len(data) - 1; cut >= 0; cut -= stride {
			must(0, os.Truncate(dataFile(dir), int64(cut)))
			want := acknowledgedBy(sizes, cut)
			report := check(dir)
			if report.Class == bags.Intact || report.Transitions < want || report.Transitions > len(sizes) {
				t.Fatalf("cut to %d of %d bytes, %d acknowledged: %s", cut, len(data), want, report)
			}
			if cut%3 != 0 {
				continue
			}
			if got, err := attempts(t, dir); len(got) < want || err == nil && len(got) < len(sizes) {
				t.Fatalf("cut to %d of %d bytes: read %d of %d transitions, error %v", cut, len(data), len(got),
					want, err)
			}
		}
	}
}

func TestRepairAfterTruncation(t *testing.T) {
	_, data, sizes := acknowledgedAt(t, bags.Options{}, 3)
	for cut := 0; cut < len(data); cut += 397 {
		dir := damaged(t, "", data[:cut], false)
		want := acknowledgedBy(sizes, cut)
		report, err := bags.Repair(context.Background(), dir, decode, nil)
		if errors.Is(err, bags.ErrNothingToKeep) && want == 0 {
			continue
		}
		if err != nil || !report.Repaired || report.Kept < want {
			t.Fatalf("cut to %d, %d acknowledged: %+v, %v", cut, want, report, err)
		}
		intact(t, dir, report.Kept)
		if got := contents(dataFile(report.Backup)); string(got) != string(data[:cut]) {
			t.Fatalf("cut to %d: the backup is not what was found", cut)
		}
	}
}

func TestRepairCountsWhatIsLost(t *testing.T) {
	dir, data, sizes := acknowledgedAt(t, bags.Options{}, 3)
	if report := repair(dir); report.Repaired || report.Kept != 3 || report.Backup != "" {
		t.Errorf("an intact recording: %+v", report)
	}
	// The last transition is cut off within its own bytes.
	report := repair(damaged(t, dir, data[:sizes[2]-100], false))
	if report.Kept != 2 || report.Lost != 1 || report.Before.Class.ExitCode() != 3 {
		t.Errorf("%+v", report)
	}
	// The chunk in the middle is damaged: its transition is lost, and the next one with it, which
	// began at its image.
	flipped := slices.Clone(data)
	flipped[sizes[1]-400] ^= 1
	if report := repair(damaged(t, dir, flipped, false)); report.Kept != 1 || report.Lost != 2 {
		t.Errorf("%+v, %s", report, report.Before)
	}
}

// A closed recording is covered by CRCs from end to end: no single flipped bit may go unnoticed,
// and none may make reading or repair panic.
func TestEveryFlippedBitIsNoticed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, compression := range []string{"", "zstd"} {
		whole, data, _ := acknowledgedAt(t, bags.Options{Compression: compression}, 2)
		dir := damaged(t, whole, data, true)
		for at := 0; at < len(data); at += 1 + r.IntN(15) {
			bit := byte(1) << r.IntN(8)
			poke(dataFile(dir), at, data[at]^bit)
			if report := check(dir); report.Class == bags.Intact {
				t.Errorf("%q: byte %d with bit %02x flipped passes: %s", compression, at, bit, report)
			}
			attempts(t, dir)
			poke(dataFile(dir), at, data[at])
		}
	}
}

func poke(path string, at int, b byte) {
	f := must(os.OpenFile(path, os.O_WRONLY, 0))
	must(f.WriteAt([]byte{b}, int64(at)))
	must(0, f.Close())
}

// A killed recording has no CRC over all, but each chunk has its own: what reads as whole is what
// was written.
func TestFlippedBitsInKilledRecording(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	_, data, sizes := acknowledgedAt(t, bags.Options{}, 2)
	data = data[:sizes[1]]
	for range 100 {
		at, bit := r.IntN(len(data)), byte(1)<<r.IntN(8)
		data[at] ^= bit
		dir := damaged(t, "", data, false)
		if report, err := bags.Repair(context.Background(), dir, decode, nil); err == nil {
			got, err := attempts(t, dir) // compares pixels
			if err != nil || len(got) != report.Kept {
				t.Errorf("byte %d: %d transitions after %+v, %v", at, len(got), report, err)
			}
		} else if !errors.Is(err, bags.ErrNothingToKeep) {
			t.Errorf("byte %d: %v", at, err)
		}
		data[at] ^= bit
	}
}

func TestFaultsSayWhatAndWhere(t *testing.T) {
	whole, data, sizes := acknowledgedAt(t, bags.Options{}, 2)
	flip := func(at int64) []byte {
		changed := slices.Clone(data)
		changed[at] ^= 0xff
		return changed
	}
	tests := []struct {
		name string
		dir  string
		kind error
		want string
	}{
		{"cut", damaged(t, whole, data[:sizes[0]+200], true), bags.ErrTruncated, "run_0.mcap: byte "},
		{"empty", damaged(t, whole, nil, true), bags.ErrTruncated,
			"run_0.mcap: byte 0: the file ends early: 0 bytes where"},
		{"no magic", damaged(t, whole, flip(2), true), bags.ErrDamaged, "run_0.mcap: byte 0: damaged: "},
		{"chunk", damaged(t, whole, flip(sizes[0]-600), true), bags.ErrDamaged, "a chunk with CRC"},
		{"summary", damaged(t, whole, flip(int64(len(data)-300)), true), bags.ErrDamaged,
			"summary with CRC"},
		{"bytes after the end", damaged(t, whole, append(slices.Clone(data), 7), true), bags.ErrDamaged,
			"bytes after the end"},
		{"no metadata", damaged(t, whole, data, false), bags.ErrMetadata,
			"metadata.yaml: bad metadata.yaml: there is none"},
		{"empty metadata", withMetadata(t, whole, data, ""), bags.ErrMetadata, "names no version"},
		{"broken metadata", withMetadata(t, whole, data, "\t{"), bags.ErrMetadata, "yaml"},
		{"wrong count", withMetadata(t, whole, data,
			strings.Replace(string(contents(filepath.Join(whole, "metadata.yaml"))), "message_count: 5",
				"message_count: 6", 1)),
			bags.ErrMetadata, "6 messages"},
		{"another file", withMetadata(t, whole, data,
			strings.Replace(string(contents(filepath.Join(whole, "metadata.yaml"))), "path: run_0.mcap",
				"path: run_9.mcap", 1)),
			bags.ErrMetadata, "5 messages in run_9.mcap where the data has 0"},
	}
	for _, tt := range tests {
		report := check(tt.dir)
		found := false
		for _, f := range report.Faults {
			found = found || errors.Is(f, tt.kind) && strings.Contains(f.Error(), tt.want)
		}
		if !found {
			t.Errorf("%s: want %q (%v) in %s", tt.name, tt.want, tt.kind, report)
		}
	}
}

func withMetadata(t *testing.T, whole string, data []byte, text string) string {
	dir := damaged(t, whole, data, true)
	rewrite(filepath.Join(dir, "metadata.yaml"), []byte(text))
	return dir
}

// TestMissingBytesCostTheirChunkAlone removes bytes from one chunk of a recording, or puts some in.
func TestMissingBytesCostTheirChunkAlone(t *testing.T) {
	const n = 20
	r := rand.New(rand.NewPCG(5, 6))
	for _, compression := range []string{"", "zstd"} {
		for _, closed := range []bool{true, false} {
			dir, data, sizes := acknowledgedAt(t, bags.Options{Compression: compression}, n)
			if !closed {
				data = data[:sizes[n-1]]
			}
			for _, chunk := range []int{2, 3, n / 2, n - 1} { // the first has the topics' definitions
				begin, end := int(sizes[chunk-1]), int(sizes[chunk])
				at := begin + r.IntN(end-begin-1)
				for name, with := range map[string][]byte{
					"a byte missing": slices.Concat(data[:at], data[at+1:]),
					"more missing":   slices.Concat(data[:at], data[at+1+r.IntN(end-at-1):]),
					"a byte more":    slices.Concat(data[:at], []byte{6}, data[at:]),
					"zeros put into": slices.Concat(data[:at], make([]byte, 100), data[at:]),
				} {
					broken := damaged(t, dir, with, closed)
					report := repair(broken)
					want := n - 2 // the attempt after that of the chunk began with its image
					if chunk == n-1 {
						want = n - 1
					}
					if got, err := attempts(t, broken); err != nil || len(got) != report.Kept { // compares pixels
						t.Errorf("%d read after %+v, %v", len(got), report, err)
					}
					if report.Kept < want || report.Lost > n-want {
						t.Errorf("%q closed %v, chunk %d, %s at %d: kept %d of %d, lost %d",
							compression, closed, chunk, name, at-begin, report.Kept, n, report.Lost)
					}
				}
			}
		}
	}
}

// killedRecording is one whose recorder was killed after three transitions.
func killedRecording(t *testing.T) string {
	_, data, sizes := acknowledgedAt(t, bags.Options{}, 3)
	return damaged(t, "", data[:sizes[2]], false)
}

func repair(dir string) *bags.RepairReport {
	return must(bags.Repair(context.Background(), dir, decode, nil))
}

// TestARecordingIsAlwaysThere looks, all the time that it is repaired, whether it is at its path.
func TestARecordingIsAlwaysThere(t *testing.T) {
	for range 30 {
		dir := killedRecording(t)
		var ended atomic.Bool
		gone := make(chan bool)
		go func() {
			missing := false
			for !ended.Load() {
				_, err := os.Stat(dir)
				missing = missing || err != nil
			}
			gone <- missing
		}()
		report := repair(dir)
		ended.Store(true)
		if <-gone {
			t.Fatal("a kill at some instant would have left no recording")
		}
		if !report.Repaired || check(dir).Class != bags.Intact ||
			check(report.Backup).Class != bags.Repairable {
			t.Fatalf("%+v", report)
		}
	}
}

// TestRepairAfterAKilledRepair has a repair killed where two folders change places in two steps.
func TestRepairAfterAKilledRepair(t *testing.T) {
	dir := killedRecording(t)
	must(0, os.Rename(dir, dir+".damaged.old"))
	if err := os.Mkdir(dir+".damaged", 0o755); err != nil { // that it had made, whole
		t.Fatal(err)
	}
	if report := repair(dir); report.Kept != 3 || check(dir).Class != bags.Intact {
		t.Errorf("%+v", report)
	}
}

// TestRepairKeepsOtherFolders has folders of others at the names that repairs once used.
func TestRepairKeepsOtherFolders(t *testing.T) {
	dir := killedRecording(t)
	mine := []string{dir + ".repairing/thesis.tex", dir + ".damaged/thesis.tex"}
	for _, path := range mine {
		must(0, os.Mkdir(filepath.Dir(path), 0o755))
		rewrite(path, nil)
	}
	if report := repair(dir); report.Backup != dir+".damaged2" {
		t.Errorf("%+v", report)
	}
	for _, path := range mine {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

func TestReserveOfOthersIsKept(t *testing.T) {
	dir := killedRecording(t)
	mine := filepath.Join(dir, ".reserve")
	rewrite(mine, []byte("mine"))
	if _, err := bags.Repair(context.Background(), dir, decode, nil); err == nil ||
		string(contents(mine)) != "mine" {
		t.Errorf("%v", err)
	}
}
