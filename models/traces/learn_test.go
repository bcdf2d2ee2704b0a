package traces_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/traces/check"
	"stripswm/models/worlds"
)

func learn(t *testing.T, w *worlds.World, segments ...[]traces.Attempt) *traces.Result {
	t.Helper()
	r, err := traces.Learn(len(w.Operators), segments, traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// checked learns, and fails where the checker finds a fault or counts otherwise than the report.
func checked(t *testing.T, w *worlds.World, segments ...[]traces.Attempt) *traces.Result {
	t.Helper()
	r := learn(t, w, segments...)
	sum, faults := check.Model(segments, r.Model)
	for _, f := range faults {
		t.Error(f)
	}
	if sum.Successes != r.Report.Successes {
		t.Errorf("%d successes, the checker counts %d", r.Report.Successes, sum.Successes)
	}
	left := map[[2]int]bool{} // intervals and actions whose refusals are unexplained
	for _, a := range r.Report.Actions {
		for _, f := range a.Refusals {
			if f.Violated == nil && !f.Unknown {
				left[[2]int{f.Interval, int(a.Action)}] = true
			}
		}
	}
	counted := map[[2]int]bool{}
	for _, f := range sum.Unexplained {
		counted[[2]int{r.Before[f.Segment][f.Attempt], int(f.Action)}] = true
	}
	if diff := cmp.Diff(left, counted); diff != "" {
		t.Errorf("unexplained refusals, report and checker: %s", diff)
	}
	return r
}

// Seeds 1 to 3 are those that constants were chosen with.
func TestWorldsAreLearnedExactly(t *testing.T) {
	for _, c := range []struct {
		world    *worlds.World
		attempts int
		facts    int // the last of a group follows from the others; 0: there are several choices
	}{
		{worlds.Table(5, 7), 1500, 36},
		{worlds.Blocks(), 1000, 10},
		{worlds.Hanoi(4), 3000, 8},
		{worlds.KeyDoor(), 6000, 17},
		{worlds.Puzzle(2, 3), 4000, 0},
		{worlds.Vehicles(2, 5, 3), 6000, 26},
		{worlds.Kitchen(4, 3, 2), 1500, 23},
	} {
		t.Run(c.world.Name, func(t *testing.T) {
			for seed := range uint64(3) {
				r := checked(t, c.world, c.world.Record(c.attempts, 1+seed, worlds.Noise{}))
				s, err := c.world.Compare(r.Model.Operators, r.State(0), 20, seed)
				if err != nil {
					t.Fatal(err)
				}
				facts := 0
				for _, p := range r.Model.Predicates {
					if p.Members == nil {
						facts++
					}
				}
				exact := s.Precision >= 0.999 && s.Recall >= 0.999 && s.Untrue == 0 && s.Plans == 1
				if !exact || c.facts > 0 && facts != c.facts {
					t.Errorf("seed %d: %d facts, %+v", seed+1, facts, s)
				}
				if len(r.Report.Cut) > 0 {
					t.Errorf("cut: %v", r.Report.Cut)
				}
			}
		})
	}
}

// Objects and places are found from eight successes an action, by what goes with what.
func TestFewAttempts(t *testing.T) {
	for _, w := range []*worlds.World{worlds.Table(5, 7), worlds.RealTable()} {
		for seed := range uint64(3) {
			r := checked(t, w, w.Record(600, 1+seed, worlds.Noise{}))
			s, err := w.Compare(r.Model.Operators, r.State(0), 50, seed)
			if err != nil || s.Precision < 0.99 || s.Recall < 0.95 || s.Plans < 1 {
				t.Errorf("%s, seed %d: %+v, %v", w.Name, seed+1, s, err)
			}
		}
	}
}

// Resets leave values unknown; what is learned still agrees with all attempts.
func TestSegments(t *testing.T) {
	w := worlds.Table(4, 5)
	var segments [][]traces.Attempt
	for s := range uint64(20) {
		segments = append(segments, w.Record(200, s, worlds.Noise{}))
	}
	r := checked(t, w, append(segments, nil)...)
	s, err := w.Compare(r.Model.Operators, r.State(0), 20, 1)
	if err != nil || s.Precision < 0.999 || s.Recall < 0.98 {
		t.Errorf("%+v, %v", s, err)
	}
	if r.Report.Segments != 20 {
		t.Errorf("%d segments", r.Report.Segments)
	}
	unknown := 0
	for p := range r.Model.Predicates {
		for s := range segments { // all of which begin in one state
			switch r.Value(strips.Predicate(p), r.Before[s][0]) {
			case traces.Unknown:
				unknown++
			case r.Value(strips.Predicate(p), 0):
			default:
				t.Errorf("predicate %d, segment %d: another value than in segment 0", p, s)
			}
		}
	}
	if share := float64(unknown) / float64(20*len(r.Model.Predicates)); share > 0.2 {
		t.Errorf("%.2f of the values are unknown", share)
	}
}

// After a skill that failed nothing is known, and the model is exact all the same.
func TestFailingSkills(t *testing.T) {
	w := worlds.Table(4, 5)
	r := checked(t, w, w.Record(4000, 1, worlds.Noise{Failures: 0.1}))
	s, err := w.Compare(r.Model.Operators, r.State(0), 50, 1)
	if err != nil || s.Precision < 0.999 || s.Recall < 0.98 || s.Plans < 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

// Somebody moves something at one attempt in ten, and nobody says in which order it was picked and
// placed.
func TestByHand(t *testing.T) {
	for _, w := range []*worlds.World{worlds.Blocks(), worlds.Table(4, 5), worlds.Hanoi(4),
		worlds.KeyDoor()} {
		for seed := range uint64(3) {
			r := checked(t, w, w.Record(6000, 1+seed, worlds.Noise{ByHand: 0.1}))
			s, err := w.Compare(r.Model.Operators, r.State(0), 50, 1)
			if err != nil || s.Precision < 0.999 || s.Recall < 0.999 || s.Plans < 1 {
				t.Errorf("%s, seed %d: %+v, %v", w.Name, seed, s, err)
			}
		}
	}
}

func TestSameAttemptsGiveTheSameResult(t *testing.T) {
	w := worlds.KeyDoor()
	trace := w.Record(2000, 1, worlds.Noise{})
	if a, b := learn(t, w, trace), learn(t, w, trace); !reflect.DeepEqual(a, b) {
		t.Error("two results")
	}
}

// Ids say nothing: with other ids the same predicates are learned, of the other ids.
func TestRenamedActionsPermuteTheResult(t *testing.T) {
	w := worlds.Hanoi(3)
	trace := w.Record(2000, 1, worlds.Noise{})
	perm := rand.New(rand.NewPCG(1, 2)).Perm(len(w.Operators))
	rename := func(a strips.ActionID) strips.ActionID { return strips.ActionID(1 + perm[a-1]) }
	renamed := slices.Clone(trace)
	for i := range renamed {
		renamed[i].Action = rename(renamed[i].Action)
	}
	want, got := learn(t, w, trace).Model, learn(t, w, renamed).Model
	for _, p := range want.Predicates {
		for _, list := range [][]strips.ActionID{p.Add, p.Del} {
			for i := range list {
				list[i] = rename(list[i])
			}
			slices.Sort(list)
		}
	}
	for i := range want.Operators {
		want.Operators[i].Action = rename(want.Operators[i].Action)
		want.Operators[i].Name = fmt.Sprint(want.Operators[i].Action)
	}
	slices.SortFunc(want.Operators, func(x, y strips.Operator) int { return int(x.Action - y.Action) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		actions int
		attempt traces.Attempt
		options traces.Options
		want    string
	}{
		{0, traces.Attempt{}, traces.Options{}, "0 actions"},
		{1 << 30, traces.Attempt{}, traces.Options{}, "a robot has 1 to 65536"},
		{2, traces.Attempt{Action: 3, Outcome: traces.Failed}, traces.Options{}, "action 3 is not one"},
		{2, traces.Attempt{Outcome: traces.Succeeded}, traces.Options{}, "segment 0, attempt 0"},
		{2, traces.Attempt{Action: 1}, traces.Options{}, "outcome 0"},
		{2, traces.Attempt{Action: 1, Outcome: traces.Refused}, traces.Options{Steps: -1}, "negative"},
	} {
		_, err := traces.Learn(c.actions, [][]traces.Attempt{{c.attempt}}, c.options)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d actions, %+v: %v, want %q", c.actions, c.attempt, err, c.want)
		}
	}
}

// Where steps end the search the report says so, and what was learned agrees with the attempts.
func TestFewSteps(t *testing.T) {
	w := worlds.Puzzle(2, 3)
	trace := w.Record(2000, 1, worlds.Noise{})
	for _, steps := range []int{1, 1000, 100_000, 1_000_000} {
		r, err := traces.Learn(len(w.Operators), [][]traces.Attempt{trace}, traces.Options{Steps: steps})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(r.Report.Cut, traces.Mining) || r.Report.Support >= traces.DefaultSupport {
			t.Errorf("%d steps: cut %v, complete up to %d actions", steps, r.Report.Cut, r.Report.Support)
		}
		if _, faults := check.Model([][]traces.Attempt{trace}, r.Model); faults != nil {
			t.Errorf("%d steps: %v", steps, faults)
		}
	}
}

// In the interval of an undecided literal all preconditions hold and the literal does not.
func TestUndecided(t *testing.T) {
	w := worlds.Table(4, 5)
	r := learn(t, w, w.Record(300, 1, worlds.Noise{}))
	n := 0
	for _, o := range r.Model.Operators {
		for _, u := range r.Report.Actions[o.Action-1].Undecided {
			n++
			x := r.State(u.Interval)
			if !o.Applicable(x) || x.Get(u.Predicate) != u.Negated {
				t.Errorf("action %d, literal %+v: interval %d does not decide", o.Action, u.Literal, u.Interval)
			}
		}
	}
	if n == 0 {
		t.Error("all is decided")
	}
}

// TestOnceASegment: skills that each succeed once between resets are no facts together, although
// each pair of them alternates, also where one mostly comes last.
func TestOnceASegment(t *testing.T) {
	for _, late := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(1, 9))
		var segments [][]traces.Attempt
		for range 40 {
			var segment []traces.Attempt
			done := map[int]bool{}
			for i := range 12 {
				a := rng.IntN(4)
				if late && a == 1 && i < 8 { // which comes last, most of the time
					a = 0
				}
				outcome := traces.Succeeded
				if done[a] {
					outcome = traces.Refused
				}
				done[a] = true
				segment = append(segment, traces.Attempt{Action: strips.ActionID(a + 1), Outcome: outcome})
			}
			segments = append(segments, segment)
		}
		r, err := traces.Learn(4, segments, traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(r.Model.Predicates); n > 0 {
			t.Errorf("late %v: %d predicates, want none: %v", late, n, r.Model.Predicates)
		}
	}
}

// TestOftenUsedPlaces: the fact of a place that is used often is found beside one that is hardly
// used. The union of both explains as much, but is no fact.
func TestOftenUsedPlaces(t *testing.T) {
	w := worlds.Table(4, 5)
	for seed := range uint64(20) {
		r := learn(t, w, w.Record(1000, 1+seed, worlds.Noise{Failures: 0.1}))
		pair := map[strips.ActionID]bool{}
		for _, p := range r.Model.Predicates {
			if len(p.Add) == 1 && len(p.Del) == 1 {
				pair[p.Add[0]], pair[p.Del[0]] = true, true
			}
		}
		for _, a := range r.Report.Actions {
			if a.Successes >= 30 && !pair[a.Action] {
				t.Errorf("seed %d: no fact of action %d, which succeeded %d times", seed+1, a.Action,
					a.Successes)
			}
		}
	}
}
