package bags_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
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
		report := check(t, dir)
		if report.FaultCount == 0 || !errors.Is(lastFault(report), tt.kind) ||
			!strings.Contains(lastFault(report).Error(), tt.want) {
			t.Errorf("%s: want %q: %s", tt.name, tt.want, report)
		}
		if report.Class == bags.Unusable {
			continue
		}
		repaired, err := bags.Repair(context.Background(), dir, decode, nil)
		if err != nil || repaired.Kept != tt.kept {
			t.Errorf("%s: repair kept %+v, %v", tt.name, repaired, err)
		}
		if after := check(t, dir); after.Class != bags.Intact {
			t.Errorf("%s: after repair %s", tt.name, after)
		}
	}
}

func header2() msgs.Message { h := header(1); return &h }

func lastFault(r *bags.Report) *bags.Fault { return r.Faults[len(r.Faults)-1] }

func TestTheSameImageTwiceIsNoFault(t *testing.T) {
	if report := check(t, bag(t, bags.Options{}, sees(1), sees(1), sees(2),
		does(1, 1, 2))); report.Class != bags.Intact {
		t.Errorf("%s", report)
	}
}

func TestRepairKeepsOtherTopics(t *testing.T) {
	dir, err := copyBag(t, realBag(t, "multiple_files_mcap"))
	if err != nil {
		t.Fatal(err)
	}
	report, err := bags.Repair(context.Background(), dir, decode, nil)
	if err != nil || !report.Repaired {
		t.Fatalf("%+v, %v", report, err)
	}
	if after := check(t, dir); after.Class != bags.Intact || after.Messages != 3177 {
		t.Errorf("%s", after)
	}
	// sqlite3 becomes MCAP when it is repaired; an intact one is left alone.
	dir, err = copyBag(t, realBag(t, "talker_sqlite3"))
	if err != nil {
		t.Fatal(err)
	}
	if report, err := bags.Repair(context.Background(), dir, decode, nil); err != nil ||
		report.Repaired {
		t.Errorf("%+v, %v", report, err)
	}
}

func copyBag(t *testing.T, from string) (string, error) {
	dir := filepath.Join(t.TempDir(), filepath.Base(from))
	return dir, os.CopyFS(dir, os.DirFS(from))
}

func TestSeveralGoroutinesWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w, err := bags.Create(dir, bags.Options{SyncEvery: 10, ChunkSize: 1000})
	if err != nil {
		t.Fatal(err)
	}
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
	if err := errors.Join(<-done, <-done, <-done, <-done, w.Close()); err != nil {
		t.Fatal(err)
	}
	if report := check(t, dir); report.Class != bags.Intact || report.Transitions != 80 ||
		report.Messages != 320 {
		t.Errorf("%s", report)
	}
}
