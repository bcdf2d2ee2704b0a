package columns

import "testing"

// Where the columns are too many to list, asking for all at once still proves
// the number of predicates.
func TestCloseGap(t *testing.T) {
	p := sample(t, "dinner101_s3")
	w := NewWork(t.Context(), 200e6)
	o := newOracle(p, w)
	pool, lost, _ := separate(o, nil)
	want := p.atoms.clone()
	want.remove(lost)
	var best []*column
	var core []int
	w.within(20, func() { best, core = p.smallCover(w, pool, want, 0) })
	q := newClique(o, p.candidates(core, want, 0), append(pool, best...), 0)
	q.grow(300)
	var single []int
	for _, i := range q.best {
		single = append(single, q.atoms[i])
	}
	bound, columns := p.closeGap(w, single, want, best)
	if bound != 18 || len(columns) != 18 {
		t.Fatalf("bound %d and a cover of %d, want 18 and 18 (clique %d, greedy %d)", bound, len(columns), len(single), len(best))
	}
	open := want.clone()
	for _, c := range columns {
		open.remove(c.cover)
	}
	if !open.empty() {
		t.Errorf("%d atoms are open", open.count())
	}
}

// A bound must never be above what the listed columns prove to be the optimum.
func TestCloseGapAgreesWithTheListedColumns(t *testing.T) {
	for name, m := range map[string]int{"blocksworld": 6, "hanoi_3x3": 8, "gripper_4": 11} {
		p := sample(t, name)
		w := untilDone(t.Context())
		o := newOracle(p, w)
		pool, _, _ := separate(o, nil)
		q := newClique(o, p.candidates(nil, p.atoms, 0), pool, 0)
		q.grow(10)
		var single []int
		for _, i := range q.best {
			single = append(single, q.atoms[i])
		}
		bound, columns := p.closeGap(w, single, p.atoms, pool)
		if bound != m || len(columns) != m {
			t.Errorf("%s: bound %d and a cover of %d, want %d", name, bound, len(columns), m)
		}
	}
}
