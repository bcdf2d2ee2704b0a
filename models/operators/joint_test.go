package operators

import (
	"context"
	"path/filepath"
	"testing"

	"stripswm/models/taskgraph"
)

// Where the columns are too many to list, asking for all at once still proves
// the number of predicates.
func TestCloseGap(t *testing.T) {
	g, err := taskgraph.ReadFile(filepath.Join("testdata", "dinner101_s3.dfa"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProblem(g, Trust{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	o := newOracle(p)
	pool, lost, _ := separate(ctx, o, nil)
	want := p.atoms.clone()
	want.remove(lost)
	best, core := p.smallCover(ctx, pool, want, 0, 30)
	q := newClique(o, p.candidates(core, want, 0), append(pool, best...), 0)
	q.grow(ctx, 300)
	var single []int
	for _, i := range q.best {
		single = append(single, q.atoms[i])
	}
	bound, columns := p.closeGap(ctx, single, want, best)
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
		g, err := taskgraph.ReadFile(filepath.Join("testdata", name+".dfa"))
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewProblem(g, Trust{})
		if err != nil {
			t.Fatal(err)
		}
		o := newOracle(p)
		pool, _, _ := separate(context.Background(), o, nil)
		q := newClique(o, p.candidates(nil, p.atoms, 0), pool, 0)
		q.grow(context.Background(), 10)
		var single []int
		for _, i := range q.best {
			single = append(single, q.atoms[i])
		}
		bound, columns := p.closeGap(context.Background(), single, p.atoms, pool)
		if bound != m || len(columns) != m {
			t.Errorf("%s: bound %d and a cover of %d, want %d", name, bound, len(columns), m)
		}
	}
}
