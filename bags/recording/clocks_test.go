package recording_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/bags/recording"
	"stripswm/msgs"
)

// clocks is what a recording says of them.
func clocks(t *testing.T, bag string) (all []string) {
	t.Helper()
	r, err := bags.Open(bag)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for m, err := range r.Messages(context.Background(), bags.ClocksTopic) {
		var text msgs.String
		if err = errors.Join(err, m.Decode(&text)); err != nil {
			t.Fatal(err)
		}
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
	if got := clocks(t, dir); !slices.Equal(got, want) {
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
