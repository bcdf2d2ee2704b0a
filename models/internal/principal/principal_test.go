package principal

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// TestDirections has rows that vary along a few known directions, and by noise.
func TestDirections(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		count, values := rapid.IntRange(1, 60).Draw(t, "count"), rapid.IntRange(1, 90).Draw(t, "values")
		strong := rapid.IntRange(0, min(5, count, values)).Draw(t, "strong")
		n := rapid.IntRange(0, 12).Draw(t, "n")
		rng := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed")))
		rows := mat.NewDense(count, values, nil)
		rows.Apply(func(i, j int, _ float64) float64 {
			x := 0.01 * rng.NormFloat64()
			if j < strong && j == i%max(strong, 1) {
				x += 10 / float64(1+j)
			}
			return x
		}, rows)
		d := Directions(rows, n)
		if n == 0 {
			if d != nil {
				t.Fatal("directions of none")
			}
			return
		}
		k, _ := d.Dims()
		if k != min(n, count, values) {
			t.Fatalf("%d directions of %d, %d by %d", k, n, count, values)
		}
		for i := range k {
			for j := range i + 1 {
				want := 0.0
				if i == j {
					want = 1
				}
				if dot := floats.Dot(d.RawRowView(i), d.RawRowView(j)); math.Abs(dot-want) > 1e-6 {
					t.Fatalf("directions %d and %d: %v", i, j, dot)
				}
			}
		}
		for i := range min(k, strong) { // these are told by their axis
			if x := math.Abs(d.At(i, i)); x < 0.99 {
				t.Fatalf("direction %d has %v of its axis", i, x)
			}
		}
	})
}

// TestFewDimensions has rows that vary in two directions only: the others are 0.
func TestFewDimensions(t *testing.T) {
	t.Parallel()
	rows := mat.NewDense(6, 5, nil)
	for i := range 6 {
		rows.Set(i, 1, float64(i))
		rows.Set(i, 3, float64(i%2))
	}
	d := Directions(rows, 4)
	for k := range 4 {
		want := 0.0
		if k < 2 {
			want = 1
		}
		if norm := floats.Norm(d.RawRowView(k), 2); math.Abs(norm-want) > 1e-9 {
			t.Errorf("direction %d is %v long, want %v", k, norm, want)
		}
	}
	if Directions(mat.NewDense(1, 1, nil), 3).At(0, 0) != 0 {
		t.Error("a direction of nothing")
	}
}

// TestExtended has a row that the directions have, and one that they do not.
func TestExtended(t *testing.T) {
	directions := mat.NewDense(2, 4, []float64{1, 0, 0, 0, 0, 0.6, 0.8, 0})
	rows := mat.NewDense(2, 4, []float64{5, 3, 4, 0, 2, 0, 0, -3})
	want := mat.NewDense(4, 4, []float64{1, 0, 0, 0, 0, 0.6, 0.8, 0, 0, 0, 0, 0, 0, 0, 0, -1})
	if got := Extended(directions, rows); !mat.EqualApprox(got, want, 1e-12) {
		t.Errorf("%v, want %v", mat.Formatted(got), mat.Formatted(want))
	}
}
