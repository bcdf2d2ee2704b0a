package bags_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stripswm/bags"
)

// A disk has little room, or fails to sync.
type disk struct {
	room  int64 // bytes that it still takes
	held  int64 // of them, while a file is there
	while string
	short bool // when full it takes a part and says nothing
	syncs int  // that succeed; negative: all
}

type diskFile struct {
	*os.File
	disk *disk
	size int64
}

// options record to the disk.
func (d *disk) options() bags.Options {
	return fixed(bags.Options{OpenFile: func(path string) (bags.File, error) {
		file, err := os.Create(path)
		return &diskFile{File: file, disk: d}, err
	}})
}

func (f *diskFile) WriteAt(p []byte, at int64) (int, error) {
	d, room, grows := f.disk, f.disk.room, at+int64(len(p))-f.size
	if _, err := os.Stat(d.while); err == nil {
		room -= d.held
	}
	if grows <= room {
		d.room -= grows
		f.size += grows
		return f.File.WriteAt(p, at)
	}
	n, _ := f.File.WriteAt(p[:max(0, f.size+room-at)], at)
	if d.short {
		return n, nil
	}
	return n, &os.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
}

func (f *diskFile) Sync() error {
	if f.disk.syncs == 0 {
		return &os.PathError{Op: "sync", Path: f.Name(), Err: syscall.EIO}
	}
	f.disk.syncs--
	return nil
}

// recordUntil writes attempts until one fails, and returns how many were acknowledged.
func recordUntil(w *bags.Writer, n int) (acknowledged int, err error) {
	if err := sees(0)(w); err != nil {
		return 0, err
	}
	for i := 1; i <= n; i++ {
		if err := errors.Join(sees(i)(w), does(uint32(i), i-1, i)(w)); err != nil {
			return i - 1, err
		}
	}
	return n, nil
}

// TestFullDiskLosesNothingAcknowledged lets the disk fill up at every point, in one file or with a
// split after each attempt, and goes on in spite of errors.
func TestFullDiskLosesNothingAcknowledged(t *testing.T) {
	const n = 4
	try := func(room int64, short, splits bool) (done bool) {
		full := &disk{room: room, short: short, syncs: -1}
		dir := filepath.Join(t.TempDir(), "run")
		w, err := bags.Create(dir, full.options())
		if err != nil {
			if room > 100 {
				t.Fatal(err)
			}
			return false
		}
		acknowledged := 0
		for i := range n {
			one := errors.Join(sees(2*i)(w), sees(2*i+1)(w), does(uint32(i+1), 2*i, 2*i+1)(w))
			if one == nil {
				acknowledged++
			}
			if splits {
				one = errors.Join(one, w.Split())
			}
			err = errors.Join(err, one)
		}
		if err = errors.Join(err, w.Close()); err == nil {
			return true
		}
		want := error(syscall.ENOSPC)
		if short {
			want = io.ErrShortWrite
		}
		if !errors.Is(err, want) {
			t.Fatalf("room for %d bytes: %v", room, err)
		}
		report, err := bags.Repair(context.Background(), dir, decode, nil)
		if acknowledged == 0 && errors.Is(err, bags.ErrNothingToKeep) {
			return false
		}
		if err != nil || report.Kept < acknowledged {
			t.Fatalf("room for %d bytes: kept %+v of %d acknowledged, %v", room, report, acknowledged, err)
		}
		if got, err := attempts(t, dir); err != nil || len(got) != report.Kept {
			t.Fatalf("room for %d bytes: read %d, %v", room, len(got), err)
		}
		return false
	}
	for _, short := range []bool{false, true} {
		for _, splits := range []bool{false, true} {
			for room := int64(0); !try(room, short, splits); room += 397 {
			}
		}
	}
}

