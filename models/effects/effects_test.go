package effects_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"stripswm/models/effects"
	"stripswm/models/effects/check"
)

// shelf is a world for tests: objects on places, each for one object. Skill 1 + object*places +
// place moves an object there, wherever it is.
type shelf struct {
	objects, places       int
	light                 float64 // the gain differs by up to so much
	labels, moved, resets float64 // shares: wrong ids, changes by hand, resets to any state
	lamp                  bool    // the two last skills turn it on and off, and always succeed
	flip                  bool    // the last skill turns a lamp on or off
	push                  bool    // the last skill moves what is at 0 to 1, if that is free
	duplicate             bool    // the last skill does what the first does
	turns                 bool    // the first object lies the other way after a move to the right
	paint                 bool    // the last skill paints the first object at 0, or cleans it
	shared                bool    // an image after an attempt is that before the next one
	alike                 bool    // two objects are nearly of one colour
	hand                  bool    // skills take what is at a place, whatever it is, or put it there
	blind, darkness, idle bool    // the first object is not seen; nothing is; no skill does anything
}

const (
	side  = 24 // of images, pixels
	noise = 0.03
)

type shelved struct {
	at                   []int // places of objects; -1: in the hand
	lit, turned, painted bool
}

func (s shelved) clone() shelved {
	s.at = slices.Clone(s.at)
	return s
}

func (w shelf) actions() int {
	n := w.objects * w.places
	if w.hand {
		n = 2 * w.places
	}
	if w.lamp {
		n += 2
	}
	if w.duplicate || w.flip || w.push || w.paint {
		n++
	}
	return n
}

// do changes a state; false: refused.
func (w shelf) do(s *shelved, a int) bool {
	k := a - 1
	if w.duplicate && a == w.actions() {
		k = 0
	}
	switch last := a == w.actions(); {
	case w.flip && last:
		s.lit = !s.lit
		return true
	case w.paint && last:
		s.painted = !s.painted
		return s.at[0] == 0
	case w.push && last:
		o := slices.Index(s.at, 0)
		free := o >= 0 && !slices.Contains(s.at, 1)
		if free {
			s.at[o] = 1
		}
		return free
	}
	if k >= w.objects*w.places {
		s.lit = k == w.objects*w.places
		return true
	}
	o, p := k/w.places, k%w.places
	if w.hand {
		held, there := slices.Index(s.at, -1), slices.Index(s.at, p)
		switch {
		case o == 0 && held < 0 && there >= 0:
			s.at[there] = -1
		case o == 1 && held >= 0 && there < 0:
			s.at[held] = p
		default:
			return false
		}
		return true
	}
	if slices.Contains(s.at, p) {
		return false
	}
	s.turned = s.turned != (w.turns && o == 0 && p > s.at[0])
	s.at[o] = p
	return true
}

func (w shelf) draw(s shelved, rng *rand.Rand) []float32 {
	img := make([]float32, 3*side*side)
	for i := range img {
		img[i] = 0.5
	}
	box := func(left, top, width, height int, colour [3]float32) {
		for y := top; y < top+height; y++ {
			for x := left; x < left+width; x++ {
				copy(img[3*(y*side+x):], colour[:])
			}
		}
	}
	colours := [][3]float32{{1, 0.2, 0.2}, {0.2, 1, 0.2}, {0.2, 0.3, 1}, {0.9, 0.9, 0.2}}
	for o, p := range s.at {
		if !w.darkness && (o > 0 || !w.blind) {
			left, top, width, height := 1+6*(p%4)+rng.IntN(2), 2+8*(p/4), 3, 3
			if p < 0 {
				left, top = 20, 20
			}
			if o == 0 && s.turned {
				width, height = 2, 5
			}
			colour := colours[o]
			if w.alike && o == 2 {
				colour = [3]float32{0.2, 0.91, 0.26}
			}
			if o == 0 && s.painted {
				colour = [3]float32{0.9, 0.9, 0.9}
			}
			box(left, top, width, height, colour)
		}
	}
	if s.lit {
		box(20, 20, 3, 3, [3]float32{1, 1, 0.8})
	}
	gain := float32(1 + w.light*(2*rng.Float64()-1))
	for i := range img {
		img[i] = gain*img[i] + float32(noise*rng.NormFloat64())
	}
	return img
}

