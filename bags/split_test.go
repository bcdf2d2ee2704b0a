package bags_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/foxglove/mcap/go/mcap"
	"gopkg.in/yaml.v3"
	"stripswm/bags"
)

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
	got, err := attempts(t, dir)
	if err != nil || !slices.Equal(got, three) {
		t.Errorf("read %v, %v", got, err)
	}
	report := check(t, dir)
	if report.Class != bags.Intact || report.Transitions != 3 || report.Amended != 1 ||
		report.Messages != 8 {
		t.Errorf("%s", report)
	}
	if kept, err := bags.Repair(context.Background(), dir, decode, nil); err != nil || kept.Repaired {
		t.Errorf("repair: %+v, %v", kept, err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		names[i] = filepath.Base(name)
	}
	if want := []string{"metadata.yaml", "run_0.mcap", "run_1.mcap", "run_2.mcap"}; !slices.Equal(
		names, want) {
		t.Errorf("files %v, want %v", names, want)
	}
	again := bag(t, bags.Options{}, inThreeFiles()...)
	for _, name := range names {
		if !bytes.Equal(contents(t, filepath.Join(dir, name)), contents(t, filepath.Join(again, name))) {
			t.Errorf("the same recording again has another %s", name)
		}
	}
}

func TestSplitMetadata(t *testing.T) {
	dir := bag(t, bags.Options{}, inThreeFiles()...)
	var m struct {
		Info struct {
			Start    map[string]int64 `yaml:"starting_time"`
			Duration map[string]int64
			Messages int      `yaml:"message_count"`
			Paths    []string `yaml:"relative_file_paths"`
			Files    []struct {
				Path     string
				Start    map[string]int64 `yaml:"starting_time"`
				Duration map[string]int64
				Messages int `yaml:"message_count"`
			}
			Topics []struct {
				Messages int `yaml:"message_count"`
			} `yaml:"topics_with_message_count"`
		} `yaml:"rosbag2_bagfile_information"`
	}
	if err := yaml.Unmarshal(contents(t, filepath.Join(dir, "metadata.yaml")), &m); err != nil {
		t.Fatal(err)
	}
	end, sum := int64(0), 0
	for i, f := range m.Info.Files {
		if f.Path != m.Info.Paths[i] || f.Start["nanoseconds_since_epoch"] < end {
			t.Errorf("file %d: %+v", i, f)
		}
		end, sum = f.Start["nanoseconds_since_epoch"]+f.Duration["nanoseconds"], sum+f.Messages

		// Each file says what topics it holds: the library reads it by itself.
		file, err := os.Open(filepath.Join(dir, f.Path))
		if err != nil {
			t.Fatal(err)
		}
		r, err := mcap.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		info, err := r.Info()
		if err != nil || int(info.Statistics.MessageCount) != f.Messages || len(info.Channels) == 0 {
			t.Errorf("%s: %+v, %v; want %d messages", f.Path, info, err, f.Messages)
		}
		r.Close()
		file.Close()
	}
	if len(m.Info.Paths) != 3 || sum != m.Info.Messages ||
		end != m.Info.Start["nanoseconds_since_epoch"]+m.Info.Duration["nanoseconds"] {
		t.Errorf("%+v", m.Info)
	}
	if n := m.Info.Topics[0].Messages + m.Info.Topics[1].Messages; n != sum {
		t.Errorf("%d messages by topic, %d in all", n, sum)
	}
	wrong := strings.Replace(string(contents(t, filepath.Join(dir, "metadata.yaml"))),
		"run_1.mcap\n          starting_time", "run_9.mcap\n          starting_time", 1)
	rewrite(t, filepath.Join(dir, "metadata.yaml"), []byte(wrong))
	if report := check(t, dir); report.Class != bags.Repairable ||
		!errors.Is(report.Faults[0], bags.ErrMetadata) {
		t.Errorf("a file's number that is wrong: %s", report)
	}
}

// What is whole in any file is kept, in as many files.
func TestRepairKeepsFiles(t *testing.T) {
	dir := bag(t, bags.Options{}, inThreeFiles()...)
	path := filepath.Join(dir, "run_1.mcap")
	data := contents(t, path)
	rewrite(t, path, data[:len(data)-10])
	if err := os.Remove(filepath.Join(dir, "metadata.yaml")); err != nil {
		t.Fatal(err)
	}
	kept, err := bags.Repair(context.Background(), dir, decode, nil)
	if err != nil || kept.Kept != 4 || kept.Lost != 0 {
		t.Fatalf("%+v, %v", kept, err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "run_?.mcap")); len(files) != 3 {
		t.Errorf("files %v", files)
	}
	if got, err := attempts(t, dir); err != nil || !slices.Equal(got, three) {
		t.Errorf("read %v, %v", got, err)
	}

	// A chunk that is damaged takes its transition along, and the count says so.
	data = contents(t, path)
	data[len(data)/2] ^= 0xff
	rewrite(t, path, data)
	if kept, err = bags.Repair(context.Background(), dir, decode, nil); err != nil ||
		kept.Kept+kept.Lost != 4 || kept.Lost == 0 {
		t.Errorf("%+v, %v", kept, err)
	}
}