// TestFullDiskClosesInOrder lets the disk fill up at every point: the room that was reserved is
// enough to close.
func TestFullDiskClosesInOrder(t *testing.T) {
	const n, chunk = 4, 4096
	for room := int64(397); ; room += 397 {
		dir := filepath.Join(t.TempDir(), "run")
		kept := filepath.Join(dir, ".reserve")
		full := &disk{room: 1 << 30, syncs: -1, while: kept}
		o := full.options()
		o.ChunkSize = chunk
		w := must(bags.Create(dir, o))
		reserved := must(os.Stat(kept))
		full.room, full.held = room+reserved.Size()-w.Size(), reserved.Size()
		acknowledged, failed := recordUntil(w, n)
		if err := w.Close(); err != nil {
			t.Fatalf("room for %d bytes: %v", room, err)
		}
		if report := check(dir); report.Class != bags.Intact || report.Transitions < acknowledged {
			t.Fatalf("room for %d bytes, %d acknowledged: %s", room, acknowledged, report)
		}
		if _, err := os.Stat(kept); !errors.Is(err, os.ErrNotExist) {
			t.Fatalf("room for %d bytes: the reserve stays: %v", room, err)
		}
		if failed == nil {
			return // all fits
		}
		if !errors.Is(failed, syscall.ENOSPC) {
			t.Fatalf("room for %d bytes: %v", room, failed)
		}
	}
}

func TestRecordingGoesOnWhenThereIsRoomAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	full := &disk{room: 1 << 20, syncs: -1}
	w := must(bags.Create(dir, full.options()))
	must(0, errors.Join(sees(1)(w), sees(2)(w), does(7, 1, 2)(w), sees(3)(w)))
	full.room = 10
	if err := does(8, 2, 3)(w); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("a full disk: %v", err)
	}
	if err := sees(4)(w); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("still full: %v", err)
	}
	full.room = 1 << 20
	// The same transition again: it counts once.
	must(0, errors.Join(does(8, 2, 3)(w), sees(4)(w), does(9, 3, 4)(w), w.Close()))
	intact(t, dir, 3)
}

func TestFailedSyncIsFinal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w := must(bags.Create(dir, (&disk{room: 1 << 20, syncs: 1}).options()))
	acknowledged, err := recordUntil(w, 3)
	if acknowledged != 1 || !errors.Is(err, syscall.EIO) {
		t.Fatalf("%d acknowledged, %v", acknowledged, err)
	}
	if err := w.Sync(); !errors.Is(err, syscall.EIO) {
		t.Errorf("a sync after it: %v", err)
	}
	if err := w.Close(); !errors.Is(err, syscall.EIO) {
		t.Errorf("close: %v", err)
	}
	if report := check(dir); report.Class != bags.Repairable || report.Transitions < acknowledged {
		t.Errorf("%s", report)
	}
}

// splits goes on in the next file.
var splits step = (*bags.Writer).Split

// inThreeFiles is threeAttempts with a split before each attempt but the first; the second and the
// third refer to images in the file before, and an outcome is changed across a border.
func inThreeFiles() []step {
	return []step{
		sees(1), sees(2), does(7, 1, 2), splits,
		sees(3), refuses(4, 2, 3), sees(5), does(70, 3, 5), splits, splits,
		fails(70, 3, 5),
	}
}

func TestSplit(t *testing.T) {
	dir := bag(t, bags.Options{}, inThreeFiles()...)
	if kept := repair(dir); kept.Repaired {
		t.Errorf("repair: %+v", kept)
	}
	names := must(filepath.Glob(filepath.Join(dir, "*")))
	for i, name := range names {
		names[i] = filepath.Base(name)
	}
	if want := []string{"metadata.yaml", "run_0.mcap", "run_1.mcap", "run_2.mcap"}; !slices.Equal(
		names, want) {
		t.Errorf("files %v, want %v", names, want)
	}
	again := bag(t, bags.Options{}, inThreeFiles()...)
	for _, name := range names {
		if !bytes.Equal(contents(filepath.Join(dir, name)), contents(filepath.Join(again, name))) {
			t.Errorf("the same recording again has another %s", name)
		}
	}
}

