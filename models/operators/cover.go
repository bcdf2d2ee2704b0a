package operators

import (
	"context"

	"github.com/go-air/gini/z"
)

// greedyCover builds columns one after the other, each stretched to separate as
// many open atoms as the oracle and the given patience allow, until every atom
// in want is separated. The pool says how if the context ends.
func greedyCover(ctx context.Context, o *oracle, pool []*column, want bitset, patience int) []*column {
	open := want.clone()
	var chosen []*column
	for !open.empty() {
		var c *column
		if ctx.Err() == nil {
			c = stretch(ctx, o, open, patience)
		} else {
			for _, k := range pool {
				if c == nil || k.cover.common(open) > c.cover.common(open) {
					c = k
				}
			}
		}
		chosen = append(chosen, c)
		open.remove(c.cover)
	}
	return withoutRedundant(chosen, want)
}

// stretch finds a column for the first open atom and forces ever more open atoms
// onto it until patience attempts in a row have failed.
func stretch(ctx context.Context, o *oracle, open bitset, patience int) *column {
	var best *column
	var fixed []z.Lit
	failed := 0
	for atom := range open.each {
		if best != nil && best.cover.has(atom) {
			continue
		}
		if failed > patience || best != nil && ctx.Err() != nil {
			break
		}
		a, s := o.p.pair(atom)
		ways := [][2]int{{1, s}, {-1, s}}
		if best == nil {
			ways = ways[:1] // the complement separates the same
		}
		ok := false
		for _, way := range ways {
			more := append(fixed[:len(fixed):len(fixed)], o.side(a, way[0]), o.value(s, way[0] < 0))
			if x, sat := o.solve(more...); sat {
				best, _ = o.p.columnOf(x)
				fixed, ok = more, true
				break
			}
		}
		if !ok {
			failed++
		}
	}
	return best
}

// withoutRedundant drops columns whose atoms others separate too.
func withoutRedundant(columns []*column, want bitset) []*column {
	for k := 0; k < len(columns); {
		rest := want.clone()
		for j, c := range columns {
			if j != k {
				rest.remove(c.cover)
			}
		}
		if rest.empty() {
			columns = append(columns[:k:k], columns[k+1:]...)
			continue
		}
		k++
	}
	return columns
}