func (w shelf) words(s shelved) (all []string) {
	for o, p := range s.at {
		where := fmt.Sprint("at ", p)
		if p < 0 {
			where = "in the hand"
		}
		all = append(all, fmt.Sprint(o, " ", where))
	}
	if s.lit {
		all = append(all, "lit")
	}
	if s.painted {
		all = append(all, "painted")
	}
	return all
}

// record tries skills at random, nine in ten of which apply.
func (w shelf) record(n int, seed uint64) (attempts []effects.Attempt, steps []check.Step) {
	rng := rand.New(rand.NewPCG(seed, 5))
	anywhere := func() shelved {
		return shelved{at: rng.Perm(w.places)[:w.objects], lit: w.lamp && rng.IntN(2) == 0}
	}
	s, segment := anywhere(), 0
	for i := range n {
		begins := i == 0
		if rng.Float64() < w.resets && i > 0 {
			s, begins = anywhere(), true
			segment++
		}
		if rng.Float64() < w.moved {
			s = anywhere()
		}
		next := s.clone()
		refused := rng.IntN(10) == 0
		a := 1 + rng.IntN(w.actions())
		for try := 0; w.do(&next, a) == refused && try < 1000; try++ {
			next = s.clone()
			a = 1 + rng.IntN(w.actions())
		}
		ok := !refused
		if w.idle {
			next = s
		}
		label := a
		if ok && rng.Float64() < w.labels {
			label = 1 + rng.IntN(w.actions())
		}
		attempts = append(attempts, effects.Attempt{Action: label, Succeeded: ok, Segment: segment,
			Before: w.draw(s, rng), After: w.draw(next, rng)})
		steps = append(steps, check.Step{Action: label, Succeeded: ok, Begins: begins, Before: w.words(s),
			After: w.words(next)})
		if w.shared && i > 0 {
			attempts[i].Before = attempts[i-1].After
		}
		s = next
	}
	return attempts, steps
}

