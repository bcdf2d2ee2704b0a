package facts

import (
	"slices"
	"testing"

	"stripswm/models/dataset/datasettest"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// Skills that move an object from wherever it is have facts, which are true of the scenes, also
// beside a lamp that one skill turns on and off.
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
			if len(l.Unexplained) > 0 {
				t.Errorf("unexplained: %v", l.Unexplained)
			}
			lamp, isLamp := strips.ActionID(y.Picks()+1), lampFacts(l.Result.Model)
			lamps := 0
			if y.Lamp {
				lamps = 1
			}
			if m := l.Result.Model; len(m.Predicates) != y.Picks()+lamps ||
				len(m.Operators) != y.Picks()+2*lamps || l.Result.Report.Unexplained() > 0 {
				t.Fatalf("%d predicates, %d operators, %d refusals unexplained", len(m.Predicates),
					len(m.Operators), l.Result.Report.Unexplained())
			}
			known, right, values := 0, 0, 0
			for image, interval := range l.Recording.Intervals(l.Result, d.Images()) {
				for p, predicate := range l.Result.Model.Predicates {
					if isLamp[p] {
						continue
					}
					if len(predicate.Add) != 1 || predicate.Add[0] == lamp {
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
				n := len(l.Result.Model.Predicates)
				good, twice := make([]bool, n), make([]bool, n)
				for p, predicate := range l.Result.Model.Predicates {
					if isLamp[p] {
						continue
					}
					k := int(predicate.Add[0]) - 1
					good[p] = s.At[k/y.Places] == k%y.Places
					twice[p] = good[p] || k/y.Places == 0 && k%y.Places == s.At[1]
				}
				c := NewConstraints(l.Result)
				if !c.Holds(good) || c.Holds(twice) || c.Holds(make([]bool, n)) {
					t.Errorf("scene %v: constraints hold: %t; two at a place: %t; nothing anywhere: %t", s.At,
						c.Holds(good), c.Holds(twice), c.Holds(make([]bool, n)))
				}
			}
		})
	}
}

// lampFacts says which predicates one skill sets and clears.
func lampFacts(m *traces.Model) []bool {
	is := make([]bool, len(m.Predicates))
	for p, predicate := range m.Predicates {
		is[p] = len(predicate.Add) == 1 && slices.Equal(predicate.Add, predicate.Del)
	}
	return is
}

// A skill that turns a lamp on and off is two operators, each where the other one is not, of one
// fact, which is true of the scenes.
func TestFlip(t *testing.T) {
	t.Parallel()
	y := datasettest.Yard{Objects: 3, Places: 6, Lamp: true}
	d, scenes := y.Record(800, 1)
	l, err := Learn(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Unexplained) > 0 || l.Result.Report.Unexplained() > 0 {
		t.Errorf("unexplained: %v, %d refusals", l.Unexplained, l.Result.Report.Unexplained())
	}
	lamp := slices.Index(lampFacts(l.Result.Model), true)
	if lamp < 0 {
		t.Fatal("no fact is set and cleared by one skill")
	}
	var flips []strips.Operator
	for _, o := range l.Result.Model.Operators {
		if o.Action == l.Result.Model.Predicates[lamp].Add[0] {
			flips = append(flips, o)
		}
	}
	if len(flips) != 2 || len(flips[0].Add)+len(flips[1].Add) != 1 ||
		len(flips[0].PrePos)+len(flips[1].PrePos) != 1 {
		t.Errorf("the skill has operators %v", flips)
	}
	on := map[[2]bool]int{} // by what is true, and what is said
	for image, interval := range l.Recording.Intervals(l.Result, d.Images()) {
		if v := l.Result.Value(strips.Predicate(lamp), interval); v != traces.Unknown {
			on[[2]bool{scenes[image].Lamp, v == traces.True}]++
		}
	}
	same, other := on[[2]bool{true, true}]+on[[2]bool{false, false}],
		on[[2]bool{true, false}]+on[[2]bool{false, true}]
	if min(same, other) > 0 || 10*(same+other) < 9*d.Images() {
		t.Errorf("of %d images the fact is the lamp in %d and is not in %d", d.Images(), same, other)
	}
}