// What is whole in any file is kept, in as many files.
func TestRepairKeepsFiles(t *testing.T) {
	dir := bag(t, bags.Options{}, inThreeFiles()...)
	path := filepath.Join(dir, "run_1.mcap")
	data := contents(path)
	rewrite(path, data[:len(data)-10])
	must(0, os.Remove(filepath.Join(dir, "metadata.yaml")))
	if kept := repair(dir); kept.Kept != 4 || kept.Lost != 0 {
		t.Fatalf("%+v", kept)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "run_?.mcap")); len(files) != 3 {
		t.Errorf("files %v", files)
	}
	reads(t, dir, three)

	// A chunk that is damaged takes its transition along, and the count says so.
	data = contents(path)
	data[len(data)/2] ^= 0xff
	rewrite(path, data)
	if kept := repair(dir); kept.Kept+kept.Lost != 4 || kept.Lost == 0 {
		t.Errorf("%+v", kept)
	}
}

func TestSplitDatabases(t *testing.T) {
	dir := t.TempDir()
	data := contents(filepath.Join(realBag("talker_sqlite3"), "talker.db3"))
	for _, name := range []string{"talker_0.db3", "talker_1.db3"} {
		rewrite(filepath.Join(dir, name), data)
	}
	if n := len(read(t, dir, "/topic")); n != 20 {
		t.Errorf("%d messages, want 20", n)
	}
	if report := check(dir); report.Messages != 40 || report.FaultCount != 1 {
		t.Errorf("%s", report)
	}
}

// Where the next file cannot be made, the recording goes on in the old one.
func TestSplitThatCannotBegin(t *testing.T) {
	full := false
	dir := filepath.Join(t.TempDir(), "run")
	w := must(bags.Create(dir, fixed(bags.Options{OpenFile: func(path string) (bags.File, error) {
		if full {
			return nil, syscall.ENOSPC
		}
		return os.Create(path)
	}})))
	steps := []step{sees(1), sees(2), does(7, 1, 2), func(w *bags.Writer) error {
		full = true
		if err := w.Split(); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("split: %v", err)
		}
		return nil
	}, sees(3), refuses(4, 2, 3), func(*bags.Writer) error { full = false; return nil }, splits, sees(
		5), fails(70, 3, 5), (*bags.Writer).Close}
	for i, s := range steps {
		if err := s(w); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	reads(t, dir, three)
	intact(t, dir, 3)
	if err := w.Split(); !errors.Is(err, bags.ErrClosed) {
		t.Errorf("after close: %v", err)
	}
}

// Statistics count the messages of their file only; what is lost is counted over all files.
func TestLostInALaterFile(t *testing.T) {
	dir := bag(t, bags.Options{Compression: "zstd"}, sees(1), sees(2), does(7, 1, 2), splits, sees(3),
		does(8, 2, 3), sees(4), does(9, 3, 4))
	path := filepath.Join(dir, "run_1.mcap")
	data := contents(path)
	last := bytes.LastIndex(data, []byte{0x28, 0xb5, 0x2f, 0xfd}) // zstd's magic: the second chunk
	data[last+20] ^= 0xff
	rewrite(path, data)
	if report := check(dir); report.Lost != 1 || report.Transitions != 2 {
		t.Errorf("%s", report)
	}
}

