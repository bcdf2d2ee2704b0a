package facts

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"stripswm/models/dataset/datasettest"
)

// Skills that do not alternate have facts: those that move an object from wherever it is, flip a
// lamp, open a lid once a reset, or sweep away what is there. Two images have the same facts where
// they show one scene, and no others.
func TestLooks(t *testing.T) {
	for name, y := range map[string]datasettest.Yard{
		"moves":               {Objects: 3, Places: 6, Moves: true},
		"moves and resets":    {Objects: 3, Places: 6, Moves: true, Resets: 100},
		"moves and hands":     {Objects: 3, Places: 6, Moves: true, Hands: 20},
		"moves beside a lamp": {Objects: 3, Places: 6, Moves: true, Lamp: true},
		"a lamp":              {Objects: 3, Places: 6, Lamp: true},
		"lids":                {Objects: 3, Places: 6, Lids: 2, Resets: 40},
		"a broom":             {Objects: 3, Places: 6, Broom: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, scenes := y.Record(1000, 1)
			l, err := Learn(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range l.Unexplained {
				t.Errorf("skill %d is unexplained", u.Action)
			}
			if r := l.Result.Report; 50*r.Unexplained() > r.Refusals {
				t.Errorf("%d of %d refusals are unexplained", r.Unexplained(), r.Refusals)
			}
			shows := l.Recording.Intervals(l.Result, d.Images())
			c, rng := NewConstraints(l.Result), rand.New(rand.NewPCG(1, 6))
			pairs, unknown, wrong, refused := 500, 0, 0, 0
			for range pairs {
				i, k := rng.IntN(d.Images()), rng.IntN(d.Images())
				if shows[i] < 0 || shows[k] < 0 || !l.Result.Known(shows[i]) || !l.Result.Known(shows[k]) {
					unknown++
					continue
				}
				a, b := l.Result.State(shows[i]), l.Result.State(shows[k])
				if reflect.DeepEqual(a, b) != reflect.DeepEqual(scenes[i], scenes[k]) {
					wrong++
				}
				values := a.Bools()
				if !c.Holds(values) {
					refused++
				}
				for p := range values {
					values[p] = !values[p]
					if y.Moves && !y.Lamp && c.Holds(values) { // an object is at one place, and not at two
						t.Fatalf("scene %v without predicate %d, or with it, is a state", scenes[i], p)
					}
					values[p] = !values[p]
				}
			}
			if wrong > 0 || refused > 0 || 20*unknown > pairs {
				t.Errorf("of %d pairs %d are not known, %d are taken for one scene or two, wrongly, and %d "+
					"scenes are no states", pairs, unknown, wrong, refused)
			}
		})
	}
}
