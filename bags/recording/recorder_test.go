package recording_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/bags/pairing"
	"stripswm/bags/recording"
	"stripswm/msgs"
)

// A desk is a Recorder with a camera and an executor, and a note of all that it acknowledged.
type desk struct {
	t            *testing.T
	recorder     *recording.Recorder
	now          time.Time
	ahead        time.Duration // of the camera's clock
	unstamped    bool
	executions   byte
	acknowledged []msgs.Transition
	ended        []recording.Report
	log          bytes.Buffer
}

func newDesk(t *testing.T, change func(*recording.Options)) *desk {
	d := &desk{t: t, now: time.Unix(1_700_000_000, 0)}
	o := recording.Options{
		StatusTopic: "/skill_status",
		Directory:   filepath.Join(t.TempDir(), "bag"), Actions: 4,
		Log: slog.New(slog.NewTextHandler(&d.log, nil)),
		Acknowledged: func(m *msgs.Transition, _ pairing.RecordedAttempt) {
			d.acknowledged = append(d.acknowledged, *m)
		},
		Ended: func(r recording.Report) { d.ended = append(d.ended, r) },
	}
	if change != nil {
		change(&o)
	}
	d.recorder = recording.New(o)
	return d
}

func (d *desk) start() string {
	d.t.Helper()
	dir := must(d.recorder.Start("", d.now))
	return dir
}

func (d *desk) stop() recording.Report {
	d.t.Helper()
	r := must(d.recorder.Stop(d.now))
	return r
}

// watch sees n images, 50 ms apart.
func (d *desk) watch(n int) {
	d.t.Helper()
	for range n {
		d.now = d.now.Add(50 * time.Millisecond)
		stamp := msgs.TimeFrom(d.now.Add(d.ahead))
		if d.unstamped {
			stamp = msgs.Time{}
		}
		d.see(stamp)
	}
	d.recorder.Tick(d.now)
}

// see sees an image now, whatever stamp its message has.
func (d *desk) see(stamp msgs.Time) {
	d.t.Helper()
	img := image.NewGray(image.Rect(0, 0, 32, 32))
	for i := range img.Pix {
		img.Pix[i] = uint8(i)
	}
	m := msgs.NewImage(msgs.Header{Stamp: stamp, FrameID: "camera"}, img)
	payload := must(msgs.Marshal(m))
	d.recorder.Frame(&pairing.Frame{Stamp: d.now.Add(d.ahead), Unstamped: stamp.IsZero(),
		FrameID: "camera", Received: d.now, Topic: "/camera/image_raw", Type: m.ROSType(),
		Payload:   payload,
		Thumbnail: func() (pairing.View, error) { return pairing.View{255}, nil }})
}

func (d *desk) say(action uint32, phase uint8) {
	m := &msgs.SkillStatus{Header: msgs.Header{Stamp: msgs.TimeFrom(d.now)}, Action: action,
		Phase: phase}
	m.ExecutionID.UUID[0] = d.executions
	d.recorder.Status(m, d.now)
}

func (d *desk) reset(why string) { d.recorder.Reset(why, d.now) }

