package facts

import (
	"math/rand/v2"
	"testing"

	"stripswm/models/strips"
)

// TestRecognizesPart covers the left half of images of a table, where two of four places are, with
// that of another state: what is read from the right half is what is there, whatever was covered.
func TestRecognizesPart(t *testing.T) {
	ctx := t.Context()
	r, z, states := trained(t, table{3, 4})
	if z.Misread > 0.2 {
		t.Errorf("a share of %.2f of the images held out is misread", z.Misread)
	}
	mask := make(Mask, imageSize*imageSize)
	for i := range mask {
		mask[i] = i%imageSize >= imageSize/2
	}
	rng := rand.New(rand.NewPCG(3, 3))
	accepted, wrong, count := 0, 0, 0
	const n = 100
	for range n {
		k, other := rng.IntN(len(states)), rng.IntN(len(states))
		image, rest := paint(states[k], rng), paint(states[other], rng)
		for i, inside := range mask {
			if !inside {
				copy(image[3*i:3*i+3], rest[3*i:3*i+3])
			}
		}
		logits, err := z.logits(ctx, image)
		if err != nil {
			t.Fatal(err)
		}
		seen, read := z.RecognizePart(logits, image, mask)
		count = len(read)
		if seen.Refusal != "" {
			continue
		}
		accepted++
		holds := known(r, r.Before[0][k])
		for _, p := range read {
			if !holds.Has(strips.Literal{Predicate: p, Negated: !seen.Values[p]}.ID()) {
				wrong++
			}
		}
	}
	t.Logf("%d of %d accepted, %d of %d predicates count, %d values wrong", accepted, n, count,
		len(r.Model.Predicates), wrong)
	if count < 6 || count == len(r.Model.Predicates) {
		t.Errorf("%d predicates count, want those of three objects at two places", count)
	}
	if accepted < n/2 || wrong > accepted*count/100 {
		t.Error("want half accepted, and one value in a hundred wrong at most")
	}
}