// continued goes on with a recording, which it leaves open.
func continued(t *testing.T, dir string, opts bags.Options, steps ...step) *bags.Writer {
	t.Helper()
	w, _, err := bags.Continue(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range steps {
		must(0, s(w))
	}
	return w
}

// inThreeRuns is inThreeFiles, whose recorder ended between them. Images are written again where
// transitions need them.
func inThreeRuns(t *testing.T, close bool) string {
	t.Helper()
	dir := bag(t, bags.Options{}, sees(1), sees(2), does(7, 1, 2))
	must(0, continued(t, dir, bags.Options{}, sees(2), sees(3), refuses(4, 2, 3), sees(5),
		does(70, 3, 5)).Close())
	w := continued(t, dir, bags.Options{}, sees(3), sees(5), fails(70, 3, 5))
	if close {
		must(0, w.Close())
	}
	return dir
}

func TestContinue(t *testing.T) {
	dir := inThreeRuns(t, true)
	reads(t, dir, three)
	if report := intact(t, dir, 3); report.Amended != 1 {
		t.Errorf("%s", report)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "run_?.mcap")); len(files) != 3 {
		t.Errorf("files %v", files)
	}
	w, report, err := bags.Continue(t.Context(), dir, bags.Options{})
	if err != nil || report.Transitions != 3 {
		t.Fatalf("%s, %v", report, err)
	}
	if err := w.Close(); err != nil { // nothing was added, not even a topic
		t.Fatal(err)
	}
	intact(t, dir, 3)
}

// A recorder that is killed in a later file leaves all of them, for a reader and for Repair.
func TestContinuedAndKilled(t *testing.T) {
	dir := inThreeRuns(t, false)
	if n, err := acknowledged(dir); err != nil || n != 3 {
		t.Errorf("%d transitions of one that is being made, %v", n, err)
	}
	if _, _, err := bags.Continue(t.Context(), dir, bags.Options{}); !errors.Is(err, bags.ErrInUse) {
		t.Errorf("continued while it is being made: %v", err)
	}
	killed := filepath.Join(t.TempDir(), "run")
	must(0, os.CopyFS(killed, os.DirFS(dir)))
	dir = killed
	if kept, err := bags.Recover(t.Context(), dir); err != nil || kept.Transitions != 3 ||
		kept.Amended != 1 || kept.Class != bags.Intact || len(kept.Notes) != 1 {
		t.Fatalf("%+v, %v", kept, err)
	}
	reads(t, dir, three)
	must(0, continued(t, dir, bags.Options{}, sees(8), does(9, 8, 8)).Close())
	intact(t, dir, 4)
}

// TestContinueAfterAKillAtEveryInstant cuts a recording off wherever a kill could. The recorder
// goes on, all that was acknowledged is there, and the recording as it was found is kept.
func TestContinueAfterAKillAtEveryInstant(t *testing.T) {
	const n = 3
	_, data, sizes := acknowledgedAt(t, bags.Options{}, n)
	for cut := 0; cut <= len(data); cut += 61 {
		dir := damaged(t, "", data[:cut], false)
		acknowledged := acknowledgedBy(sizes, cut)
		w, report, err := bags.Continue(t.Context(), dir, bags.Options{})
		if errors.Is(err, fs.ErrNotExist) && acknowledged == 0 {
			report = &bags.Report{}
			w, err = bags.Create(dir, bags.Options{})
		}
		if err != nil || report.Transitions < acknowledged || report.Transitions > acknowledged+1 {
			t.Fatalf("%d of %d bytes, %d acknowledged: %+v, %v", cut, len(data), acknowledged, report, err)
		}
		if got := contents(dataFile(dir + ".damaged")); len(got) != cut {
			t.Errorf("%d bytes are kept of the %d that were found", len(got), cut)
		}
		must(0, errors.Join(sees(8)(w), does(9, 8, 8)(w), w.Close()))
		got, err := attempts(t, dir)
		if err != nil || len(got) != report.Transitions+1 {
			t.Errorf("%d bytes: read %v, %v", cut, got, err)
		}
	}
}