// skill is one attempt with images around it.
func (d *desk) skill(action uint32, phase uint8) {
	d.t.Helper()
	d.executions++
	d.watch(4)
	d.say(action, msgs.SkillStatusStarted)
	d.watch(2)
	d.say(action, phase)
	d.watch(12)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// intact checks a bag, which must be whole.
func intact(t *testing.T, bag string) *bags.Report {
	t.Helper()
	report, err := bags.Check(context.Background(), bag, nil, nil)
	if err != nil || report.Class != bags.Intact {
		t.Fatalf("%s: %v, %v", bag, report, err)
	}
	return report
}

// actions of a bag's transitions; the bag must be intact.
func actions(t *testing.T, bag string) []uint32 {
	t.Helper()
	intact(t, bag)
	r := must(bags.Open(bag))
	defer r.Close()
	var found []uint32
	for tr, err := range r.Transitions(context.Background()) {
		must(0, err)
		if _, err := tr.Before.Message(); err != nil {
			t.Error(err)
		}
		found = append(found, tr.Action)
	}
	return found
}

// disk takes so many bytes, or so many syncs, and no more.
type disk struct {
	room  int64
	syncs int
	short bool // a full disk writes what it has room for
}

type diskFile struct {
	bags.File
	disk *disk
	size int64
}

func (d *disk) open(path string) (bags.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	return &diskFile{File: f, disk: d}, err
}

func (f *diskFile) WriteAt(p []byte, at int64) (int, error) {
	grows := at + int64(len(p)) - f.size
	if grows <= f.disk.room {
		f.disk.room -= grows
		f.size += grows
		return f.File.WriteAt(p, at)
	}
	if fits := f.size + f.disk.room - at; f.disk.short && fits > 0 {
		n, err := f.File.WriteAt(p[:fits], at)
		return n, errors.Join(err, io.ErrShortWrite)
	}
	return 0, syscall.ENOSPC
}

func (f *diskFile) Sync() error {
	if f.disk.syncs--; f.disk.syncs < 0 {
		return syscall.EIO
	}
	return f.File.Sync()
}

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
		if r.Outcomes != (msgs.Tally{Succeeded: 1, Refused: 1, Failed: 1}) ||
			r.Actions[2] != (msgs.Tally{Succeeded: 1, Failed: 1}) {
			t.Errorf("report %+v", r)
		}
		if got := r.Untried(); !slices.Equal(got, []uint32{1, 4}) {
			t.Errorf("never tried %v", got)
		}
		report := intact(t, dir)
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
			intact(t, dir)
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
	if r.Outcomes != (msgs.Tally{Failed: 2}) {
		t.Errorf("%+v", r.Outcomes)
	}
	if report := intact(t, dir); report.Failed != 2 || report.Transitions != 2 {
		t.Errorf("%v", report)
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
		if report := intact(t, r.Directory); report.Bytes != r.Bytes {
			t.Errorf("%s: %v; reported %d bytes", name, report, r.Bytes)
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
	if report := intact(t, dir); report.Failed != 1 || report.Transitions != 1 || r.Files < 2 {
		t.Errorf("%v, %d files", report, r.Files)
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

// told is what a bag tells of an attempt, in a line: "2", "2 reset", "2 failed reset".
func told(t *testing.T, bag string) []string {
	t.Helper()
	r := must(bags.Open(bag))
	defer r.Close()
	var found []string
	for tr, err := range r.Transitions(context.Background()) {
		must(0, err)
		words := []string{string(rune('0' + tr.Action))}
		if tr.Outcome == bags.Failed {
			words = append(words, "failed")
		}
		if tr.Reset {
			words = append(words, "reset")
		}
		found = append(found, strings.Join(words, " "))
	}
	return found
}

func TestResets(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(*desk)
		want []string
		n    int // resets reported
	}{
		"between attempts": {func(d *desk) {
			d.skill(1, msgs.SkillStatusSucceeded)
			d.reset("the table was cleared")
			d.skill(2, msgs.SkillStatusSucceeded)
			d.skill(3, msgs.SkillStatusRefused)
		}, []string{"1", "2 reset", "3"}, 1},
		"twice between attempts": {func(d *desk) {
			d.skill(1, msgs.SkillStatusSucceeded)
			d.reset("")
			d.reset("")
			d.skill(2, msgs.SkillStatusSucceeded)
			d.skill(3, msgs.SkillStatusSucceeded)
		}, []string{"1", "2 reset", "3"}, 2},
		"while a skill runs": {func(d *desk) {
			d.skill(1, msgs.SkillStatusSucceeded)
			d.executions++
			d.say(2, msgs.SkillStatusStarted)
			d.watch(2)
			d.reset("bumped into")
			d.say(2, msgs.SkillStatusSucceeded)
			d.skill(3, msgs.SkillStatusSucceeded)
			d.skill(4, msgs.SkillStatusSucceeded)
		}, []string{"1", "2 failed", "3 reset", "4"}, 1},
		"and the one before was marked failed afterwards": {func(d *desk) {
			d.skill(1, msgs.SkillStatusSucceeded)
			d.reset("")
			d.recorder.MarkFailed("slipped")
			d.skill(2, msgs.SkillStatusSucceeded)
		}, []string{"1 failed", "2 reset"}, 1},
		"before the recording": {func(d *desk) {
			d.skill(1, msgs.SkillStatusSucceeded)
		}, []string{"1"}, 0},
		"an attempt without images is missing": {func(d *desk) {
			d.skill(1, msgs.SkillStatusSucceeded)
			d.executions++
			d.now = d.now.Add(time.Second)
			d.say(2, msgs.SkillStatusStarted)
			d.say(2, msgs.SkillStatusSucceeded)
			d.now = d.now.Add(time.Minute)
			d.recorder.Tick(d.now)
			d.skill(3, msgs.SkillStatusSucceeded)
			d.skill(4, msgs.SkillStatusSucceeded)
		}, []string{"1", "3 reset", "4"}, 0},
		"an attempt whose start was not heard of is missing": {func(d *desk) {
			d.skill(1, msgs.SkillStatusSucceeded)
			d.executions++
			d.say(2, msgs.SkillStatusSucceeded)
			d.skill(3, msgs.SkillStatusSucceeded)
			d.skill(4, msgs.SkillStatusSucceeded)
		}, []string{"1", "3 reset", "4"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, nil)
			d.reset("nothing is recorded yet")
			dir := d.start()
			c.do(d)
			r := d.stop()
			if got := told(t, dir); !slices.Equal(got, c.want) || r.Resets != c.n {
				t.Errorf("recorded %q, %d resets; want %q, %d", got, r.Resets, c.want, c.n)
			}
			if said := strings.Contains(r.String(), "the scene was reset"); said != (c.n > 0) {
				t.Errorf("%d resets, the report says:\n%s", c.n, &r)
			}
			intact(t, dir)
		})
	}
}

// TestResetsSurviveAKill takes what is on disk at the time of an acknowledgement: the reset before
// it is there, also where the bag went on in its next file in between.
func TestResetsSurviveAKill(t *testing.T) {
	for name, change := range map[string]func(*recording.Options){
		"one file": nil,
		"split":    func(o *recording.Options) { o.SplitDuration = 100 * time.Millisecond },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, change)
			dir := d.start()
			d.skill(1, msgs.SkillStatusSucceeded)
			d.reset("the table was cleared")
			d.skill(2, msgs.SkillStatusSucceeded)
			killed := filepath.Join(t.TempDir(), "killed")
			must(0, os.CopyFS(killed, os.DirFS(dir)))
			d.stop()
			must(bags.Repair(context.Background(), killed, nil, nil))
			if got := told(t, killed); !slices.Equal(got, []string{"1", "2 reset"}) {
				t.Errorf("after the kill there is %q", got)
			}
		})
	}
}

