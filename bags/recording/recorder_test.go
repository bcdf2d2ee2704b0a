package recording_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/bags/recording"
	"stripswm/msgs"
)

func TestRecording(t *testing.T) {
	for _, all := range []bool{false, true} {
		d := newDesk(t, func(o *recording.Options) { o.AllFrames = all })
		dir := d.start()
		d.skill(2, msgs.SkillStatusSucceeded)
		d.skill(3, msgs.SkillStatusRefused)
		d.skill(2, msgs.SkillStatusFailed)
		r := d.stop()
		if got := actions(t, dir); !slices.Equal(got, []uint32{2, 3, 2}) || len(d.acknowledged) != 3 {
			t.Errorf("recorded %v, acknowledged %d", got, len(d.acknowledged))
		}
		if r.Outcomes != (recording.Tally{Succeeded: 1, Refused: 1, Failed: 1}) ||
			r.Actions[2] != (recording.Tally{Succeeded: 1, Failed: 1}) {
			t.Errorf("report %+v", r)
		}
		if got := r.Untried(); !slices.Equal(got, []uint32{1, 4}) {
			t.Errorf("never tried %v", got)
		}
		report, _ := bags.Check(context.Background(), dir, nil, nil)
		if want := map[bool]int{false: 6, true: 54}[all]; report.Images != want {
			t.Errorf("all %t: %d images, want %d", all, report.Images, want)
		}
		if report.Topics[len(report.Topics)-1].Messages == 0 {
			t.Errorf("no statuses: %+v", report.Topics)
		}
	}
}

func TestOnlyWhatBelongsToARecordingIsRecorded(t *testing.T) {
	d := newDesk(t, nil)
	d.skill(1, msgs.SkillStatusSucceeded)
	d.executions++
	d.watch(2)
	d.say(2, msgs.SkillStatusStarted)
	dir := d.start()
	d.watch(2)
	d.say(2, msgs.SkillStatusSucceeded)
	d.watch(12)
	d.skill(3, msgs.SkillStatusSucceeded)
	d.executions++
	d.say(4, msgs.SkillStatusStarted)
	r := d.stop()
	d.watch(1)
	d.say(4, msgs.SkillStatusSucceeded)
	d.watch(12)
	if got := actions(t, dir); !slices.Equal(got, []uint32{3}) || r.Lost != 1 ||
		len(d.acknowledged) != 1 {
		t.Errorf("recorded %v, lost %d", got, r.Lost)
	}
}

// TestLosses has attempts that cannot be recorded among others: they are counted, named, and make
// the next one follow nothing.
func TestLosses(t *testing.T) {
	for name, c := range map[string]struct {
		lose func(d *desk)
		want string
	}{
		"no action": {func(d *desk) { d.skill(0, msgs.SkillStatusSucceeded) },
			"number its skills from 1"},
		"an image that is not in the bag": {func(d *desk) {
			d.executions++
			for i := range 30 {
				d.now = d.now.Add(50 * time.Millisecond)
				d.see(msgs.Time{Sec: int32(i), Nanosec: 3e9})
				if phase := map[int]uint8{5: msgs.SkillStatusStarted,
					9: msgs.SkillStatusSucceeded}[i]; phase != 0 {
					d.say(3, phase)
				}
			}
		}, "has no image stamped"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, nil)
			dir := d.start()
			d.skill(1, msgs.SkillStatusSucceeded)
			c.lose(d)
			d.skill(2, msgs.SkillStatusSucceeded)
			r := d.stop()
			actions(t, dir) // of a bag that is intact
			if got := told(t, dir); !slices.Equal(got, []string{"1", "2 reset"}) || r.Lost != 1 ||
				r.Reason != "" || !strings.Contains(r.Loss, c.want) {
				t.Errorf("recorded %v, %d lost, last for %q, ended for %q", got, r.Lost, r.Loss, r.Reason)
			}
			if log := d.log.String(); !strings.Contains(log, "level=WARN") ||
				!strings.Contains(log, c.want) {
				t.Errorf("the log does not say why: %s", log)
			}
		})
	}
}