// TestRecover has recordings without one that could be read.
func TestRecover(t *testing.T) {
	whole := killedRecording(t)
	data := contents(dataFile(whole))
	data[len(data)-len(data)/8] ^= 0xff
	for name, c := range map[string]struct {
		files map[string][]byte
		want  error
		says  string
		free  bool // the path
	}{
		"killed before its reserve": {nil, fs.ErrNotExist, "", true},
		"killed before its data": {map[string][]byte{".reserve": make([]byte, 99)}, fs.ErrNotExist, "",
			true},
		"killed before its header": {map[string][]byte{"run_0.mcap": nil}, fs.ErrNotExist, "", true},
		"somebody's folder":        {map[string][]byte{"thesis.tex": nil}, bags.ErrNoBag, "", false},
		"damaged in the middle": {map[string][]byte{"run_0.mcap": data}, bags.ErrDamaged,
			"stripswm check --repair", false},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		must(0, os.Mkdir(dir, 0o755))
		for file, data := range c.files {
			rewrite(filepath.Join(dir, file), data)
		}
		_, err := bags.Recover(t.Context(), dir)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
		kept := dir
		if _, err := os.Stat(dir); c.free != errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the path: %v", name, err)
		}
		if c.free {
			kept += ".damaged"
		}
		for file, data := range c.files {
			if got := contents(filepath.Join(kept, file)); string(got) != string(data) {
				t.Errorf("%s: %s is another", name, file)
			}
		}
	}
}

func TestWhatCannotBeContinued(t *testing.T) {
	if _, _, err := bags.Continue(t.Context(), t.TempDir()+"/none", bags.Options{}); !errors.Is(err,
		fs.ErrNotExist) {
		t.Errorf("nothing: %v", err)
	}
	dir := bag(t, bags.Options{}, sees(1), sees(2), does(7, 1, 2))
	full := errors.New("the disk is full")
	if _, _, err := bags.Continue(t.Context(), dir,
		bags.Options{OpenFile: func(string) (bags.File, error) { return nil, full }}); !errors.Is(err,
		full) {
		t.Errorf("a full disk: %v", err)
	}
	if report := check(dir); report.Class != bags.Intact {
		t.Errorf("after a full disk: %s", report)
	}
	must(0, os.Rename(filepath.Join(dir, "run_0.mcap"),
		filepath.Join(dir, "mine.mcap")))
	text := strings.ReplaceAll(string(contents(filepath.Join(dir, "metadata.yaml"))), "run_0.mcap",
		"mine.mcap")
	rewrite(filepath.Join(dir, "metadata.yaml"), []byte(text))
	if _, _, err := bags.Continue(t.Context(), dir, bags.Options{}); !errors.Is(err,
		bags.ErrUnsupported) {
		t.Errorf("another's names: %v", err)
	}
}

// TestContinueKeepsMetadataOfOthers has somebody add what rosbag2 calls custom_data.
func TestContinueKeepsMetadataOfOthers(t *testing.T) {
	dir := bag(t, bags.Options{}, threeAttempts()...)
	path := filepath.Join(dir, "metadata.yaml")
	text := append(contents(path), "    custom_data:\n        operator: mine\n"...)
	rewrite(path, text)
	if _, _, err := bags.Continue(t.Context(), dir, bags.Options{}); !errors.Is(err,
		bags.ErrUnsupported) {
		t.Errorf("%v", err)
	}
	if string(contents(path)) != string(text) {
		t.Error("it is another")
	}
}

// A journal is what a recorder did to its data files, in order.
type journal struct {
	ops          []op
	acknowledged []int // number of ops when each transition was
}

// An op creates a file, or writes to it, cuts it or syncs it.
type op struct {
	file string
	kind byte // 'c', 'w', 't', 's'
	at   int64
	data []byte
}

type journalFile struct {
	*journal
	name string
}

func (j *journal) open(path string) (bags.File, error) {
	f := journalFile{j, filepath.Base(path)}
	f.note('c', 0, nil)
	return f, nil
}

func (f journalFile) note(kind byte, at int64, data []byte) {
	f.ops = append(f.ops, op{f.name, kind, at, slices.Clone(data)})
}

func (f journalFile) WriteAt(p []byte, at int64) (int, error) {
	f.note('w', at, p)
	return len(p),
		nil
}
func (f journalFile) Truncate(size int64) error { f.note('t', size, nil); return nil }
func (f journalFile) Sync() error               { f.note('s', 0, nil); return nil }
func (f journalFile) Close() error              { return nil }