func learn(t testing.TB, w shelf, attempts []effects.Attempt) *effects.Result {
	t.Helper()
	r, err := effects.Learn(t.Context(), attempts, effects.Options{Channels: 3, Skills: w.actions()})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// score compares what is learned from a recording with the truth.
func score(t *testing.T, w shelf, n int, seed uint64) (check.Score, *effects.Result) {
	t.Helper()
	attempts, steps := w.record(n, seed)
	r := learn(t, w, attempts)
	var facts []check.Fact
	for _, f := range r.Facts {
		c := check.Fact{Sets: f.Sets, Clears: f.Clears, Values: make([][2]int, len(steps))}
		for i := range steps {
			for end := range 2 {
				if value, known := r.Value(f, i, end); known && value {
					c.Values[i][end] = 1
				} else if known {
					c.Values[i][end] = -1
				}
			}
		}
		facts = append(facts, c)
	}
	return check.Compare(facts, steps, r.Actions), r
}

// Facts that skills set whatever they were, that one skill flips, and that depend on others are
// found, and none besides; their values are right.
func TestLearn(t *testing.T) {
	for name, w := range map[string]shelf{
		"calm":     {objects: 3, places: 5},
		"light":    {objects: 3, places: 5, light: 0.2},
		"resets":   {objects: 3, places: 5, resets: 0.05},
		"noisy":    {objects: 3, places: 5, labels: 0.02, moved: 0.02},
		"a lamp":   {objects: 3, places: 5, lamp: true},
		"a flip":   {objects: 3, places: 5, flip: true},
		"two ways": {objects: 3, places: 5, duplicate: true},
		"push":     {objects: 3, places: 5, push: true},
		"turns":    {objects: 3, places: 5, turns: true},
		"paint":    {objects: 3, places: 5, paint: true},
		"shared":   {objects: 3, places: 5, shared: true},
		"a hand":   {objects: 3, places: 5, hand: true},
	} {
		for seed := range uint64(3) {
			s, r := score(t, w, 800, seed)
			words := w.objects * w.places
			if w.lamp || w.flip || w.paint {
				words++
			}
			if w.hand {
				words += w.objects
			}
			if s.Words != words || s.Found != words || s.Facts != words || s.Untrue > 0 ||
				s.EffectsFalse > 0 || float64(s.EffectsFound) < 0.95*float64(s.Effects) {
				t.Errorf("%s, seed %d: %+v", name, seed, s)
			}
			if s.Right < s.Known || float64(s.Known) < 0.98*float64(s.Values) {
				t.Errorf("%s, seed %d: values %+v", name, seed, s)
			}
			variants := map[bool]int{w.flip || w.paint: 1}[true]
			if !w.push && !w.hand && len(r.Variants) != variants {
				t.Errorf("%s, seed %d: variants of %v", name, seed, r.Variants)
			}
		}
	}
}

// A skill that flips a lamp has variants by the lamp's variable, and does nothing without it.
func TestWithout(t *testing.T) {
	w := shelf{objects: 3, places: 5, flip: true}
	attempts, _ := w.record(800, 1)
	r := learn(t, w, attempts)
	for a := 1; a < w.actions(); a++ {
		if v := r.Splits(a); len(v) > 0 {
			t.Errorf("action %d has no variants, but by variables %v", a, v)
		}
	}
	lamp := r.Splits(w.actions())
	if len(lamp) != 1 {
		t.Fatalf("variables %v split the flip, want one", lamp)
	}
	rest := r.Without(lamp[0])
	if len(rest.Variables) != len(r.Variables)-1 || len(rest.Facts) != len(r.Facts)-1 ||
		len(rest.Variants) > 0 || len(r.Variants) != 1 {
		t.Errorf("%d facts, variants of %v; without the lamp %d, of %v", len(r.Facts), r.Variants,
			len(rest.Facts), rest.Variants)
	}
}

// Two objects of nearly one colour are told apart, but for few images.
func TestAlike(t *testing.T) {
	for seed := range uint64(3) {
		s, _ := score(t, shelf{objects: 3, places: 5, light: 0.1, alike: true}, 800, seed)
		if s.Found != 15 || s.Facts != 15 || s.Untrue > 0 || s.EffectsFalse > 0 ||
			float64(s.Right) < 0.995*float64(s.Values) {
			t.Errorf("seed %d: %+v", seed, s)
		}
	}
}

// Of a skill that moves an object to a place nobody knows what it does where another one is
// there. It keeps all that is elsewhere.
func TestDoubts(t *testing.T) {
	w := shelf{objects: 3, places: 5}
	attempts, _ := w.record(1600, 1)
	for _, f := range learn(t, w, attempts).Facts {
		var doubts []int
		for a := 1; a <= w.actions(); a++ {
			if a != f.Sets[0] && (a-f.Sets[0])%w.places == 0 {
				doubts = append(doubts, a)
			}
		}
		if len(f.Sets) != 1 || !slices.Equal(f.Doubts, doubts) {
			t.Errorf("%+v: doubts of %v, want %v", f, f.Doubts, doubts)
		}
	}
}

// What no image shows has no fact; others have theirs.
func TestUnseen(t *testing.T) {
	s, _ := score(t, shelf{objects: 3, places: 5, blind: true}, 800, 1)
	if s.Found != 10 || s.Facts != 10 || s.Untrue > 0 || s.EffectsFalse > 0 {
		t.Errorf("%+v", s)
	}
}

// Where nothing is to be seen, nothing is found.
func TestNothing(t *testing.T) {
	for seed := range uint64(5) {
		for _, w := range []shelf{{objects: 3, places: 5, light: 0.3, darkness: true},
			{objects: 3, places: 5, light: 0.3, idle: true}} {
			attempts, _ := w.record(600, seed)
			if r := learn(t, w, attempts); len(r.Facts) > 0 {
				t.Errorf("seed %d: %+v", seed, r.Facts)
			}
		}
	}
}

// Images that are recorded twice are left out, unless images of one state are equal anyway.
func TestDifferent(t *testing.T) {
	differ := func(pair int) bool { return pair > 0 }
	for _, tt := range []struct{ between, refused, want []int }{
		{[]int{0, 0, 1}, []int{2, 3}, []int{1, 2, 3}},
		{[]int{0, 0, 1}, []int{0, 0}, []int{0, 0, 1, 0, 0}},
		{[]int{0, 1, 2}, nil, []int{1, 2}},
		{nil, nil, nil},
	} {
		if got := effects.Different(differ, tt.between, tt.refused); !slices.Equal(got, tt.want) {
			t.Errorf("%v, %v: %v, want %v", tt.between, tt.refused, got, tt.want)
		}
	}
}

func TestRepeats(t *testing.T) {
	w := shelf{objects: 3, places: 5, labels: 0.03}
	attempts, _ := w.record(300, 1)
	if !reflect.DeepEqual(learn(t, w, attempts), learn(t, w, attempts)) {
		t.Error("the same attempts give another result")
	}
}

// What a success with a wrong id did is unknown, and that of hardly any other.
func TestWrongIDs(t *testing.T) {
	w := shelf{objects: 3, places: 5}
	attempts, _ := w.record(1600, 1)
	wrong, rng := 0, rand.New(rand.NewPCG(1, 7))
	for i := 0; i < len(attempts); i += 40 {
		if other := 1 + rng.IntN(w.actions()); attempts[i].Succeeded && attempts[i].Action != other {
			attempts[i].Action = other
			wrong++
		}
	}
	disowned := [2]int{}
	for i, action := range learn(t, w, attempts).Actions {
		if action == 0 {
			disowned[map[bool]int{true: 1}[i%40 == 0]]++
		}
	}
	if disowned[0] > 0 || disowned[1] < wrong {
		t.Errorf("%d of %d with wrong ids, and %d others, are unknown", disowned[1], wrong, disowned[0])
	}
}

// Attempts without images count for what they are known to do, and none is needed.
func TestWithoutImages(t *testing.T) {
	w := shelf{objects: 2, places: 4}
	attempts, _ := w.record(400, 1)
	for i := range attempts {
		if i%5 == 0 {
			attempts[i].Before, attempts[i].After = nil, nil
		}
	}
	if r := learn(t, w, attempts); len(r.Facts) != 8 {
		t.Errorf("%d facts, want 8", len(r.Facts))
	}
	for i := range attempts {
		attempts[i].Before = nil
	}
	if r := learn(t, w, attempts); len(r.Facts) > 0 {
		t.Errorf("%d facts without an image", len(r.Facts))
	}
	if r := learn(t, w, nil); len(r.Facts) > 0 {
		t.Errorf("%d facts of nothing", len(r.Facts))
	}
}

func TestErrors(t *testing.T) {
	good := effects.Attempt{Action: 1, Before: make([]float32, 6), After: make([]float32, 6)}
	for name, wrong := range map[string]effects.Attempt{
		"no action":      {Before: good.Before, After: good.After},
		"other features": {Action: 1, Before: good.Before, After: make([]float32, 3)},
	} {
		if _, err := effects.Learn(t.Context(), []effects.Attempt{good, wrong},
			effects.Options{Channels: 3, Skills: 1}); !errors.Is(err, effects.ErrAttempts) {
			t.Errorf("%s: %v", name, err)
		}
	}
	back := []effects.Attempt{good, good}
	back[0].Segment = 1
	one := effects.Options{Channels: 3, Skills: 1}
	if _, err := effects.Learn(t.Context(), back, one); !errors.Is(err, effects.ErrAttempts) {
		t.Errorf("segments that descend: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	attempts, _ := shelf{objects: 2, places: 4}.record(100, 1)
	eight := effects.Options{Channels: 3, Skills: 8}
	if _, err := effects.Learn(ctx, attempts, eight); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}
