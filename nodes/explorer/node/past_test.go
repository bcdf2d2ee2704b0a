package node

import (
	"os"
	"strings"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/models/pixels"
	"stripswm/msgs"
)

// A step is an attempt between two places.
type step struct {
	action   uint32
	from, to int
	reset    bool // somebody changed the scene before it
}

// record keeps attempts in a bag as a recorder that runs on, or was killed, leaves it.
func (b *table) record(steps ...step) (dir string) {
	b.t.Helper()
	dir = b.t.TempDir() + "/bag"
	w := must(bags.Create(dir, bags.Options{}))
	b.t.Cleanup(func() { w.Close() })
	must(0, w.Write(bags.NamesTopic, time.Now(), &msgs.String{Data: "on\nback\nnothing"}))
	image := func(place int) msgs.Time {
		b.mu.Lock()
		defer b.mu.Unlock()
		was := b.place
		b.place, b.stamp = place, b.stamp.Add(time.Second)
		m := b.image()
		b.place = was
		must(0, w.WriteImage("/camera/image_raw", m))
		return m.Header.Stamp
	}
	for _, s := range steps {
		if s.reset {
			must(0, w.WriteReset("somebody"))
		}
		m := &msgs.Transition{ImageTopic: "/camera/image_raw", Action: s.action, Before: image(s.from),
			Outcome: msgs.TransitionRefused}
		if m.After = image(s.to); s.from != s.to {
			m.Outcome = msgs.TransitionSucceeded
		}
		m.Header.Stamp = m.After
		must(0, w.WriteTransition(m))
	}
	return dir
}

// steps goes round the ring once, with a refusal and a reset on the way.
var steps = []step{{action: 1, from: 0, to: 1}, {action: 3, from: 1, to: 1},
	{action: 2, from: 1, to: 0}, {action: 1, from: 2, to: 3, reset: true}, {action: 1, from: 3, to: 0}}

func TestGoesOnFromWhatIsRecorded(t *testing.T) {
	for name, params := range map[string][]string{
		"with the recording's names": nil,
		"with names of its own":      {"names:=[forth, back, nothing]"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newTable(t)
			dir := b.record(steps...)
			e := b.explorer(append([]string{"bag:=" + dir, "budget:=7"}, params...)...)
			if s := b.end(b.run(e)); s.Attempts != 7 || len(b.tried) != 2 || s.Succeeded < 4 {
				t.Errorf("%+v after %v", s, b.tried)
			}
			if !b.log.Has("goes on from what is recorded") {
				t.Error("it does not say that it goes on")
			}
		})
	}
}

// TestWaitsForTheRecording waits until the recorder has begun, and takes from it what it says of
// actions and camera.
func TestWaitsForTheRecording(t *testing.T) {
	b := newTable(t)
	dir := t.TempDir() + "/bag"
	e := b.explorer("budget:=1", "bag:="+dir)
	done := b.run(e)
	b.state(e, "waits for a recording in "+dir+" (parameter bag)")
	w := must(bags.Create(dir+".new", bags.Options{}))
	t.Cleanup(func() { w.Close() })
	must(0, w.Write(bags.NamesTopic, time.Now(), &msgs.String{Data: "on\nback\nnothing"}))
	must(0, w.Tell(bags.CameraTopic, time.Now(), bags.Camera{Region: []float64{0, 0, 1, 0.9}}))
	must(0, w.Sync())
	must(0, os.Rename(dir+".new", dir))
	if s := b.end(done); s.Attempts != 1 ||
		e.settings.camera.Region != (pixels.Region{Width: 1, Height: 0.9}) {
		t.Errorf("%+v, camera %+v", s, e.settings.camera)
	}
}

func TestItCannotGoOn(t *testing.T) {
	b := newTable(t)
	last := <-b.run(b.explorer("bag:="+b.record(steps...), "actions:=2"))
	if want := "action 3 is not one of 1 to 2"; last.err == nil ||
		!strings.Contains(last.err.Error(), want) {
		t.Errorf("%v, want %s", last.err, want)
	}
}
