package regions

import (
	"stripswm/models/operators/internal/work"
	"testing"
)

// Where the regions are too many to list, asking for all at once still proves
// the number of predicates.
func TestCloseGap(t *testing.T) {
	p := sample(t, "dinner101_s3", 50)
	d := p.Decide(t.Context())
	want := p.constraints.Clone()
	want.Remove(d.lost)
	w := work.New(t.Context(), 40e6)
	if _, listed := enumerate(w, p, enumerateMost); listed {
		t.Fatal("the regions can be listed")
	}
	best, core := p.smallCover(work.New(t.Context(), 1e6), d.pool, want, 0)
	q := newClique(newOracle(p, w), p.candidates(core, want, 0), append(d.pool, best...), 0)
	q.grow(20)
	var single []int
	for _, i := range q.best {
		single = append(single, q.constraints[i])
	}
	bound, regions := p.closeGap(w, single, want, best)
	if bound != 9 || len(regions) != 9 {
		t.Fatalf("bound %d and a cover of %d, want 9 and 9 (clique %d, greedy %d)", bound, len(regions),
			len(single), len(best))
	}
	open := want.Clone()
	for _, c := range regions {
		open.Remove(c.cover)
	}
	if !open.Empty() {
		t.Errorf("%d separation constraints are open", open.Count())
	}
}

// A bound must never be above what the listed regions prove to be the optimum.
func TestCloseGapAgreesWithTheListedRegions(t *testing.T) {
	for name, m := range map[string]int{"blocksworld": 6, "hanoi_3x3": 8, "gripper_4": 11} {
		p := sample(t, name, 0)
		w := work.UntilDone(t.Context())
		o := newOracle(p, w)
		pool, _, _ := separate(o, nil)
		q := newClique(o, p.candidates(nil, p.constraints, 0), pool, 0)
		q.grow(10)
		var single []int
		for _, i := range q.best {
			single = append(single, q.constraints[i])
		}
		bound, regions := p.closeGap(w, single, p.constraints, pool)
		if bound != m || len(regions) != m {
			t.Errorf("%s: bound %d and a cover of %d, want %d", name, bound, len(regions), m)
		}
	}
}
