package facts

import (
	"testing"

	"stripswm/models/dataset/datasettest"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// Skills that move an object from wherever it is have facts, which are true of the scenes, also
// beside a lamp that no fact tells.
func TestMoves(t *testing.T) {
	for name, y := range map[string]datasettest.Yard{
		"moves":             {Objects: 3, Places: 6, Moves: true},
		"and resets":        {Objects: 3, Places: 6, Moves: true, Resets: 100},
		"moves beside lamp": {Objects: 3, Places: 6, Moves: true, Lamp: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, scenes := y.Record(900, 1)
			l, err := Learn(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			if y.Lamp != (len(l.Unexplained) > 0) {
				t.Errorf("unexplained: %v", l.Unexplained)
			}
			if m := l.Result.Model; len(m.Predicates) != y.Picks() || len(m.Operators) != y.Picks() ||
				l.Result.Report.Unexplained() > 0 {
				t.Fatalf("%d predicates, %d operators, %d refusals unexplained", len(m.Predicates),
					len(m.Operators), l.Result.Report.Unexplained())
			}
			known, right, values := 0, 0, 0
			for image, interval := range l.Recording.Intervals(l.Result, d.Images()) {
				for p, predicate := range l.Result.Model.Predicates {
					if len(predicate.Add) != 1 {
						t.Fatalf("predicate %d is set by %v", p, predicate.Add)
					}
					k := int(predicate.Add[0]) - 1
					is := scenes[image].At[k/y.Places] == k%y.Places
					values++
					if v := l.Result.Value(strips.Predicate(p), interval); v != traces.Unknown {
						known++
						if is == (v == traces.True) {
							right++
						}
					}
				}
			}
			if right < known || 4*known < 3*values {
				t.Errorf("of %d values %d are known and %d right", values, known, right)
			}
			for _, s := range scenes[:20] { // each object is at one place, and no place has two
				good, twice := make([]bool, y.Picks()), make([]bool, y.Picks())
				for p, predicate := range l.Result.Model.Predicates {
					k := int(predicate.Add[0]) - 1
					good[p] = s.At[k/y.Places] == k%y.Places
					twice[p] = good[p] || k/y.Places == 0 && k%y.Places == s.At[1]
				}
				c := NewConstraints(l.Result)
				if !c.Holds(good) || c.Holds(twice) || c.Holds(make([]bool, y.Picks())) {
					t.Errorf("scene %v: constraints hold: %t; two at a place: %t; nothing anywhere: %t", s.At,
						c.Holds(good), c.Holds(twice), c.Holds(make([]bool, y.Picks())))
				}
			}
		})
	}
}
