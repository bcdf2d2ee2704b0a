package variants

import (
	"fmt"
	"slices"
)

// Lack is what a grouping has no region for: two states to be distinguished or, if Of
// is not empty, a state that the preconditions of the variant of these edges have to
// exclude.
type Lack struct {
	One, Other int   // states; One is a source of the variant if there is one
	Of         []int // edges
}

// conflict is what no grouping may do: have all edges of each of some sets in one
// variant, a set for each. Whatever the other edges do, a region is lacking then.
type conflict struct {
	together [][]int // edges of one action each
	// unless is an edge that lifts the conflict if it is in the variant of the first
	// set, too; -1 if there is none.
	unless int
	lack   Lack
}

// key is the same for conflicts that rule out the same.
func (c conflict) key() string {
	sets := make([][]int, len(c.together))
	for k, set := range c.together {
		sets[k] = slices.Sorted(slices.Values(set))
	}
	if c.unless < 0 {
		slices.SortFunc(sets, slices.Compare)
	}
	return fmt.Sprint(sets, c.unless)
}
