package bitset_test

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stripswm/models/internal/bitset"
)

// Cliques of small graphs are those that an enumeration of all sets of nodes finds.
func TestCliques(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "nodes")
		next := make([]bitset.Set, n)
		for i := range next {
			next[i] = bitset.New(n)
			for j := range i {
				if rapid.Bool().Draw(t, "edge") {
					next[i].Set(j)
					next[j].Set(i)
				}
			}
		}
		clique := func(nodes int) bool {
			for i := range n {
				others := nodes &^ (1 << i)
				if nodes>>i&1 == 1 && others&int(next[i][0]) != others {
					return false
				}
			}
			return true
		}
		var want, got []int
		for nodes := 1; nodes < 1<<n; nodes++ {
			maximal := clique(nodes)
			for i := range n {
				maximal = maximal && (nodes>>i&1 == 1 || !clique(nodes|1<<i))
			}
			if maximal {
				want = append(want, nodes)
			}
		}
		for c := range bitset.Cliques(next, func(int) bool { return true }) {
			nodes := 0
			for _, i := range c {
				nodes |= 1 << i
			}
			if bits.OnesCount(uint(nodes)) != len(c) {
				t.Fatalf("clique %v has a node twice", c)
			}
			got = append(got, nodes)
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("cliques, want and got: %s", diff)
		}
	})
}

// A search that may not spend more ends.
func TestCliquesEnd(t *testing.T) {
	next := []bitset.Set{{0b110}, {0b101}, {0b011}}
	for range bitset.Cliques(next, func(int) bool { return false }) {
		t.Error("a clique without work")
	}
}
