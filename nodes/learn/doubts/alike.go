package doubts

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"stripswm/models/strips"
)

// misread is the share of a state's own pictures, those learned from, that the
// classifier takes for another state's where nothing in them tells the two apart.
const misread = 0.1

// alike finds pairs of states that the recording's order tells apart and its pictures do not.
func alike(l Learned) (Doubt, bool) {
	type pair struct{ is, read strips.StateID }
	all, taken := map[strips.StateID]int{}, map[pair][]int{}
	for _, image := range slices.Sorted(maps.Keys(l.Read)) {
		is, read := l.Nodes[image], l.Read[image]
		if is < 0 {
			continue
		}
		if all[is]++; read >= 0 && read != is {
			taken[pair{is, read}] = append(taken[pair{is, read}], image)
		}
	}
	maps.DeleteFunc(taken, func(p pair, images []int) bool {
		return len(images) < 2 || float64(len(images)) < misread*float64(all[p.is])
	})
	if len(taken) == 0 {
		return Doubt{}, false
	}
	pairs := slices.SortedFunc(maps.Keys(taken), func(a, b pair) int {
		return cmp.Or(cmp.Compare(len(taken[b]), len(taken[a])), cmp.Compare(a.is, b.is), cmp.Compare(a.read, b.read))
	})
	_, picture := visitsOf(l)
	d := Doubt{Kind: Alike}
	for _, p := range pairs {
		d.Examples = append(d.Examples, Example{taken[p][0], picture[p.read][0], fmt.Sprintf("state %d, taken for %d, %d of %d times", p.is, p.read, len(taken[p]), all[p.is])})
	}
	d.What = fmt.Sprintf("the pictures do not show what tells %s of states apart: what can be done in them does", count(len(pairs), "pair"))
	d.Do = "let the camera see the difference: nearer, from another side, or with more pixels"
	return d, true
}
