package vision

import (
	"math/rand/v2"
	"slices"
	"testing"

	"stripswm/models/dataset"
	"stripswm/models/strips"
	"stripswm/models/taskgraph/graphtest"
)

// TestDisputed has attempts at two nodes come out as most did, or not.
func TestDisputed(t *testing.T) {
	for name, c := range map[string]struct {
		seen []string
		want float64
	}{
		"nothing":               {nil, 0},
		"each as it is":         {[]string{"a 1 c 2", "b 1", "b 1"}, 0},
		"one of four otherwise": {[]string{"a 1 c 3", "a 1"}, 0.25},
		"half of them":          {[]string{"a 1 c", "b 1 c", "a 1", "b 1"}, 0.5},
	} {
		if got := disputed(graphtest.Of([]string{"go"}, c.seen...)); got != c.want {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}

// TestBetter has a fallback settle with codes that say less than those of a training that did not
// settle, as happened on images without noise (107 codes of 115 states, then 13), and with codes
// that say more.
func TestBetter(t *testing.T) {
	first := &Learned{Chosen: Evaluation{Codes: 107, Conflicts: 6, Score: 2.1}}
	for name, c := range map[string]struct {
		fallback Learned
		want     bool
	}{
		"collapsed, though it settled": {Learned{Settled: true,
			Chosen: Evaluation{Codes: 13, Score: 0.9}}, false},
		"one code an image": {Learned{Settled: true,
			Chosen: Evaluation{Codes: 900, Score: 0.1}}, false},
		"all states": {Learned{Settled: true,
			Chosen: Evaluation{Codes: 115, Score: 2.2}}, true},
	} {
		if got := c.fallback.better(first); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestFallbackIsAccepted asks a fallback that is accepted up to a tenth of disputes and 20 visits
// whether another is to be tried.
func TestFallbackIsAccepted(t *testing.T) {
	c := fallback{disputed: 0.1, visits: 20}
	for name, k := range map[string]struct {
		settled     bool
		disputed    float64
		transitions int
		want        bool
	}{
		"few visits":    {true, 0.05, 200, true},
		"many":          {true, 0.05, 201, false},
		"disputes":      {true, 0.2, 100, false},
		"never settled": {false, 0, 100, false},
	} {
		l := &Learned{Settled: k.settled, Chosen: Evaluation{Codes: 10, Disputed: k.disputed}}
		if got := c.accepts(l, k.transitions); got != k.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestFallbacks asks what auto would try.
func TestFallbacks(t *testing.T) {
	for name, c := range map[string]struct {
		persists    bool
		transitions int
		want        []string
	}{
		"what is no state changes from image to image": {false, 30, []string{"", FallbackSmall}},
		"nuisance persists, few visits":                {true, 30, []string{FallbackFew}},
		"nuisance persists, some visits": {true, 300,
			[]string{FallbackFew, FallbackForesight}},
	} {
		var names []string
		for _, fallback := range Auto().fallbacks(c.persists, c.transitions) {
			names = append(names, fallback.name)
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%s: %q, want %q", name, names, c.want)
		}
	}
}

// TestNuisancePersists has a block in one of four places, under a light that falls off to one side:
// equally in both images of a static interval, or another in each. Every image has noise of
// its own.
func TestNuisancePersists(t *testing.T) {
	const size, intervals = 32, 200
	for name, k := range map[string]struct {
		persists, linked, oneFile, refused bool
		want                               bool
	}{
		"each image its own":         {false, true, false, false, false},
		"persists":                   {true, true, false, false, true},
		"one image for both":         {true, true, true, false, true},
		"persists, refused attempts": {true, true, false, true, true},
		"nobody says what is linked": {true, false, false, false, false},
	} {
		rng := rand.New(rand.NewPCG(1, 1))
		d := dataset.New(size, 4, 8*intervals)
		show := func(state int, x, y float64) int {
			img := make([]uint8, size*size*3)
			for i := range img {
				px, py := i/3%size, i/3/size
				value := 60 + x*float64(px) + y*float64(py) + 3*rng.NormFloat64()
				if left, top := 4+16*(state%2), 4+16*(state/2); px >= left && px < left+6 &&
					py >= top && py < top+6 {
					value += 120
				}
				img[i] = uint8(min(max(value, 0), 255))
			}
			image, err := d.AddImage(img)
			if err != nil {
				t.Fatal(err)
			}
			return image
		}
		state, x, y, image := 0, 0.0, 0.0, -1
		for i := range intervals {
			if !k.persists || i == 0 {
				x, y = 2*rng.Float64()-1, 2*rng.Float64()-1
			}
			for range 3 {
				if !k.refused {
					break
				}
				shown := show(state, x, y)
				if err := d.AddRefused(dataset.Transition{Before: shown, After: shown,
					Action: 1}); err != nil {
					t.Fatal(err)
				}
			}
			tr := dataset.Transition{Before: image, Follows: i > 0 && k.linked}
			if !k.oneFile || i == 0 {
				tr.Before = show(state, x, y)
			}
			state = rng.IntN(4)
			x, y = 2*rng.Float64()-1, 2*rng.Float64()-1
			tr.Action, tr.After = strips.ActionID(1+state), show(state, x, y)
			image = tr.After
			if err := d.AddTransition(tr); err != nil {
				t.Fatal(err)
			}
		}
		if got := nuisancePersists(d); got != k.want {
			t.Errorf("%s: lasting %t", name, got)
		}
	}
}
