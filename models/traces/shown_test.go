package traces_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/traces/check"
	"stripswm/models/worlds"
)

// shownMoves are the facts that images show of worlds.Moves: that an object is at a place.
func shownMoves(objects, places int) (shown []traces.Shown) {
	move := func(o, p int) strips.ActionID { return strips.ActionID(1 + o*places + p) }
	for o := range objects {
		for p := range places {
			f := traces.Shown{Set: []strips.ActionID{move(o, p)}}
			for q := range places {
				if q != p {
					f.Clear = append(f.Clear, move(o, q))
				}
			}
			shown = append(shown, f)
		}
	}
	return shown
}

// Skills that set facts whatever they were have preconditions, and are planned with as any other.
func TestShownFacts(t *testing.T) {
	const objects, places = 4, 6
	w, shown := worlds.Moves(objects, places), shownMoves(objects, places)
	start := strips.NewState(len(shown), 0, places+1, 2*places+2, 3*places+3)
	for seed := range uint64(3) {
		segments := [][]traces.Attempt{w.Record(1500, 1+seed, worlds.Noise{})}
		r, err := traces.Learn(len(w.Operators), segments, traces.Options{Shown: shown})
		if err != nil {
			t.Fatal(err)
		}
		sum, faults := check.Model(segments, r.Model)
		for _, f := range faults {
			t.Error(f)
		}
		if !r.Known(r.Report.Intervals-1) || len(sum.Unexplained) > 0 || sum.Explained < 100 {
			t.Errorf("seed %d: %+v", seed+1, sum)
		}
		s, err := w.Compare(r.Model.Operators, start, 20, seed)
		if err != nil || s.Precision < 0.999 || s.Recall < 0.999 || s.Plans < 1 {
			t.Errorf("seed %d: %+v, %v", seed+1, s, err)
		}
	}
}

// Of objects that leave for good, skills need that one is somewhere, which no fact tells by itself.
func TestShownLeaving(t *testing.T) {
	const objects, places, segment, segments = 3, 5, 25, 80
	w, shown := worlds.Moves(objects, places), shownMoves(objects, places)
	put := func(places []int) {
		w.Start[0] &^= 1<<(len(shown)) - 1
		for o, p := range places {
			w.Start[0] |= w.Operators[len(shown)/objects*o+p].Add[0]
		}
	}
	for o := range objects {
		there, own := uint64(1)<<(objects*places+o), w.Operators[o*places:][:places]
		w.Start[0] |= there
		leave := worlds.Operator{Name: "remove", Del: worlds.State{there}}
		leave.Pos[0] = there
		for p := range own {
			own[p].Pos[0] |= there
			leave.Del[0] |= own[p].Add[0]
			f := &shown[o*places+p]
			f.Clear = append(f.Clear, strips.ActionID(objects*places+o+1))
		}
		w.Operators = append(w.Operators, leave)
	}
	all := len(shown) + objects
	start := strips.NewState(all, 0, places+1, 2*places+2, strips.Predicate(all-3),
		strips.Predicate(all-2), strips.Predicate(all-1)) // each is somewhere
	for seed := range uint64(3) {
		var attempts [][]traces.Attempt
		rng := rand.New(rand.NewPCG(seed, 1))
		for k := range uint64(segments) {
			put(rng.Perm(places)[:objects])
			attempts = append(attempts, w.Record(segment, 1+seed*segments+k, worlds.Noise{}))
			for f := range shown {
				shown[f].Values = append(shown[f].Values[:k], seen(w, w.Operators[f].Add[0], attempts[k]))
			}
		}
		r, err := traces.Learn(len(w.Operators), attempts, traces.Options{Shown: shown})
		if err != nil {
			t.Fatal(err)
		}
		sum, faults := check.Model(attempts, r.Model)
		for _, f := range faults {
			t.Error(f)
		}
		derived := 0
		for _, p := range r.Model.Predicates {
			if len(p.Members) == places {
				derived++
			}
		}
		if derived != objects || len(sum.Unexplained) > 0 {
			t.Fatalf("seed %d: %d of %d predicates are derived, %d refusals are unexplained", seed+1,
				derived, len(r.Model.Predicates), len(sum.Unexplained))
		}
		put([]int{0, 1, 2})
		s, err := w.Compare(r.Model.Operators, start, 20, seed)
		if err != nil || s.Precision < 0.999 || s.Recall < 0.98 {
			t.Errorf("seed %d: %+v, %v", seed+1, s, err)
		}
	}
}

