package facts

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/dataset"
	"stripswm/models/dataset/datasettest"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// TestUnexplained: skills that change something else than facts are found, and no others; facts
// that one of them hides are found all the same, and nothing is planned with it.
func TestUnexplained(t *testing.T) {
	w := datasettest.Yard{Objects: 3, Places: 6}
	with := func(change func(*datasettest.Yard)) datasettest.Yard {
		y := w
		change(&y)
		return y
	}
	extra := strips.ActionID(2*w.Picks() + 1)
	for _, c := range []struct {
		name string
		yard datasettest.Yard
		want []strips.ActionID
	}{
		{"a table", w, nil},
		{"resets", with(func(y *datasettest.Yard) { y.Resets = 40 }), nil},
		{"a die", with(func(y *datasettest.Yard) { y.Die = true }), []strips.ActionID{extra}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d, scenes := c.yard.Record(800, 1)
			l, err := Learn(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			var got []strips.ActionID
			for _, u := range l.Unexplained {
				got = append(got, u.Action)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Fatal(diff)
			}
			planned := 0
			for _, o := range l.Result.Model.Operators {
				if slices.Contains(got, o.Action) {
					t.Errorf("skill %d has an operator", o.Action)
				} else if o.Effects() > 0 {
					planned++
				}
			}
			if planned != w.Actions() {
				t.Errorf("%d skills have effects, want %d", planned, w.Actions())
			}
			wrong, refused, pairs := compareScenes(t, w, d, scenes, l)
			if wrong > 0 || float64(refused) > 0.03*float64(pairs) {
				t.Errorf("of %d pairs of images %d of two states count as one, %d of one as two", pairs,
					wrong, refused)
			}
		})
	}
}

// compareScenes compares images of the scenes: it says how many pairs that differ in a die are
// accepted, and how many are refused that do not.
func compareScenes(t *testing.T, w datasettest.Yard, d *dataset.Dataset,
	scenes []datasettest.Scene, l *Learned,
) (wrong, refused, pairs int) {
	z := &Recognizer{Unexplained: l.Unexplained, size: d.Size}
	rng := rand.New(rand.NewPCG(1, 6))
	for range 500 {
		i, k := rng.IntN(d.Images()), rng.IntN(d.Images())
		found := z.Differing(z.Look(d.Image(i), valuesOf(t, w, l.Result.Model, scenes[i].At), nil),
			z.Look(d.Image(k), valuesOf(t, w, l.Result.Model, scenes[k].At), nil))
		differ := scenes[i].Die != scenes[k].Die
		switch {
		case differ && len(found) == 0:
			wrong++
		case !differ && len(found) > 0:
			refused++
		}
		pairs++
	}
	return wrong, refused, pairs
}

// valuesOf are those of learned predicates in a state: of facts that picking and placing objects at
// some places change, of those that every skill changes, and of derived ones.
func valuesOf(t *testing.T, w datasettest.Yard, m *traces.Model, at []int) (values []bool) {
	t.Helper()
	full := slices.Contains(at, -1)
	places := func(a strips.ActionID) bool { return int(a) > w.Picks() }
	for _, p := range m.Predicates {
		placed := places(p.Add[0])
		value := len(p.Add) == w.Picks() && full != placed
		for _, member := range p.Members {
			value = value || values[member.Predicate] != member.Negated
		}
		if p.Members == nil && len(p.Add) < w.Picks() { // something is at one of some places, or not
			value = !placed
			for _, a := range p.Add {
				k := (int(a) - 1) % (w.Picks())
				if places(a) != placed {
					t.Fatalf("predicate %v: not of a table", p)
				}
				if at[k/w.Places] == k%w.Places {
					value = placed
				}
			}
		}
		values = append(values, value)
	}
	return values
}