func TestMarkFailed(t *testing.T) {
	d := newDesk(t, nil)
	if _, err := d.recorder.MarkFailed("x"); !errors.Is(err, recording.ErrNotRecording) {
		t.Error(err)
	}
	dir := d.start()
	if _, err := d.recorder.MarkFailed("x"); !errors.Is(err, recording.ErrNothingToMark) {
		t.Error(err)
	}
	d.skill(1, msgs.SkillStatusSucceeded)
	if i, err := d.recorder.MarkFailed("slipped"); i != 0 || err != nil {
		t.Error(i, err)
	}
	d.executions++
	d.say(2, msgs.SkillStatusStarted)
	d.watch(2)
	if i, err := d.recorder.MarkFailed("bumped"); i != 1 || err != nil {
		t.Error(i, err)
	}
	d.say(2, msgs.SkillStatusSucceeded)
	d.watch(12)
	r := d.stop()
	if r.Outcomes != (recording.Tally{Failed: 2}) {
		t.Errorf("%+v", r.Outcomes)
	}
	report, err := bags.Check(context.Background(), dir, nil, nil)
	if err != nil || report.Class != bags.Intact || report.Failed != 2 || report.Transitions != 2 {
		t.Errorf("%v, %v", report, err)
	}
	if n := len(d.acknowledged); n != 3 || d.acknowledged[1].Note != "slipped" ||
		d.acknowledged[2].Note != "bumped" {
		t.Errorf("acknowledged %+v", d.acknowledged)
	}
}

func TestSplit(t *testing.T) {
	for name, change := range map[string]func(*recording.Options){
		"by size": func(o *recording.Options) { o.SplitSize = 6000 },
		"by time": func(o *recording.Options) { o.SplitDuration = 1500 * time.Millisecond },
	} {
		d := newDesk(t, change)
		d.start()
		for a := range uint32(6) {
			d.skill(a+1, msgs.SkillStatusSucceeded)
		}
		r := d.stop()
		if got := actions(t, r.Directory); !slices.Equal(got, []uint32{1, 2, 3, 4, 5, 6}) ||
			r.Transitions() != 6 {
			t.Errorf("%s: %v in %s", name, got, r.Directory)
		}
		// Each file stands alone, too.
		var got []uint32
		files, err := filepath.Glob(filepath.Join(r.Directory, "bag_*.mcap"))
		for _, file := range files {
			got = append(got, actions(t, file)...)
		}
		if err != nil || r.Files < 3 || len(files) != r.Files ||
			!slices.Equal(got, []uint32{1, 2, 3, 4, 5, 6}) {
			t.Errorf("%s: %v in %v, reported %d files", name, got, files, r.Files)
		}
		if report, err := bags.Check(context.Background(), r.Directory, nil, nil); err != nil ||
			report.Bytes != r.Bytes {
			t.Errorf("%s: %v, %v; reported %d bytes", name, report, err, r.Bytes)
		}
	}
}

// TestMarkFailedAfterASplit changes the outcome of a transition that is in the file before.
func TestMarkFailedAfterASplit(t *testing.T) {
	d := newDesk(t, func(o *recording.Options) { o.SplitDuration = 500 * time.Millisecond })
	dir := d.start()
	d.skill(1, msgs.SkillStatusSucceeded)
	d.watch(20)
	if i, err := d.recorder.MarkFailed("slipped"); i != 0 || err != nil {
		t.Error(i, err)
	}
	r := d.stop()
	report, err := bags.Check(context.Background(), dir, nil, nil)
	if err != nil || report.Class != bags.Intact || report.Failed != 1 || report.Transitions != 1 ||
		r.Files < 2 {
		t.Errorf("%v, %v, %d files", report, err, r.Files)
	}
}

