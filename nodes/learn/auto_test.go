package learn

import (
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
func attemptsOf(w *sim.World, transitions int) facts.Recording {
	var segment []traces.Attempt
	for s := range must(sim.RunPolicy(w, sim.Uniform, 1, transitions, sim.Faults{})) {
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
		w := must(sim.NewSkilled(c.world, c.skills))
		if c.whole {
			w = sim.Whole(w)
		}
		recording := attemptsOf(w, c.transitions)
		result := must(traces.Learn(w.NumActions(), recording.Segments, traces.Options{}))
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
func recordRig(w *sim.World, bag string, o record.Options) {
	r := must(record.OpenRig(w, bag, o))
	for s := range must(sim.RunPolicy(w, o.Policy, o.Seed, o.Transitions, sim.Faults{})) {
		_, _, _, err := r.Try(s.Action)
		must(0, err)
	}
	must(0, r.Close())
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
		w := sim.Whole(must(sim.NewSkilled("dinnertablereal", c.skills)))
		bag := filepath.Join(t.TempDir(), "bag")
		o := record.Options{Transitions: 700, Policy: sim.Uniform, Seed: 1, Size: 64, Quality: 90,
			Nuisance: 1, Workers: 2}
		if c.rig {
			recordRig(w, bag, o)
		} else {
			must(record.Run(t.Context(), w, bag, o))
		}
		r := must(Load(t.Context(), bag, Frame{Side: 64, Fit: pixels.Letterbox}, w.NumActions(), nil))
		defer r.Close()
		l := &facts.Learned{Recording: facts.Attempts(r.Data)}
		if c.alone {
			l.Result = must(traces.Learn(w.NumActions(), l.Recording.Segments, traces.Options{}))
		} else {
			l = must(facts.Learn(t.Context(), r.Data))
		}
		if n := len(l.Contradictions); c.skills == sim.Fixed && n > 4 {
			t.Errorf("images contradict %d attempts of a right recording", n)
		}
		var choice Choice
		value := different(r.Data, seenFacts(r.Data, l.Recording, l.Result, vectors(l.Result)),
			l.Unexplained)
		if choice.against(differentReason, value) != c.want {
			t.Errorf("%s skills, rig %v, alone %v: %.2f, want it to count: %v", c.skills, c.rig, c.alone,
				value, c.want)
		}
	}
}

// must is for what fails in no test.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
