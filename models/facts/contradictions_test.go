package facts

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/dataset"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// misfilm is a film of a table that is recorded wrongly: somebody changes the scene before one
// attempt in twenty, and one in twenty has another action or outcome, or failed. It says which.
func misfilm(t *testing.T, w table, attempts int, seed uint64, fails bool) (*dataset.Dataset,
	map[int]Kind,
) {
	t.Helper()
	segment, states := w.record(attempts, seed)
	rng := rand.New(rand.NewPCG(seed, 3))
	d, wrong := dataset.New(imageSize, w.actions(), 2*attempts), map[int]Kind{}
	var last []int
	failed := false // since the last success
	for n, i := 0, 0; i < len(segment); n, i = n+1, i+1 {
		if i > 0 && rng.IntN(20) == 0 {
			i = min(i+1+rng.IntN(4), len(segment)-1) // what others did is not recorded
		}
		a, after := segment[i], slices.Clone(states[i])
		w.apply(after, a.Action)
		switch moved := a.Outcome == traces.Succeeded; {
		case last != nil && !slices.Equal(states[i], last):
			wrong[n] = MovedBefore
		case rng.IntN(20) > 0:
		case fails && !moved && rng.IntN(2) == 0:
			wrong[n], a.Outcome = FailedStill, traces.Failed
		case !moved:
			wrong[n], a.Outcome = NothingMoved, traces.Succeeded
		case rng.IntN(3) == 0 && w.moveAnother(after, states[i], rng):
			wrong[n] = MoreMoved
		case fails && rng.IntN(3) == 0:
			wrong[n], a.Outcome = FailedMoved, traces.Failed
		case rng.IntN(2) == 0:
			wrong[n], a.Outcome = RefusedMoved, traces.Refused
		default:
			wrong[n] = OtherAction
			a.Action = strips.ActionID(1 + (int(a.Action)+rng.IntN(w.actions()-1))%w.actions())
		}
		add := d.AddTransition
		tr := dataset.Transition{Before: 2 * n, After: 2*n + 1, Action: a.Action,
			Follows: n > 0 && !failed, Resumes: failed}
		switch a.Outcome {
		case traces.Refused:
			add = d.AddRefused
		case traces.Failed:
			add, failed = d.AddFailed, true
		case traces.Succeeded:
			failed = false
		}
		for _, at := range [][]int{states[i], after} {
			if _, err := d.AddImage(paint(at, rng)); err != nil {
				t.Fatal(err)
			}
		}
		if err := add(tr); err != nil {
			t.Fatal(err)
		}
		last = after
	}
	return d, wrong
}

// moveAnother puts another object than was moved into a free place, if there is one.
func (w table) moveAnother(at, before []int, rng *rand.Rand) bool {
	place := rng.IntN(w.places)
	for o, p := range at {
		if p >= 0 && p == before[o] && !slices.Contains(at, place) && !slices.Contains(before, place) {
			at[o] = place
			return true
		}
	}
	return false
}