// seen are the values of a fact before and after attempts from the start.
func seen(w *worlds.World, fact uint64, attempts []traces.Attempt) (values [][2]traces.Value) {
	at, value := w.Start, func(s worlds.State) traces.Value {
		if s[0]&fact != 0 {
			return traces.True
		}
		return traces.False
	}
	for _, a := range attempts {
		before := at
		if a.Outcome == traces.Succeeded {
			at = w.Operators[a.Action-1].Apply(at)
		}
		values = append(values, [2]traces.Value{value(before), value(at)})
	}
	return values
}

// A fact that the attempts show, too, is one fact; and one that no image shows stays beside those
// that are shown.
func TestShownBesideMined(t *testing.T) {
	w := worlds.Table(3, 4)
	segment := w.Record(1000, 1, worlds.Noise{})
	want := learn(t, w, segment)
	var shown []traces.Shown
	for _, p := range want.Model.Predicates {
		if p.Members == nil {
			shown = append(shown, traces.Shown{Set: p.Del, Clear: p.Add})
		}
	}
	r, err := traces.Learn(len(w.Operators), [][]traces.Attempt{segment}, traces.Options{Shown: shown})
	if err != nil || len(r.Model.Predicates) != len(want.Model.Predicates) {
		t.Errorf("%d predicates, want %d, %v", len(r.Model.Predicates), len(want.Model.Predicates), err)
	}
}

// asVariants gives variants the ids of one skill, as a robot has them: by skill, the operators of
// the world that are its variants.
func asVariants(w *worlds.World, skills [][]int) (
	renumbered *worlds.World, variants []strips.ActionID,
) {
	renumbered = &worlds.World{Name: w.Name, Start: w.Start}
	for _, of := range skills {
		renumbered.Operators = append(renumbered.Operators, w.Operators[of[0]])
	}
	for k, of := range skills {
		for _, op := range of[1:] {
			renumbered.Operators = append(renumbered.Operators, w.Operators[op])
			variants = append(variants, strips.ActionID(k+1))
		}
	}
	return renumbered, variants
}

// Skills with several effects are several operators of one action: pick(place) of whatever is
// there.
func TestVariants(t *testing.T) {
	const objects, places = 3, 5
	table := worlds.Table(objects, places)
	var skills [][]int
	for k := range 2 {
		for p := range places {
			var of []int
			for o := range objects {
				of = append(of, (k*objects+o)*places+p)
			}
			skills = append(skills, of)
		}
	}
	w, variants := asVariants(table, skills)
	for seed := range uint64(3) {
		// That one variant does not apply is no refusal of the skill.
		segment := slices.DeleteFunc(w.Record(2500, 1+seed, worlds.Noise{}),
			func(a traces.Attempt) bool { return a.Outcome == traces.Refused })
		r, err := traces.Learn(len(skills), [][]traces.Attempt{segment},
			traces.Options{Variants: variants})
		if err != nil {
			t.Fatal(err)
		}
		named := slices.Clone(segment) // as the robot knows its skills
		for i, a := range named {
			if v := int(a.Action) - len(skills); v > 0 {
				named[i].Action = variants[v-1]
			}
		}
		_, faults := check.Model([][]traces.Attempt{named}, r.Model)
		for _, f := range faults {
			t.Error(f)
		}
		for i := range r.Model.Operators { // as those of the world, for the comparison
			o := &r.Model.Operators[i]
			if k := i % objects; k > 0 {
				o.Action = strips.ActionID(len(skills) + (int(o.Action)-1)*(objects-1) + k)
			}
		}
		s, err := w.Compare(r.Model.Operators, r.State(0), 20, seed)
		if err != nil || s.Precision < 0.999 || s.Recall < 0.999 || s.Plans < 1 {
			t.Errorf("seed %d: %+v, %v, %d operators", seed+1, s, err, len(r.Model.Operators))
		}
	}
}
