package recording_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/bags/recording"
	"stripswm/msgs"
)

// told is what a bag tells of an attempt, in a line: "2", "2 reset", "2 failed reset".
func told(t *testing.T, bag string) []string {
	t.Helper()
	r, err := bags.Open(bag)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var found []string
	for tr, err := range r.Transitions(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
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
			if report, err := bags.Check(context.Background(), dir, nil, nil); err != nil ||
				report.Class != bags.Intact {
				t.Errorf("%v, %v", report, err)
			}
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
			if err := os.CopyFS(killed, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			d.stop()
			if _, err := bags.Repair(context.Background(), killed, nil, nil); err != nil {
				t.Fatal(err)
			}
			if got := told(t, killed); !slices.Equal(got, []string{"1", "2 reset"}) {
				t.Errorf("after the kill there is %q", got)
			}
		})
	}
}
