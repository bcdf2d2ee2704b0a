package workcell_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"stripswm/bags/pairing"
	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/workcell"
)

const side = 64

// pick takes the block at the top of BlocksWorld's first region, place puts it back.
const (
	pick  = strips.ActionID(3)
	place = strips.ActionID(12)
)

// A cell is one whose clock the test turns.
type cell struct {
	*workcell.Cell
	t   *testing.T
	now time.Time
}

func newCell(t *testing.T, world string, tuning workcell.Tuning) *cell {
	t.Helper()
	w, err := sim.New(world)
	if err != nil {
		t.Fatal(err)
	}
	tuning.Skill, tuning.Settling = time.Second, time.Second
	r, err := workcell.New(workcell.Options{World: w, Camera: camera.New(side, side), Seed: 1,
		Noise: 1, Tuning: tuning})
	if err != nil {
		t.Fatal(err)
	}
	return &cell{r, t, time.Unix(1000, 0)}
}

// run executes a skill to its end, and lets the scene come to rest.
func (c *cell) run(a strips.ActionID) *workcell.Execution {
	c.t.Helper()
	e := c.begin(a)
	c.now = e.Ends
	c.End(e)
	c.now = c.now.Add(time.Second)
	return e
}

func (c *cell) begin(a strips.ActionID) *workcell.Execution {
	c.t.Helper()
	e, err := c.Begin(a, func() time.Time { return c.now })
	if err != nil {
		c.t.Fatal(err)
	}
	return e
}

func (c *cell) state() sim.State { s, _ := c.State(); return s }

func (c *cell) see() []byte {
	c.t.Helper()
	pixels := make([]byte, 3*side*side)
	if !c.Frame(pixels, c.now) {
		c.t.Fatal("the camera is away")
	}
	return pixels
}

func (c *cell) view() pairing.View {
	c.t.Helper()
	return pairing.ViewOf(c.see(), side, side)
}

func TestSkills(t *testing.T) {
	c := newCell(t, "blocksworld", workcell.Tuning{})
	initial := c.state()
	before := c.view()
	if e := c.run(place); e.Outcome != msgs.ExecuteSkillResultRefused || e.Note == "" ||
		c.state() != initial {
		t.Errorf("place at first: %+v", e)
	}
	if e := c.run(1000); e.Outcome != msgs.ExecuteSkillResultRefused || c.state() != initial {
		t.Errorf("an unknown skill: %+v", e)
	}
	if again := c.view(); before.Motion(&again) > 3 {
		t.Errorf("refused skills change the image by %.1f", before.Motion(&again))
	}
	if e := c.run(pick); e.Outcome != msgs.ExecuteSkillResultSucceeded || c.state() == initial {
		t.Errorf("pick: %+v", e)
	}
	if after := c.view(); before.Motion(&after) < 6 {
		t.Errorf("pick changes the image by %.1f", before.Motion(&after))
	}
	if c.run(place); c.state() != initial {
		t.Error("place does not undo pick")
	}
}

func TestTheImageMovesWhileASkillRuns(t *testing.T) {
	c := newCell(t, "blocksworld", workcell.Tuning{})
	before := c.view()
	e := c.begin(pick)
	if !c.Busy() {
		t.Error("the cell is not busy")
	}
	if _, err := c.Begin(pick, time.Now); !errors.Is(err, workcell.ErrBusy) {
		t.Errorf("two skills at once: %v", err)
	}
	moved := func(ms int) float64 {
		c.now = e.Started.Add(time.Duration(ms) * time.Millisecond)
		v := c.view()
		return v.Motion(&before)
	}
	at := []float64{moved(0), moved(500), moved(1000), moved(1500), moved(2000), moved(2500)}
	if at[0] > 3 || at[1] < 2 || at[2] < at[1] || at[3] < at[2] || at[4] < at[3] || at[5] < at[4]-2 ||
		at[5] > at[4]+2 {
		t.Errorf("motion %.1f", at)
	}
	c.End(e)
	if c.Busy() {
		t.Error("the cell is busy after the end")
	}
}

func TestCancel(t *testing.T) {
	for _, c := range []struct {
		after time.Duration
		stays bool
	}{{200 * time.Millisecond, true}, {800 * time.Millisecond, false}} {
		cell := newCell(t, "blocksworld", workcell.Tuning{})
		initial := cell.state()
		e := cell.begin(pick)
		cell.Cancel(e, e.Started.Add(c.after))
		if stays := cell.state() == initial; stays != c.stays ||
			e.Outcome != msgs.ExecuteSkillResultFailed || cell.Busy() {
			t.Errorf("after %s: stays %t, %+v", c.after, stays, e)
		}
	}
}

