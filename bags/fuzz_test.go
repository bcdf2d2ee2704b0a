package bags

import (
	"bytes"
	"context"
	"image"
	"os"
	"path/filepath"
	"testing"
	"time"

	"stripswm/msgs"
)

// seed is a small recording's data.
func seed(t testing.TB, compression string) []byte {
	dir := filepath.Join(t.TempDir(), "run")
	w, err := Create(dir, Options{Compression: compression, Clock: func() time.Time {
		return time.Unix(5, 0)
	}})
	if err != nil {
		t.Fatal(err)
	}
	small := image.NewGray(image.Rect(0, 0, 2, 2))
	for sec := range int32(3) {
		if err := w.WriteImage("/c", msgs.NewImage(msgs.Header{Stamp: msgs.Time{Sec: sec}},
			small)); err != nil {
			t.Fatal(err)
		}
		if sec == 0 {
			continue
		}
		err := w.WriteTransition(&msgs.Transition{ImageTopic: "/c", Before: msgs.Time{Sec: sec - 1},
			Action: 1,
			After:  msgs.Time{Sec: sec}, Outcome: msgs.TransitionSucceeded})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, w.name))
	if err != nil {
		t.Fatal(err)
	}
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
		if err := os.WriteFile(filepath.Join(dir, metadataName), text, 0o644); err != nil {
			t.Fatal(err)
		}
		names, _, _, _ := dataFiles(dir)
		for _, name := range names {
			if filepath.Base(name) != name {
				t.Errorf("a data file %q outside the recording", name)
			}
		}
	})
}
