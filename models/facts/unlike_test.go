package facts

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// One object is of another colour. It is recognized where it is, and nothing else is taken for it.
func TestOneThingLooksUnlike(t *testing.T) {
	r, z, states := trained(t, table{3, 4})
	read := func(image []uint8) ([]float32, error) { return z.logits(t.Context(), image) }
	usual := [][]float64{{1}, {0, 1}, {0, 0, 1}}
	other := [][]float64{{0.9, 0, 0.5}, {0, 1}, {0, 0, 1}}
	const n = 50
	same := func(at []int) []int { return at }
	for _, c := range []struct {
		name           string
		colours        [][]float64
		at             func(at []int) []int
		beside         int // pixels a side of what stands where nothing is seen
		accepted, most int // of n
	}{
		{"as usual", usual, same, 0, n * 95 / 100, n},
		{"an object is of another colour", other, same, 0, n * 95 / 100, n},
		{"it is gone", other, func(at []int) []int { return []int{gone, at[1], at[2]} }, 0, 0, n / 50},
		{"two are of another colour", [][]float64{{0.9, 0, 0.5}, {0.3, 0.3, 0.9}, {0, 0, 1}},
			same, 0, 0, n / 50},
		{"an object that is not the model's stands on a free place", append(slices.Clone(usual),
			[]float64{0.9, 0, 0.5}), func(at []int) []int {
			free := 0
			for slices.Contains(at, free) {
				free++
			}
			return append(slices.Clone(at), free)
		}, 0, 0, n / 50},
		{"something stands where nothing is seen", usual, same, 2, n * 95 / 100, n},
		{"something reaches to where objects are", usual, same, 8, 0, n / 50},
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(9, 9))
			accepted, wrong := 0, 0
			for range n {
				k := rng.IntN(len(states))
				image := paintIn(c.colours, c.at(states[k]), rng)
				for i := range c.beside * c.beside {
					y, x := 6+i/c.beside, imageSize-1-i%c.beside
					copy(image[3*(y*imageSize+x):], []uint8{200, 180, 20})
				}
				logits, err := read(image)
				if err != nil {
					t.Fatal(err)
				}
				seen := z.RecognizeLogits(logits, image, nil)
				if seen.Refusal != "" {
					if seen, err = z.RecognizeUnlike(seen, logits, image, nil, read); err != nil {
						t.Fatal(err)
					}
				}
				if seen.Refusal != "" {
					continue
				}
				accepted++
				for l := range known(r, r.Before[0][k]).Each {
					if seen.Values[l.Predicate()] != (l&1 == 0) {
						wrong++
						break
					}
				}
			}
			if accepted < c.accepted || accepted > c.most || wrong > 0 {
				t.Errorf("of %d images %d are accepted, %d as another state, want %d to %d and none", n,
					accepted, wrong, c.accepted, c.most)
			}
		})
	}
}
