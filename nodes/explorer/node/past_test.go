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
		"without recognizer":    nil,
		"with a bundle":         {"bundle:=bundle"},
		"with the learner's":    {"learner"},
		"with names of its own": {"names:=[forth, back, nothing]", "bundle:=bundle"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newTable(t)
			dir := b.record(steps...)
			if len(params) > 0 && params[0] == "learner" {
				must(0, b.bundles.Publish(&msgs.String{Data: "bundle"}))
				params = nil
			}
			e := b.explorer(append([]string{"bag:=" + dir, "budget:=7"}, params...)...)
			if name == "without recognizer" {
				e.patience.bundle = 0
			}
			if s := b.end(b.run(e)); s.Attempts != 7 || len(b.tried) != 2 || e.session.Successes() < 4 {
				t.Errorf("%+v after %v", s, b.tried)
			}
			// Too little was tried for recognizer to be better than none.
			if found := b.log.Has("the bundle there is"); found != (name != "without recognizer") {
				t.Errorf("a bundle: %t", found)
			}
		})
	}
}

// TestRecognizerOutlivesTheExplorer knows where it is by an image: one attempt tells, and nothing
// that was tried is tried again.
func TestRecognizerOutlivesTheExplorer(t *testing.T) {
	b := newTable(t)
	var all []step
	for p := range places {
		on, back := (p+1)%places, (p+places-1)%places
		for _, s := range []step{{action: 1, from: p, to: on}, {action: 2, from: p, to: back},
			{action: 3, from: p, to: p}} {
			if s.reset = true; p != 3 || s.action != 3 {
				all = append(all, s)
			}
		}
	}
	e := b.explorer("bag:="+b.record(all...), "bundle:=bundle")
	b.observe(e)
	if u, err := e.session.Unseen(b.patience()); err != nil || !e.session.Sees() ||
		u.Edges != 2*places || u.Paths != 1 {
		t.Errorf("%+v, %v", u, err)
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
	must(0, w.Write(bags.CameraTopic, time.Now(),
		must(bags.Camera{Region: []float64{0, 0, 1, 0.9}}.Message())))
	must(0, w.Sync())
	must(0, os.Rename(dir+".new", dir))
	if s := b.end(done); s.Attempts != 1 ||
		e.learner.frame.Region != (pixels.Region{Width: 1, Height: 0.9}) {
		t.Errorf("%+v, frame %+v", s, e.learner.frame)
	}
}

func TestItCannotGoOn(t *testing.T) {
	b := newTable(t)
	for params, want := range map[string]string{
		"bundle:=nowhere": "go on with bundle nowhere: nowhere is no bundle",
		"actions:=2":      "action 3 is outside 1..2",
	} {
		last := <-b.run(b.explorer("bag:="+b.record(steps...), params))
		if last.err == nil || !strings.Contains(last.err.Error(), want) {
			t.Errorf("%s: %v", params, last.err)
		}
	}
}
