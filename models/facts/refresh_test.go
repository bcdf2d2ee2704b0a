package facts

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/vision"
)

// scenesOf are those of a segment, by what their images show: of "cup here", "cup held" and "lamp
// on" each is true (+), false (-) or not read (0 for all).
func scenesOf(read ...string) (segment []*scene, seen []glance) {
	for i, text := range read {
		s := &scene{images: []int{i}}
		if i > 0 {
			s.via = strips.ActionID(1 + (i-1)%2) // pick, place, pick, ...
		}
		var values []bool
		for _, c := range text {
			if c != '0' {
				values = append(values, c == '+')
			}
		}
		segment, seen = append(segment, s), append(seen, glance{values: values})
	}
	return segment, seen
}

func TestSettle(t *testing.T) {
	m := &strips.Model{Predicates: 3, Operators: []strips.Operator{
		{Action: 1, PrePos: []strips.Predicate{0}, PreNeg: []strips.Predicate{1},
			Add: []strips.Predicate{1}, Del: []strips.Predicate{0}},
		{Action: 2, PrePos: []strips.Predicate{1}, PreNeg: []strips.Predicate{0},
			Add: []strips.Predicate{0}, Del: []strips.Predicate{1}},
	}}
	for _, c := range []struct {
		name string
		read []string
		want []string // ? is unknown
		cuts int
	}{
		{"all are read", []string{"+--", "-+-", "+--"}, []string{"+--", "-+-", "+--"}, 0},
		{"one is not", []string{"+-+", "-++", "000", "-++"}, []string{"+-+", "-++", "+-+", "-++"}, 0},
		{"none is read", []string{"000", "000", "000"}, []string{"+-?", "-+?", "+-?"}, 0},
		{"a success that did nothing", []string{"+--", "+--", "+--"},
			[]string{"???", "???", "???"}, 2},
		{"the lamp is switched by hand", []string{"+--", "-+-", "+-+", "-++"},
			[]string{"+--", "-+-", "+-+", "-++"}, 1},
		{"a single image is not believed", []string{"+-+", "000"}, []string{"+-?", "-+?"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			segment, seen := scenesOf(c.read...)
			if cuts := settle(segment, seen, m); cuts != c.cuts {
				t.Errorf("%d successes are cut out, want %d", cuts, c.cuts)
			}
			for i, s := range segment {
				got := ""
				for _, v := range s.values {
					got += map[traces.Value]string{traces.True: "+", traces.False: "-"}[v]
					if v == traces.Unknown {
						got += "?"
					}
				}
				if got != c.want[i] {
					t.Errorf("scene %d: %s, want %s", i, got, c.want[i])
				}
			}
		})
	}
}

// An object is replaced by one of another colour. Images with it are refused, and are learned from
// when somebody has confirmed that it is the same object. What it is called stays.
func TestRefreshAfterObjectIsReplaced(t *testing.T) {
	w := table{3, 4}
	r, z, states := trained(t, w)
	model, err := r.Model.Strips(nil)
	if err != nil {
		t.Fatal(err)
	}
	now := func(at []int, rng *rand.Rand) []uint8 {
		return paintIn([][]float64{{0.9, 0, 0.5}, {0, 1}, {0, 0, 1}}, at, rng)
	}
	d, _ := film(t, w, 700, 1)
	old := d.Images()
	newer, _ := filmWith(t, w, 400, 5, now)
	if err := d.Append(newer); err != nil {
		t.Fatal(err)
	}
	o := RefreshOptions{Old: old, Preset: tiny(), Training: vision.Options{Seed: 1}}
	if _, report, err := z.Refresh(t.Context(), d, model, o); len(report.Strange) < 300 ||
		err != nil && !errors.Is(err, ErrNothingNew) {
		t.Errorf("without confirmation: %v, %d images are strange", err, len(report.Strange))
	}
	o.Confirmed = true
	unseen := o
	unseen.Beyond = make([]bool, d.Images())
	for i := old; i < len(unseen.Beyond); i++ {
		unseen.Beyond[i] = true
	}
	if _, _, err := z.Refresh(t.Context(), d, model, unseen); !errors.Is(err, ErrNothingNew) {
		t.Errorf("of a camera that moved too far: %v, want %v", err, ErrNothingNew)
	}
	next, report, err := z.Refresh(t.Context(), d, model, o)
	if err != nil {
		t.Fatal(err)
	}
	if n := report.New; n.Before > n.Images/5 || n.After < 9*n.Images/10 {
		t.Errorf("new images that are recognized: %+v", n)
	}
	if n := report.Old; n.After < n.Before-n.Images/50 {
		t.Errorf("old images that are recognized: %+v", n)
	}
	rng, right, removed := rand.New(rand.NewPCG(8, 8)), 0, 0
	const n = 200
	for range n {
		k := rng.IntN(len(states))
		values := make([]bool, len(r.Model.Predicates))
		for l := range known(r, r.Before[0][k]).Each {
			values[l.Predicate()] = l&1 == 0
		}
		seen, err := next.Recognize(t.Context(), slices.Concat(now(states[k], rng),
			now([]int{gone, states[k][1], states[k][2]}, rng)))
		if err != nil {
			t.Fatal(err)
		}
		if seen[0].Refusal == "" && slices.Equal(seen[0].Values, values) {
			right++
		}
		if seen[1].Refusal == "" {
			removed++
		}
	}
	if right < 95*n/100 || removed > n/50 {
		t.Errorf("of %d images %d are recognized, and %d with the object removed", n, right, removed)
	}
}

func TestJudgedWorse(t *testing.T) {
	for _, c := range []struct {
		Judged
		worse bool
	}{
		{Judged{1000, 990, 990}, false},
		{Judged{1000, 990, 975}, false},
		{Judged{1000, 990, 900}, true},
		{Judged{40, 40, 38}, false},
		{Judged{40, 40, 30}, true},
	} {
		if got := c.Judged.worse(); got != c.worse {
			t.Errorf("%+v: worse is %v", c.Judged, got)
		}
	}
}