func TestSplitDatabases(t *testing.T) {
	dir := t.TempDir()
	data := contents(t, filepath.Join(realBag(t, "talker_sqlite3"), "talker.db3"))
	for _, name := range []string{"talker_0.db3", "talker_1.db3"} {
		rewrite(t, filepath.Join(dir, name), data)
	}
	if n := len(read(t, dir, "/topic")); n != 20 {
		t.Errorf("%d messages, want 20", n)
	}
	if report := check(t, dir); report.Messages != 40 || report.FaultCount != 1 {
		t.Errorf("%s", report)
	}
}

// A smallDisk holds so many bytes in all its files.
type smallDisk struct{ room int64 }

type smallFile struct {
	*os.File
	disk *smallDisk
	size int64
}

func (d *smallDisk) open(path string) (bags.File, error) {
	if d.room == 0 {
		return nil, syscall.ENOSPC
	}
	f, err := os.Create(path)
	return &smallFile{File: f, disk: d}, err
}

func (f *smallFile) WriteAt(p []byte, at int64) (int, error) {
	grows := at + int64(len(p)) - f.size
	if grows > f.disk.room {
		return 0, &os.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
	}
	f.disk.room -= grows
	f.size += grows
	return f.File.WriteAt(p, at)
}

func TestSplitOnFullDisk(t *testing.T) {
	const n = 4
	for room := int64(1000); ; room += 311 {
		dir := filepath.Join(t.TempDir(), "run")
		w, err := bags.Create(dir, fixed(bags.Options{OpenFile: (&smallDisk{room}).open}))
		if err != nil {
			t.Fatal(err)
		}
		acknowledged, failed := 0, false
		for i := range n {
			if errors.Join(sees(2*i)(w), sees(2*i+1)(w), does(uint32(i+1), 2*i, 2*i+1)(w)) == nil {
				acknowledged++
			}
			if err := w.Split(); err != nil {
				failed = true
				if !errors.Is(err, syscall.ENOSPC) {
					t.Fatal(err)
				}
			}
		}
		closed := w.Close()
		if acknowledged == n && !failed && closed == nil {
			break // all fits
		}
		report, err := bags.Repair(context.Background(), dir, decode, nil)
		if acknowledged == 0 && errors.Is(err, bags.ErrNothingToKeep) {
			continue
		}
		if err != nil || report.Kept < acknowledged {
			t.Fatalf("room for %d bytes: kept %+v of %d acknowledged, %v", room, report, acknowledged, err)
		}
		if got, err := attempts(t, dir); err != nil || len(got) != report.Kept {
			t.Fatalf("room for %d bytes: read %d, %v", room, len(got), err)
		}
	}
}

// Where the next file cannot be made, the recording goes on in the old one.
func TestSplitThatCannotBegin(t *testing.T) {
	full := false
	dir := filepath.Join(t.TempDir(), "run")
	w, err := bags.Create(dir, fixed(bags.Options{OpenFile: func(path string) (bags.File, error) {
		if full {
			return nil, syscall.ENOSPC
		}
		return os.Create(path)
	}}))
	if err != nil {
		t.Fatal(err)
	}
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
	if got, err := attempts(t, dir); err != nil || !slices.Equal(got, three) ||
		check(t, dir).Class != bags.Intact {
		t.Errorf("%v, %v", got, err)
	}
	if err := w.Split(); !errors.Is(err, bags.ErrClosed) {
		t.Errorf("after close: %v", err)
	}
}

// Statistics count the messages of their file only; what is lost is counted over all files.
func TestLostInALaterFile(t *testing.T) {
	dir := bag(t, bags.Options{Compression: "zstd"}, sees(1), sees(2), does(7, 1, 2), splits, sees(3),
		does(8, 2, 3), sees(4), does(9, 3, 4))
	path := filepath.Join(dir, "run_1.mcap")
	data := contents(t, path)
	last := bytes.LastIndex(data, []byte{0x28, 0xb5, 0x2f, 0xfd}) // zstd's magic: the second chunk
	data[last+20] ^= 0xff
	rewrite(t, path, data)
	if report := check(t, dir); report.Lost != 1 || report.Transitions != 2 {
		t.Errorf("%s", report)
	}
}