// TestContinue stops a recorder and starts another in the same directory: it goes on in the next
// file, and the next attempt does not follow the last.
func TestContinue(t *testing.T) {
	var dir string
	run := func(actions ...uint32) recording.Report {
		d := newDesk(t, func(o *recording.Options) {
			if o.Continue, o.Names = true, []string{"a", "b", "c", "d"}; dir != "" {
				o.Directory = dir
			}
		})
		dir = d.start()
		for _, a := range actions {
			d.skill(a, msgs.SkillStatusSucceeded)
		}
		if len(actions) == 1 { // the index is that in the bag
			if i, err := d.recorder.MarkFailed("not so"); err != nil || i != 2 {
				t.Errorf("marked transition %d, %v", i, err)
			}
		}
		return d.stop()
	}
	if r := run(1, 2); r.Files != 1 || r.Transitions() != 2 {
		t.Errorf("at first %+v", r)
	}
	if r := run(3); r.Files != 2 || r.Transitions() != 1 || r.Directory != dir {
		t.Errorf("then %+v", r)
	}
	if report := intact(t, dir); report.Transitions != 3 || report.Failed != 1 {
		t.Errorf("%s", report)
	}
	if got := actions(t, dir); !slices.Equal(got, []uint32{1, 2, 3}) {
		t.Errorf("actions %v", got)
	}
	r := must(bags.Open(dir))
	defer r.Close()
	for tr, err := range r.Transitions(t.Context()) {
		if err != nil || tr.Reset != (tr.Index == 2) {
			t.Errorf("transition %d: reset %t, %v", tr.Index, tr.Reset, err)
		}
	}
	names := 0
	for range r.Messages(t.Context(), bags.NamesTopic) {
		names++
	}
	if names != 1 {
		t.Errorf("the names are there %d times", names)
	}
}

