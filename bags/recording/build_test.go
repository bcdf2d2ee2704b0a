package recording_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"io"
	"log/slog"
	"os"
	"path/filepath"
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
	dir, err := d.recorder.Start("", d.now)
	if err != nil {
		d.t.Fatal(err)
	}
	return dir
}

func (d *desk) stop() recording.Report {
	d.t.Helper()
	r, err := d.recorder.Stop(d.now)
	if err != nil {
		d.t.Fatal(err)
	}
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
	payload, err := msgs.Marshal(m)
	if err != nil {
		d.t.Fatal(err)
	}
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

// actions of a bag's transitions; the bag must be intact.
func actions(t *testing.T, bag string) []uint32 {
	t.Helper()
	report, err := bags.Check(context.Background(), bag, nil, nil)
	if err != nil || report.Class != bags.Intact {
		t.Fatalf("%s: %v, %v", bag, report, err)
	}
	r, err := bags.Open(bag)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var found []uint32
	for tr, err := range r.Transitions(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
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
