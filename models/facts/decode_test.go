package facts

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/worlds"
)

var small = sync.OnceValues(func() (*traces.Result, error) { return table{2, 3}.learn(400, 1) })

// reach are all vectors that the model reaches, by applying its operators: no code of constraints.
func reach(r *traces.Result) [][]bool {
	first := make([]bool, len(r.Model.Predicates))
	for interval := range r.Report.Intervals {
		all := true
		for p := range first {
			v := r.Value(strips.Predicate(p), interval)
			first[p] = v == traces.True
			all = all && v != traces.Unknown
		}
		if all {
			break
		}
	}
	seen := map[strips.State]bool{strips.StateOf(first): true}
	queue := []strips.State{strips.StateOf(first)}
	for i := 0; i < len(queue); i++ {
		for _, o := range r.Model.Operators {
			if next := o.Apply(queue[i]); o.Applicable(queue[i]) && !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	var all [][]bool
	for _, s := range queue {
		values := make([]bool, len(first))
		for p := range values {
			values[p] = s.Get(strips.Predicate(p))
		}
		all = append(all, values)
	}
	return all
}

// Constraints hold in all states that a model reaches, and, where a world is small enough to try
// all vectors, in no others. Facts of equal blocks say how high a stack is: that none is lost is in
// no pair of them.
func TestConstraintsHoldInReachedStatesOnly(t *testing.T) {
	learn := func(w *worlds.World, attempts int) func() (*traces.Result, error) {
		return func() (*traces.Result, error) {
			return traces.Learn(len(w.Operators), [][]traces.Attempt{w.Record(attempts, 11,
				worlds.Noise{})}, traces.Options{})
		}
	}
	for _, c := range []struct {
		name   string
		learn  func() (*traces.Result, error)
		states int
		only   bool
	}{
		{"two objects at three places, or one of them held", small, 6 + 6, true},
		{"blocks", learn(worlds.Blocks(), 1000), 16, true},
		{"vehicles", learn(worlds.Vehicles(2, 3, 2), 3000), 3 * 3 * 5 * 5, false},
		{"kitchen", learn(worlds.Kitchen(2, 2, 2), 3000), 96, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := c.learn()
			if err != nil {
				t.Fatal(err)
			}
			constraints, states := NewConstraints(r), reach(r)
			if len(states) != c.states {
				t.Fatalf("the model reaches %d states, want %d", len(states), c.states)
			}
			for _, s := range states {
				if !constraints.Holds(s) {
					t.Errorf("state %v violates the constraints", s)
				}
			}
			if !c.only {
				return
			}
			n, consistent := len(r.Model.Predicates), 0
			values := make([]bool, n)
			for bits := range 1 << n {
				for p := range values {
					values[p] = bits>>p&1 == 1
				}
				if constraints.Holds(values) {
					consistent++
				}
			}
			if consistent != len(states) {
				t.Errorf("%d of %d vectors are consistent, want %d", consistent, 1<<n, len(states))
			}
		})
	}
}

// cost of a vector is by definition, not by the decoder.
func cost(logits []float32, values []bool) (sum float64) {
	for p, v := range values {
		if v != (logits[p] > 0) {
			sum += math.Abs(float64(logits[p]))
		}
	}
	return sum
}

// Decoding finds the cheapest of all consistent vectors, and how much more the next one costs.
func TestDecodeFindsTheMostLikely(t *testing.T) {
	r, err := small()
	if err != nil {
		t.Fatal(err)
	}
	c, states := NewConstraints(r), reach(r)
	rapid.Check(t, func(t *rapid.T) {
		n := len(r.Model.Predicates)
		logits := rapid.SliceOfN(rapid.Float32Range(-20, 20), n, n).Draw(t, "logits")
		d := c.Decode(logits)
		if d.Values == nil || !d.Exact || !c.Holds(d.Values) {
			t.Fatalf("decoded %+v", d)
		}
		best := math.Inf(1)
		for _, s := range states {
			best = min(best, cost(logits, s))
		}
		if got := cost(logits, d.Values); math.Abs(got-best) > 1e-4 ||
			math.Abs(got-d.Cost) > 1e-4 {
			t.Fatalf("decoded at cost %g (%g), the cheapest state costs %g", got, d.Cost, best)
		}
		next := math.Inf(1)
		for _, s := range states {
			if !slices.Equal(s, d.Values) {
				next = min(next, cost(logits, s)-best)
			}
		}
		confidence := c.confidence(logits, d.Values, view{})
		if next < sure && math.Abs(confidence-1/(1+math.Exp(-next))) > 1e-4 ||
			next >= sure && confidence < 1/(1+math.Exp(-sure))-1e-4 {
			t.Fatalf("confidence %g, where the next state costs %g more", confidence, next)
		}
	})
}

func FuzzDecode(f *testing.F) {
	r, err := small()
	if err != nil {
		f.Fatal(err)
	}
	c := NewConstraints(r)
	f.Add([]byte{1, 2, 255, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		logits := make([]float32, len(r.Model.Predicates))
		for i, b := range data {
			logits[i%len(logits)] += float32(int8(b))
		}
		if d := c.Decode(logits); !d.Exact || !c.Holds(d.Values) {
			t.Errorf("decoded %+v", d)
		}
	})
}

// A table of ten objects and twelve places has more than 10^9 states: outputs of which some are
// wrong are decoded within milliseconds.
func TestDecodeLargeTable(t *testing.T) {
	w := table{10, 12}
	segment, states := w.record(20_000, 1)
	r, err := traces.Learn(w.actions(), [][]traces.Attempt{segment}, traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	c := NewConstraints(r)
	t.Logf("%d predicates, %d sums, in %v", len(r.Model.Predicates), len(c.sums),
		time.Since(began))
	rng := rand.New(rand.NewPCG(1, 1))
	var slowest, all time.Duration
	right, exact, n := 0, 0, 300
	for range n {
		k := len(states) - 1 - rng.IntN(1000)
		values := make([]bool, len(r.Model.Predicates))
		logits := make([]float32, len(values))
		for p := range values {
			values[p] = r.Value(strips.Predicate(p), r.Before[0][k]) == traces.True
			logits[p] = float32(4 + 1.5*rng.NormFloat64())
			if !values[p] {
				logits[p] = -logits[p]
			}
		}
		for range 3 { // outputs that are wrong, with some certainty
			p := rng.IntN(len(logits))
			logits[p] = -logits[p]
		}
		start := time.Now()
		d := c.Decode(logits)
		took := time.Since(start)
		slowest, all = max(slowest, took), all+took
		if d.Exact {
			exact++
		}
		if d.Cost > cost(logits, values)+1e-4 {
			t.Errorf("decoded at cost %g, the true vector costs %g", d.Cost, cost(logits, values))
		}
		if slices.Equal(d.Values, values) {
			right++
		}
	}
	t.Logf("%d of %d right, %d exact; %v on average, %v at most", right, n, exact,
		all/time.Duration(n), slowest)
	if right < 85*n/100 || exact < n {
		t.Errorf("%d of %d vectors are right, %d are exact", right, n, exact)
	}
}
