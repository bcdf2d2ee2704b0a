package learn

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"stripswm/models/dataset"
	"stripswm/models/facts"
	"stripswm/models/pixels"
	"stripswm/models/traces"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

// attemptsOf are those of a uniform policy, without images.
func attemptsOf(t *testing.T, w *sim.World, transitions int) facts.Recording {
	t.Helper()
	steps, err := sim.RunPolicy(w, sim.Uniform, 1, transitions, sim.Faults{})
	if err != nil {
		t.Fatal(err)
	}
	var segment []traces.Attempt
	for s := range steps {
		outcome := traces.Refused
		if s.OK {
			outcome = traces.Succeeded
		}
		segment = append(segment, traces.Attempt{Action: s.Action, Outcome: outcome})
	}
	return facts.Recording{Segments: [][]traces.Attempt{segment}}
}

// dataOf are the successes of attempts, without images.
func dataOf(r facts.Recording) *dataset.Dataset {
	d := &dataset.Dataset{}
	for _, a := range r.Segments[0] {
		if a.Outcome == traces.Succeeded {
			d.Transitions = append(d.Transitions, dataset.Transition{Action: a.Action})
		}
	}
	return d
}

// TestReasonsInAttempts holds what counts against facts in the order of attempts against what is
// known of the worlds.
func TestReasonsInAttempts(t *testing.T) {
	for _, c := range []struct {
		world, skills string
		whole         bool
		transitions   int
		want          string // the reason that counts first; none
	}{
		{"dinnertable", sim.Fixed, true, 900, ""},
		{"dinnertable", sim.Fixed, true, 2700, ""},
		{"dinnertablereal", sim.Fixed, true, 2700, ""},
		{"blocksworld", sim.Fixed, false, 300, ""},
		{"slidingpuzzle", sim.Fixed, true, 3000, ""},
		{"keydoor", sim.Fixed, false, 4500, ""},
		{"lamps", sim.Fixed, false, 1000, "unusable"},
		{"slidingpuzzle", sim.StateDependent, true, 2000, "unusable"},
		{"keydoor", sim.StateDependent, false, 2000, "unusable"},
		{"boxstacking", sim.Fixed, true, 2000, ""}, // an eighth is of skills without facts
		{"dinnertable", sim.Fixed, false, 2700, "beyond"},
		{"dinnertable", sim.Fixed, false, 6000, "beyond"},
		{"dinnertablereal", sim.Fixed, false, 3000, "beyond"},
		{"dinnertablereal", sim.StateDependent, false, 3000, "beyond"},
	} {
		w, err := sim.NewSkilled(c.world, c.skills)
		if err != nil {
			t.Fatal(err)
		}
		if c.whole {
			w = sim.Whole(w)
		}
		recording := attemptsOf(t, w, c.transitions)
		result, err := traces.Learn(w.NumActions(), recording.Segments, traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var choice Choice
		counts := ""
		if choice.against(beyondReason, beyond(result, recording, vectors(result))) {
			counts = beyondReason.Name
		}
		if choice.against(unusableReason, unusable(dataOf(recording), result)) {
			counts = unusableReason.Name
		}
		if counts != c.want {
			t.Errorf("%s, %s skills, whole %v: %q counts, want %q: %+v", c.world, c.skills, c.whole,
				counts, c.want, choice.Reasons)
		}
	}
}

// recordRig has a uniform policy record a rig, where light and places change with a success alone.
func recordRig(w *sim.World, bag string, o record.Options) error {
	steps, err := sim.RunPolicy(w, o.Policy, o.Seed, o.Transitions, sim.Faults{})
	if err != nil {
		return err
	}
	r, err := record.OpenRig(w, bag, o)
	if err != nil {
		return err
	}
	for s := range steps {
		if _, _, _, err := r.Try(s.Action); err != nil {
			return errors.Join(err, r.Close())
		}
	}
	return r.Close()
}

// TestReasonsInImages: images of one vector differ where a skill does not say which object it
// moves, if no facts of images tell it, and not by the light and the shadows of the Real-like
// camera.
func TestReasonsInImages(t *testing.T) {
	for _, c := range []struct {
		skills string
		rig    bool
		alone  bool // facts of the order of attempts, without those that images show
		want   bool
	}{
		{sim.Fixed, false, false, false}, {sim.Fixed, true, false, false},
		{sim.StateDependent, false, true, true}, {sim.StateDependent, true, true, true},
		{sim.StateDependent, true, false, false},
	} {
		skills, want := c.skills, c.want
		world, err := sim.NewSkilled("dinnertablereal", skills)
		if err != nil {
			t.Fatal(err)
		}
		w := sim.Whole(world)
		bag := filepath.Join(t.TempDir(), "bag")
		o := record.Options{Transitions: 700, Policy: sim.Uniform, Seed: 1, Size: 64, Quality: 90,
			Nuisance: 1, Workers: 2}
		if c.rig {
			err = recordRig(w, bag, o)
		} else {
			_, err = record.Run(context.Background(), w, bag, o)
		}
		if err != nil {
			t.Fatal(err)
		}
		r, err := Load(context.Background(), bag, Frame{Side: 64, Fit: pixels.Letterbox},
			w.NumActions(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		l := &facts.Learned{Recording: facts.Attempts(r.Data)}
		if c.alone {
			l.Result, err = traces.Learn(w.NumActions(), l.Recording.Segments, traces.Options{})
		} else {
			l, err = facts.Learn(t.Context(), r.Data)
		}
		if err != nil {
			t.Fatal(err)
		}
		recording, contradicted, result := l.Recording, l.Contradictions, l.Result
		if n := len(contradicted); skills == sim.Fixed && n > 4 {
			t.Errorf("images contradict %d attempts of a right recording", n)
		}
		var choice Choice
		value := different(r.Data, seenFacts(r.Data, recording, result, vectors(result)),
			l.Unexplained)
		if choice.against(differentReason, value) != want {
			t.Errorf("%s skills, rig %v, alone %v: %.2f, want it to count: %v", skills, c.rig, c.alone,
				value, want)
		}
	}
}
