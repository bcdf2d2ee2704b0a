package regions

import (
	"path/filepath"
	"slices"
	"testing"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// sample is a sample graph, or its first states, of which every missing pair is
// trusted.
func sample(t *testing.T, name string, states int) *Problem {
	t.Helper()
	g, err := taskgraph.ReadFile(filepath.Join("..", "..", "testdata", name+".dfa"))
	if err != nil {
		t.Fatal(err)
	}
	if states > 0 {
		g.Nodes = g.Nodes[:states]
		g.Edges = slices.DeleteFunc(g.Edges, func(e taskgraph.Edge) bool {
			return max(int(e.Source), int(e.Target)) >= states
		})
	}
	var missing []Pair
	for s := range strips.StateID(g.NumStates()) {
		for a := strips.ActionID(1); int(a) <= g.NumActions(); a++ {
			if len(g.Targets(s, a)) == 0 {
				missing = append(missing, Pair{s, a})
			}
		}
	}
	return New(g, missing, nil, false)
}

// Complementing a region changes nothing but the sign of its effects.
func TestComplementSeparatesTheSame(t *testing.T) {
	for _, name := range []string{"blocksworld", "hanoi_3x3", "gripper_4"} {
		p := sample(t, name, 0)
		p.keepDistinct([][2]int{{0, 1}, {2, 5}})
		all, listed := enumerate(work.UntilDone(t.Context()), p, enumerateMost)
		if !listed {
			t.Fatal("too many regions")
		}
		for _, c := range all {
			d, fits := p.regionOf(p.complement(c.x))
			if !fits || d.effects != c.effects || !slices.Equal(d.cover, c.cover) {
				t.Errorf("%s: the complement of %v fits: %t, %d effects instead of %d", name, c.x, fits,
					d.effects, c.effects)
			}
		}
	}
}

// The choice must be as cheap as the best found by trying all.
func TestHittingIsExact(t *testing.T) {
	sets := func(rows ...[]int) (out []bitset.Set) {
		for _, row := range rows {
			b := bitset.New(6)
			for _, i := range row {
				b.Set(i)
			}
			out = append(out, b)
		}
		return out
	}
	for _, c := range []struct {
		sets  []bitset.Set
		costs []int
		want  []int
	}{
		{nil, []int{1, 1}, nil},
		{sets([]int{0, 1}, []int{1, 2}, []int{2, 3}), []int{1, 1, 1, 1, 1, 1}, []int{1, 2}},
		{sets([]int{0, 1}, []int{0, 2}, []int{0, 3}), []int{4, 1, 1, 1, 1, 1}, []int{1, 2, 3}},
		{sets([]int{0, 1}, []int{0, 2}, []int{0, 3}), []int{2, 1, 1, 1, 1, 1}, []int{0}},
		{sets([]int{4}, []int{4, 5}), []int{1, 1, 1, 1, 9, 1}, []int{4}},
	} {
		choice, bound := hitting(work.UntilDone(t.Context()), c.sets, c.costs, 1000)
		cost := 0
		for _, i := range choice {
			cost += c.costs[i]
		}
		if !slices.Equal(choice, c.want) || bound != cost {
			t.Errorf("%v: chose %v at %d (bound %d), want %v", c.sets, choice, cost, bound, c.want)
		}
	}
}