func TestFaults(t *testing.T) {
	c := newCell(t, "blocksworld", workcell.Tuning{})
	initial := c.state()
	c.FailNext()
	c.SlipNext()
	if e := c.run(pick); e.Outcome != msgs.ExecuteSkillResultFailed || c.state() != initial {
		t.Errorf("fail: %+v", e)
	}
	if e := c.run(pick); e.Outcome != msgs.ExecuteSkillResultSucceeded || c.state() != initial {
		t.Errorf("slip: %+v", e)
	}
	if e := c.run(pick); c.state() == initial {
		t.Errorf("neither: %+v", e)
	}
	c.Dropout(true)
	if c.Frame(make([]byte, 3*side*side), c.now) {
		t.Error("a frame of a camera that is away")
	}
	c.Dropout(false)
	c.Blackout(true)
	if v := c.view(); v.Contrast() != 0 {
		t.Error("a covered camera sees something")
	}
	c.Blackout(false)
	if v := c.view(); v.Contrast() < 20 {
		t.Error("the camera stays dark")
	}
}

func TestProbabilities(t *testing.T) {
	for name, c := range map[string]struct {
		tuning  workcell.Tuning
		outcome uint8
		stays   bool
	}{
		"fail": {workcell.Tuning{Fail: 1}, msgs.ExecuteSkillResultFailed, true},
		"slip": {workcell.Tuning{Slip: 1}, msgs.ExecuteSkillResultSucceeded, true},
	} {
		cell := newCell(t, "blocksworld", c.tuning)
		initial := cell.state()
		if e := cell.run(pick); e.Outcome != c.outcome || (cell.state() == initial) != c.stays {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

func TestMovedByHand(t *testing.T) {
	for _, world := range sim.Names() {
		c := newCell(t, world, workcell.Tuning{})
		for range 5 {
			from := c.state()
			if err := c.MoveObject(); err != nil || c.state() == from {
				t.Errorf("%s: from %d to %d, %v", world, from, c.state(), err)
			}
		}
	}
}

// TestMovedWhileASkillRuns moves an object in the first third of a skill: the next
// frame shows it, and the skill goes on from there or fails.
func TestMovedWhileASkillRuns(t *testing.T) {
	world, _ := sim.New("blocksworld")
	outcomes := map[uint8]int{}
	c := newCell(t, "blocksworld", workcell.Tuning{})
	graph := sim.GroundTruth(world)
	for i := range 20 {
		out := graph.Out(c.state())
		action := out[i%len(out)].Action
		e := c.begin(action)
		c.now = e.Started.Add(300 * time.Millisecond)
		from, before := c.state(), c.view()
		if err := c.MoveObject(); err != nil {
			t.Fatal(err)
		}
		moved, after := c.state(), c.view()
		if moved == from || before.Motion(&after) < 6 {
			t.Errorf("from state %d to %d; the frame changes by %.1f", from, moved, before.Motion(&after))
		}
		c.End(e)
		want, outcome := moved, uint8(msgs.ExecuteSkillResultFailed)
		if next, ok := world.Apply(moved, action); ok {
			want, outcome = next, msgs.ExecuteSkillResultSucceeded
		}
		if c.state() != want || e.Outcome != outcome {
			t.Errorf("action %d from state %d, moved to %d: ends in %d with %+v, want %d", action, from,
				moved, c.state(), e, want)
		}
		c.now = e.Ends.Add(10 * time.Second)
		outcomes[e.Outcome]++
	}
	if len(outcomes) != 2 {
		t.Errorf("outcomes %v, want some of both", outcomes)
	}
}

func TestGoalsAndReset(t *testing.T) {
	c := newCell(t, "blocksworld", workcell.Tuning{})
	if _, err := c.GoalReached(); !errors.Is(err, workcell.ErrNoGoal) {
		t.Error(err)
	}
	initial := c.state()
	goal, text, img, err := c.NewGoal()
	if err != nil || goal == initial || text == "" || img.Bounds().Dx() != side {
		t.Fatal(goal, text, err)
	}
	if reached, err := c.GoalReached(); reached || err != nil {
		t.Error(reached, err)
	}
	world, _ := sim.New("blocksworld")
	plan, ok := sim.GroundTruth(world).Path(initial, goal)
	if !ok {
		t.Fatal("the goal cannot be reached")
	}
	for _, a := range plan {
		c.run(a)
	}
	if reached, err := c.GoalReached(); !reached || err != nil {
		t.Error(reached, err)
	}
	c.FailNext()
	e := c.begin(plan[0])
	if err := c.Reset(); err != nil {
		t.Fatal(err)
	}
	if c.End(e); c.state() != initial || e.Outcome != msgs.ExecuteSkillResultFailed {
		t.Errorf("after the reset: state %d, %+v", c.state(), e)
	}
	if c.run(pick); c.state() == initial {
		t.Error("the fault outlived the reset")
	}
}

func TestSameCallsSameBytes(t *testing.T) {
	film := func() []byte {
		c := newCell(t, "dinnertable", workcell.Tuning{Fail: 0.2, Slip: 0.2, Move: 0.3})
		var all []byte
		for a := strips.ActionID(1); a <= 12; a++ {
			c.run(a)
			all = append(all, c.see()...)
		}
		return all
	}
	if !bytes.Equal(film(), film()) {
		t.Error("two runs differ")
	}
}

func TestFreshNoise(t *testing.T) {
	c := newCell(t, "blocksworld", workcell.Tuning{})
	if bytes.Equal(c.see(), c.see()) {
		t.Error("two frames are the same")
	}
}