// TestContinueAfterAKill goes on with what a killed recorder left, and leaves one alone that is
// being made.
func TestContinueAfterAKill(t *testing.T) {
	d := newDesk(t, nil)
	dir := d.start()
	d.skill(1, msgs.SkillStatusSucceeded)
	again := newDesk(t, func(o *recording.Options) { o.Continue, o.Directory = true, dir })
	if _, err := again.recorder.Start("", again.now); !errors.Is(err, bags.ErrInUse) {
		t.Errorf("while it is being made: %v", err)
	}
	for name, files := range map[string]string{"after an attempt": dir, "before all": t.TempDir()} {
		killed := filepath.Join(t.TempDir(), "killed")
		must(0, os.CopyFS(killed, os.DirFS(files)))
		again := newDesk(t, func(o *recording.Options) { o.Continue, o.Directory = true, killed })
		again.start()
		again.skill(2, msgs.SkillStatusSucceeded)
		again.stop()
		want := []uint32{1, 2}
		if files != dir {
			want = want[1:]
		}
		if got := actions(t, killed); !slices.Equal(got, want) {
			t.Errorf("%s: actions %v, want %v", name, got, want)
		}
	}
	d.stop()
}

// clocks is what a recording says of them.
func clocks(bag string) (all []string) {
	r := must(bags.Open(bag))
	defer r.Close()
	for m, err := range r.Messages(context.Background(), bags.ClocksTopic) {
		var text msgs.String
		must(0, errors.Join(err, m.Decode(&text)))
		all = append(all, text.Data)
	}
	return all
}

// TestClocksAreRecorded sets the camera's clock by 0.4 s after the second of three skills.
func TestClocksAreRecorded(t *testing.T) {
	d := newDesk(t, nil)
	dir := d.start()
	d.skill(1, msgs.SkillStatusSucceeded)
	d.skill(2, msgs.SkillStatusSucceeded)
	if log := d.log.String(); strings.Contains(log, "WARN") {
		t.Errorf("the log says %s", log)
	}
	d.ahead = 400 * time.Millisecond
	d.skill(3, msgs.SkillStatusSucceeded)
	r := d.stop()
	want := []string{`{"camera":0,"skill_status":0}`, `{"camera":-0.4,"skill_status":0}`}
	if got := clocks(dir); !slices.Equal(got, want) {
		t.Errorf("recorded %q, want %q", got, want)
	}
	const said = "the clock of the camera is 0.40 s ahead"
	if r.CameraDelay != -d.ahead || !strings.Contains(r.Clocks, said) ||
		!strings.Contains(d.log.String(), said) || !strings.Contains(r.String(), said) {
		t.Errorf("%s\n%s", r.String(), &d.log)
	}
	if got := actions(t, dir); !slices.Equal(got, []uint32{1, 2, 3}) {
		t.Errorf("recorded %v", got)
	}
}

// TestUnstamped has images without stamps: the first one is warned of.
func TestUnstamped(t *testing.T) {
	d := newDesk(t, func(o *recording.Options) { o.AllFrames = true })
	d.unstamped = true
	dir := d.start()
	d.watch(1)
	const said = "images have no stamp"
	if r, _ := d.recorder.Report(); !strings.Contains(d.log.String(), said) ||
		!strings.Contains(r.Clocks, said) {
		t.Errorf("%s\n%s", r.String(), &d.log)
	}
	d.skill(1, msgs.SkillStatusSucceeded)
	d.skill(2, msgs.SkillStatusSucceeded)
	d.stop()
	if got := actions(t, dir); !slices.Equal(got, []uint32{1, 2}) {
		t.Errorf("recorded %v", got)
	}
}