// What is recorded otherwise than images show is found, and only that.
func TestContradictions(t *testing.T) {
	for _, kinds := range []int{5, 7} {
		d, want := misfilm(t, table{objects: 3, places: 4}, 1500, 1, kinds == 7)
		got := map[int]Kind{}
		for _, c := range Attempts(d).Contradictions(thumbnails(d)) {
			got[c.Attempt] = c.Kind
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		tested := map[Kind]bool{}
		for _, k := range want {
			tested[k] = true
		}
		if len(tested) != kinds {
			t.Errorf("only %v are tested", tested)
		}
	}
}

// Without wrong records hardly anything is contradicted, and nothing where nothing is to be seen.
func TestNothingIsContradicted(t *testing.T) {
	w := table{objects: 3, places: 4}
	d, _ := film(t, w, 600, 1)
	if found := Attempts(d).Contradictions(thumbnails(d)); len(found) > 6 { // one in 100
		t.Errorf("a right recording: %+v", found)
	}
	blind := dataset.New(imageSize, w.actions(), d.Images())
	rng := rand.New(rand.NewPCG(1, 5))
	for range d.Images() {
		if _, err := blind.AddImage(paint(w.initial(), rng)); err != nil {
			t.Fatal(err)
		}
	}
	blind.Transitions, blind.Refused = d.Transitions, d.Refused
	if found := Attempts(blind).Contradictions(thumbnails(blind)); len(found) > 0 {
		t.Errorf("images that show one state: %d", len(found))
	}
	if found := (Recording{}).Contradictions(nil); found != nil {
		t.Errorf("an empty recording: %+v", found)
	}
}

func TestWithoutContradictions(t *testing.T) {
	at := func(a strips.ActionID, o traces.Outcome) traces.Attempt {
		return traces.Attempt{Action: a, Outcome: o}
	}
	r := Recording{
		Segments: [][]traces.Attempt{{at(1, traces.Succeeded), at(2, traces.Refused)},
			{at(3, traces.Succeeded), at(4, traces.Succeeded), at(5, traces.Failed), at(6, traces.Failed)}},
		Images: [][][2]int{{{0, 1}, {2, 3}}, {{4, 5}, {6, 7}, {8, 9}, {10, 11}}},
	}
	got := r.Without([]Contradiction{{Attempt: 1, Kind: RefusedMoved}, {Attempt: 3, Kind: MovedBefore},
		{Attempt: 3, Kind: OtherAction}, {Attempt: 4, Kind: FailedStill},
		{Attempt: 5, Kind: FailedMoved}})
	want := Recording{
		Segments: [][]traces.Attempt{{at(1, traces.Succeeded), at(2, traces.Failed)},
			{at(3, traces.Succeeded)}, {at(4, traces.Failed), at(6, traces.Succeeded)}},
		Images: [][][2]int{{{0, 1}, {2, 3}}, {{4, 5}}, {{6, 7}, {10, 11}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Recordings that are short, or show nothing at all, are contradicted nowhere.
func TestShortRecordings(t *testing.T) {
	for _, n := range []int{1, 8, 16, 17, 20, 40} {
		for _, actions := range []int{0, 2} { // 0: not known
			d := dataset.New(imageSize, actions, 2*n)
			for i := range n {
				for range 2 {
					if _, err := d.AddImage(make([]uint8, 3*imageSize*imageSize)); err != nil {
						t.Fatal(err)
					}
				}
				if err := d.AddTransition(dataset.Transition{Before: 2 * i, After: 2*i + 1, Action: 1,
					Follows: i > 0}); err != nil {
					t.Fatal(err)
				}
			}
			if found := Attempts(d).Contradictions(thumbnails(d)); len(found) > 0 {
				t.Errorf("%d attempts: %+v", n, found)
			}
		}
	}
}

// TestContradictionsOfLargeIDs has ids that are far apart: it takes as much room as ids without
// gaps, and finds the same.
func TestContradictionsOfLargeIDs(t *testing.T) {
	const apart = 400
	d, _ := misfilm(t, table{3, 4}, 700, 1, false)
	find := func() ([]Contradiction, uint64) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		found := Attempts(d).Contradictions(thumbnails(d))
		runtime.ReadMemStats(&after)
		return found, after.TotalAlloc - before.TotalAlloc
	}
	near, room := find()
	d.Actions *= apart
	for _, all := range [][]dataset.Transition{d.Transitions, d.Refused, d.Failed} {
		for i := range all {
			all[i].Action *= apart
		}
	}
	far, more := find()
	for i := range far {
		far[i].Action, far[i].Looks = far[i].Action/apart, far[i].Looks/apart
	}
	if diff := cmp.Diff(near, far); diff != "" || len(near) == 0 {
		t.Errorf("%d contradictions with other ids:\n%s", len(near), diff)
	}
	if more > 2*room {
		t.Errorf("ids of %d times as much take %d bytes in place of %d", apart, more, room)
	}
}