// journalOf notes what the steps do; plan has an 'a' for an attempt, an 'i' for an image more and
// an 's' for a split.
func journalOf(t interface{ Fatal(...any) }, dir, plan string) *journal {
	j := &journal{}
	w := must(bags.Create(filepath.Join(dir, "recorded"), fixed(bags.Options{OpenFile: j.open})))
	run := func(steps ...step) {
		for _, s := range steps {
			must(0, s(w))
		}
	}
	run(sees(0))
	sec, last, action := 0, 0, uint32(0)
	for _, what := range plan {
		switch what {
		case 'i':
			sec++
			run(sees(sec))
		case 's':
			run(splits)
		case 'a':
			sec++
			action++
			run(sees(sec), does(action, last, sec))
			j.acknowledged = append(j.acknowledged, len(j.ops))
			last = sec
		}
	}
	run((*bags.Writer).Close)
	return j
}

// crash writes the files as they were after n ops and a share of the next one's bytes. After a loss
// of power, each file has what was synced, and that share of the rest.
func (j *journal) crash(t interface{ Fatal(...any) }, dir string, n int, share float64,
	power bool,
) {
	must(0, os.Mkdir(dir, 0o755))
	files, synced := map[string][]byte{}, map[string]int{}
	for i, o := range j.ops {
		data := o.data
		if i > n || i == n && o.kind != 'w' {
			break
		} else if i == n {
			data = data[:int(share*float64(len(data)))]
		}
		switch o.kind {
		case 'c', 't':
			files[o.file] = files[o.file][:o.at]
		case 'w':
			files[o.file] = append(files[o.file][:o.at], data...)
		case 's':
			synced[o.file] = len(files[o.file])
		}
	}
	for name, data := range files {
		if power {
			data = data[:synced[name]+int(share*float64(len(data)-synced[name]))]
		}
		must(0, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
}

// survives repairs what a crash left, and counts the transitions in it and those acknowledged.
func (j *journal) survives(t *testing.T, dir string, n int) (kept, acknowledged int, err error) {
	for _, ops := range j.acknowledged {
		if ops <= n {
			acknowledged++
		}
	}
	report, err := bags.Repair(context.Background(), dir, decode, nil)
	if acknowledged == 0 && (errors.Is(err, bags.ErrNothingToKeep) || errors.Is(err, bags.ErrNoBag)) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, acknowledged, err
	}
	got, err := attempts(t, dir)
	if err != nil {
		return 0, acknowledged, err
	}
	for i, a := range got {
		if a.Action != uint32(i+1) {
			return i, acknowledged, errors.New("transitions are missing or doubled")
		}
	}
	if report.Before.Class == bags.Intact || check(dir).Class != bags.Intact {
		return len(got), acknowledged, errors.New("intact without metadata, or not after the repair")
	}
	return len(got), acknowledged, nil
}

// TestEveryCrash ends a recording in three files after each op, within each write, by kill and by
// loss of power.
func TestEveryCrash(t *testing.T) {
	j := journalOf(t, t.TempDir(), "aiasaiasia")
	base := t.TempDir()
	for n := range len(j.ops) + 1 {
		for i, share := range []float64{0, 0.01, 0.5, 0.99, 1} {
			for _, power := range []bool{false, true} {
				dir := filepath.Join(base, "run")
				j.crash(t, dir, n, share, power)
				if kept, acknowledged, err := j.survives(t, dir, n); err != nil || kept < acknowledged {
					t.Errorf("crash after op %d, share %d, loss of power %t: kept %d of %d acknowledged: %v", n, i,
						power, kept, acknowledged, err)
				}
				for _, left := range []string{"", ".damaged"} {
					must(0, os.RemoveAll(dir+left))
				}
			}
		}
	}
}

// TestAnyCrash does so at random, with random recordings.
func TestAnyCrash(t *testing.T) {
	base := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		temp, err := os.MkdirTemp(base, "crash-*")
		if err != nil {
			r.Fatal(err)
		}
		defer os.RemoveAll(temp)
		j := journalOf(r, temp, rapid.StringMatching(`[aais]{0,12}`).Draw(r, "plan"))
		n := rapid.IntRange(0, len(j.ops)).Draw(r, "ops")
		dir := filepath.Join(temp, "run")
		j.crash(r, dir, n, rapid.Float64Range(0, 1).Draw(r, "share"), rapid.Bool().Draw(r, "power"))
		if kept, acknowledged, err := j.survives(t, dir, n); err != nil || kept < acknowledged {
			r.Errorf("kept %d of %d acknowledged: %v", kept, acknowledged, err)
		}
	})
}

