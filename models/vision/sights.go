package vision

import (
	"math/rand/v2"
	"sort"
)

// between lists, for each transition, the images of refused attempts that were made between
// the one before and it. Images are numbered as they came.
func (d *Dataset) between() [][]int {
	all := make([][]int, len(d.Transitions))
	for _, r := range d.Refused {
		for _, image := range []int{r.Before, r.After} {
			i := sort.Search(len(all), func(i int) bool { return d.Transitions[i].Before > image })
			if i == 0 || i == len(all) || d.Transitions[i-1].After >= image {
				continue
			}
			if had := all[i]; len(had) == 0 || had[len(had)-1] != image {
				all[i] = append(had, image)
			}
		}
	}
	return all
}

// sight is an image of the state that a transition found, or if that is one more than the last was left
// by the one before: the one given, or as likely any other of this static interval.
func (t *trainer) sight(transition, image int, rng *rand.Rand) int {
	if transition >= len(t.between) || !t.linked(transition) {
		return image
	}
	others := t.between[transition]
	if len(others) == 0 {
		return image
	}
	if k := rng.IntN(len(others) + 1); k > 0 {
		return others[k-1]
	}
	return image
}
