package bags_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
	"stripswm/bags"
	"stripswm/msgs"
)

var three = []attempt{{0, 7, bags.Succeeded, 1, 2}, {1, 4, bags.Refused, 2, 3},
	{2, 70, bags.Failed, 3, 5}}

func TestTransitionsComeBack(t *testing.T) {
	for name, o := range map[string]bags.Options{
		"synced each":   {},
		"synced by two": {SyncEvery: 2},
		"synced at end": {SyncEvery: -1},
		"small chunks":  {SyncEvery: -1, ChunkSize: 100},
		"zstd":          {Compression: "zstd"},
	} {
		dir := bag(t, o, threeAttempts()...)
		got, err := attempts(t, dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(three, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		report := check(t, dir)
		if report.Class != bags.Intact {
			t.Errorf("%s: %s", name, report)
		}
		if report.Transitions != 3 || report.Succeeded != 1 || report.Refused != 1 ||
			report.Failed != 1 || report.Images != 4 || report.Messages != 8 {
			t.Errorf("%s: counts are wrong: %s", name, report)
		}
		if diff := cmp.Diff(map[uint32]int{7: 1, 4: 1, 70: 1}, report.Actions); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestCompressedImagesComeBack(t *testing.T) {
	dir := bag(t, bags.Options{}, seesJPEG(1), seesJPEG(2), does(3, 1, 2))
	got, err := attempts(t, dir)
	if err != nil || !slices.Equal(got, []attempt{{0, 3, bags.Succeeded, 1, 2}}) {
		t.Errorf("got %v, %v", got, err)
	}
	if report := check(t, dir); report.Class != bags.Intact ||
		report.Topics[0].Formats["8x6 jpeg"] != 2 {
		t.Errorf("%s %v", report, report.Topics)
	}
}

func TestTheLastOfEqualTransitionsCounts(t *testing.T) {
	dir := bag(t, bags.Options{}, sees(1), sees(2), does(7, 1, 2), fails(7, 1, 2), sees(3),
		does(8, 2, 3))
	got, err := attempts(t, dir)
	if err != nil ||
		!slices.Equal(got, []attempt{{0, 7, bags.Failed, 1, 2}, {1, 8, bags.Succeeded, 2, 3}}) {
		t.Errorf("got %v, %v", got, err)
	}
	report := check(t, dir)
	if report.Class != bags.Intact || report.Transitions != 2 || report.Amended != 1 ||
		report.Failed != 1 || report.Succeeded != 1 {
		t.Errorf("%s", report)
	}
}

func TestEmptyAndOneTransition(t *testing.T) {
	if report := check(t, bag(t, bags.Options{})); report.Class != bags.Intact ||
		report.Messages != 0 {
		t.Errorf("empty: %s", report)
	}
	dir := bag(t, bags.Options{}, sees(1), refuses(2, 1, 1))
	if report := check(t, dir); report.Class != bags.Intact || report.Transitions != 1 {
		t.Errorf("one transition: %s", report)
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
		w, err := bags.Create(filepath.Join(t.TempDir(), "run"), bags.Options{})
		if err != nil {
			t.Fatal(err)
		}
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

func TestSameInputSameBytes(t *testing.T) {
	a, b := bag(t, bags.Options{}, threeAttempts()...), bag(t, bags.Options{}, threeAttempts()...)
	for _, name := range []string{"run_0.mcap", "metadata.yaml"} {
		if !bytes.Equal(contents(t, filepath.Join(a, name)), contents(t, filepath.Join(b, name))) {
			t.Errorf("%s differs", name)
		}
	}
	one, err := bags.Hash(a)
	if err != nil {
		t.Fatal(err)
	}
	two, _ := bags.Hash(b)
	other, _ := bags.Hash(bag(t, bags.Options{}, sees(1)))
	if one != two || one == other || len(one) != 64 {
		t.Errorf("hashes %s, %s, %s", one, two, other)
	}
}

// The library's own reader, and so Foxglove's tools, must take our files.
func TestLibraryReadsOurFiles(t *testing.T) {
	f, err := os.Open(dataFile(bag(t, bags.Options{}, threeAttempts()...)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := mcap.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	info, err := r.Info()
	if err != nil {
		t.Fatal(err)
	}
	if info.Header.Profile != "ros2" || info.Statistics.MessageCount != 8 ||
		info.Statistics.ChunkCount != 3 {
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
	it, err := r.Messages()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for {
		if _, _, _, err := it.NextInto(nil); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 8 {
		t.Errorf("%d messages", n)
	}
}

// The keys are those that rosbag2's decoder requires of version 5 (rosbag2_storage/yaml.hpp).
func TestMetadata(t *testing.T) {
	text := contents(t, filepath.Join(bag(t, bags.Options{}, threeAttempts()...), "metadata.yaml"))
	var m map[string]map[string]any
	if err := yaml.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	info := m["rosbag2_bagfile_information"]
	for key, want := range map[string]any{
		"version": 5, "storage_identifier": "mcap", "message_count": 8, "compression_format": "",
		"compression_mode":    "",
		"duration":            map[string]any{"nanoseconds": 999_007_000_000},
		"starting_time":       map[string]any{"nanoseconds_since_epoch": 1_000_000_000},
		"relative_file_paths": []any{"run_0.mcap"},
	} {
		if diff := cmp.Diff(want, info[key]); diff != "" {
			t.Errorf("%s: %s", key, diff)
		}
	}
	topics := info["topics_with_message_count"].([]any)
	first := topics[1].(map[string]any)["topic_metadata"].(map[string]any)
	if first["name"] != camera || first["type"] != "sensor_msgs/msg/Image" ||
		first["serialization_format"] != "cdr" {
		t.Errorf("topics %v", topics)
	}
	var qos []map[string]any
	if err := yaml.Unmarshal([]byte(first["offered_qos_profiles"].(string)), &qos); err != nil ||
		qos[0]["reliability"] != 2 || qos[0]["depth"] != 5 {
		t.Errorf("qos %v, %v", qos, err)
	}
	file := info["files"].([]any)[0].(map[string]any)
	if file["path"] != "run_0.mcap" || file["message_count"] != 8 {
		t.Errorf("files %v", file)
	}
}

func TestOpensOneFileAndSplitBags(t *testing.T) {
	dir := bag(t, bags.Options{}, threeAttempts()...)
	if got, err := attempts(t, dataFile(dir)); err != nil || len(got) != 3 {
		t.Errorf("one file: %v, %v", got, err)
	}
	// A transition in one file may refer to images in the file before it.
	split := t.TempDir()
	second := bag(t, bags.Options{}, sees(1), sees(2), does(7, 1, 2), sees(5), does(70, 2, 5))
	for name, from := range map[string]string{"x_9.mcap": dataFile(dir),
		"x_10.mcap": dataFile(second)} {
		if err := os.WriteFile(filepath.Join(split, name), contents(t, from), 0o644); err != nil {
			t.Fatal(err)
		}
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
	if err := os.Remove(dataFile(dir)); err != nil {
		t.Fatal(err)
	}
	if _, err := bags.Open(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing data file: %v", err)
	}
	if report := check(t, dir); report.Class != bags.Unusable || report.Class.ExitCode() != 1 {
		t.Errorf("a missing data file: %s", report)
	}
}

func TestImagesLoadLaterInAnyOrder(t *testing.T) {
	steps := []step{sees(0)}
	for i := 1; i < 40; i++ {
		steps = append(steps, sees(i), does(uint32(i), i-1, i))
	}
	for _, compression := range []string{"", "zstd"} {
		r, err := bags.Open(bag(t, bags.Options{Compression: compression}, steps...))
		if err != nil {
			t.Fatal(err)
		}
		var all []bags.Transition
		for tr, err := range r.Transitions(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
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
	r, err := bags.Open(bag(t, bags.Options{}, threeAttempts()...))
	if err != nil {
		t.Fatal(err)
	}
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