// recordTo, in the environment, makes the test binary a recorder that never ends by itself.
const recordTo = "STRIPS_WM_TEST_RECORD_TO"

func TestMain(m *testing.M) {
	if dir := os.Getenv(recordTo); dir != "" {
		if err := recordForever(dir); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// recordForever prints the number of each transition when it is acknowledged. It splits after every
// third, and goes on with a recording that is there.
func recordForever(dir string) error {
	before := 0
	w, report, err := bags.Continue(context.Background(), dir, bags.Options{})
	if errors.Is(err, fs.ErrNotExist) {
		w, err = bags.Create(dir, bags.Options{})
	} else if err == nil {
		before = report.Transitions
	}
	if err != nil {
		return err
	}
	if err := sees(before)(w); err != nil {
		return err
	}
	for i := before + 1; ; i++ {
		if err := sees(i)(w); err != nil {
			return err
		}
		if err := does(uint32(i), i-1, i)(w); err != nil {
			return err
		}
		fmt.Println(i)
		if i%3 == 0 {
			if err := w.Split(); err != nil {
				return err
			}
		}
	}
}

// TestAcknowledgedTransitionsSurviveKill kills a recorder at random instants, STRIPS_WM_KILLS of
// them if the environment says so. In every other round it goes on with a recording of four. One in
// three comes while, or just after, the recording goes on in the next file.
func TestAcknowledgedTransitionsSurviveKill(t *testing.T) {
	rounds := 5
	if n, err := strconv.Atoi(os.Getenv("STRIPS_WM_KILLS")); err == nil {
		rounds = n
	}
	r := rand.New(rand.NewPCG(5, 6))
	for round := range rounds {
		dir, before := filepath.Join(t.TempDir(), "run"), 0
		if round%2 == 1 {
			before = 4
			steps := []step{sees(0)}
			for i := range before {
				steps = append(steps, sees(i+1), does(uint32(i+1), i, i+1))
			}
			dir = bag(t, bags.Options{}, steps...)
		}
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), recordTo+"="+dir)
		out := must(child.StdoutPipe())
		must(0, child.Start())
		after := before + 1 + r.IntN(10)
		acknowledged := 0
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "error") {
				t.Fatal(lines.Text())
			}
			if n, err := strconv.Atoi(lines.Text()); err == nil {
				acknowledged = n
			}
			if acknowledged == after {
				time.Sleep(time.Duration(r.IntN(2_000)) * time.Microsecond)
				must(0, child.Process.Kill())
			}
		}
		if child.Wait() == nil {
			t.Fatal("the recorder was not killed")
		}
		report, err := bags.Repair(context.Background(), dir, decode, nil)
		if err != nil || !report.Repaired || report.Kept < acknowledged || report.Kept > acknowledged+1 {
			t.Fatalf("round %d: %d acknowledged: %+v, %v", round, acknowledged, report, err)
		}
		got, err := attempts(t, dir)
		if err != nil || len(got) != report.Kept {
			t.Fatalf("round %d: read %d, %v", round, len(got), err)
		}
		for i, a := range got {
			if a != (attempt{i, uint32(i + 1), bags.Succeeded, i, i + 1}) {
				t.Errorf("round %d: transition %d is %+v", round, i, a)
			}
		}
	}
}