func TestDiskGuard(t *testing.T) {
	free := int64(5 << 20)
	d := newDesk(t, func(o *recording.Options) {
		o.MinFree = 1 << 20
		o.Free = func(string) (int64, error) { return free, nil }
	})
	dir := d.start()
	d.skill(1, msgs.SkillStatusSucceeded)
	free = 1 << 19
	d.skill(2, msgs.SkillStatusSucceeded)
	if got := actions(t, dir); !slices.Equal(got, []uint32{1}) {
		t.Errorf("recorded %v", got)
	}
	if len(d.ended) != 1 || !strings.Contains(d.ended[0].Reason, "nearly full") {
		t.Errorf("ended %+v", d.ended)
	}
	if _, err := d.recorder.Start("", d.now); !errors.Is(err, recording.ErrDiskLow) {
		t.Error(err)
	}
	free = 5 << 20
	d.start()
	d.skill(3, msgs.SkillStatusSucceeded)
	if r := d.stop(); r.Transitions() != 1 || r.Directory == dir {
		t.Errorf("%+v", r)
	}
}

// TestFailingWrites fills the disk at every point of a recording, tears writes
// and fails syncs: what was acknowledged must be there after a repair.
func TestFailingWrites(t *testing.T) {
	const skills = 4
	try := func(name string, splits time.Duration, broken *disk) (done bool) {
		d := newDesk(t, func(o *recording.Options) {
			o.Bag.OpenFile, o.SplitDuration = broken.open,
				splits
		})
		dir, err := d.recorder.Start("", d.now)
		if err != nil {
			return false
		}
		for a := range uint32(skills) {
			d.skill(a+1, msgs.SkillStatusSucceeded)
		}
		if report, recording := d.recorder.Report(); recording {
			d.recorder.Stop(d.now)
		} else if report.Reason == "" || report.Transitions() != len(d.acknowledged) {
			t.Errorf("%s: ended with %+v, %d acknowledged", name, report, len(d.acknowledged))
		}
		kept, err := bags.Repair(context.Background(), dir, nil, nil)
		if len(d.acknowledged) == 0 && errors.Is(err, bags.ErrNothingToKeep) {
			return false
		}
		if err != nil || kept.Kept < len(d.acknowledged) {
			t.Fatalf("%s: kept %+v of %d acknowledged, %v", name, kept, len(d.acknowledged), err)
		}
		if got := actions(t, dir); len(got) < len(d.acknowledged) {
			t.Fatalf("%s: read %v of %d acknowledged", name, got, len(d.acknowledged))
		}
		return len(d.acknowledged) == skills && len(d.ended) == 1 && d.ended[0].Reason == ""
	}
	for _, splits := range []time.Duration{0, time.Second} {
		for _, short := range []bool{false, true} {
			for room := int64(500); !try(fmt.Sprintf("room %d, short %t, splits %s", room, short, splits),
				splits, &disk{room: room, syncs: 1 << 30, short: short}); room += 977 {
				if room > 1<<20 {
					t.Fatal("the recording never fits")
				}
			}
		}
		for syncs := 0; !try(fmt.Sprintf("%d syncs, splits %s", syncs, splits), splits,
			&disk{room: 1 << 30, syncs: syncs}); syncs++ {
			if syncs > 100 {
				t.Fatal("the recording never gets its syncs")
			}
		}
	}
}

func TestNames(t *testing.T) {
	d := newDesk(t, nil)
	first := d.start()
	if _, err := d.recorder.Start("", d.now); !errors.Is(err, recording.ErrRecording) {
		t.Error(err)
	}
	d.stop()
	if second := d.start(); second != first+"_1" {
		t.Errorf("the second recording is %s", second)
	}
	d.stop()
	if _, err := d.recorder.Start(first, d.now); err == nil {
		t.Error("a recording was written over another")
	}
	if _, err := d.recorder.Stop(d.now); !errors.Is(err, recording.ErrNotRecording) {
		t.Error(err)
	}
	if _, err := d.recorder.Start(filepath.Join(first, "metadata.yaml", "bag"), d.now); err == nil {
		t.Error("a recording below a file")
	}
}
