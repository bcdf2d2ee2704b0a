package diagnostics

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"stripswm/models/dataset"
	"stripswm/models/strips"
)

// misread is the share of a state's own images, those learned from, that the
// classifier confuses with another state's where nothing in them distinguishes the two.
const misread = 0.1

// confusion is a pair of states of which the classifier confuses some images of the one with
// the other's.
type confusion struct {
	is, read strips.StateID
	images   []int
}

// aliased finds pairs of states that the recording's order distinguishes and its images do not: of
// those that the classifier confuses, the misread images are no nearer to others of their state.
func aliased(l Learned) (Diagnostic, bool) {
	return confused(l, false,
		"the images do not show what tells %s of states apart: what can be done in them does",
		"let the camera see the difference: nearer, from another side, or with more pixels")
}

// unlearned finds pairs of states that the classifier confuses although their images differ.
func unlearned(l Learned) (Diagnostic, bool) {
	return confused(l, true, "the classifier confuses %s of states, though their images differ",
		"train the classifier longer, or with another --seed (--stage classifier)")
}

// confused is the diagnostic about confusions of states whose images differ, or do not.
func confused(l Learned, differ bool, what, do string) (Diagnostic, bool) {
	all, pairs := confusions(l)
	pairs = slices.DeleteFunc(pairs, func(c confusion) bool { return l.differ(c) != differ })
	if len(pairs) == 0 {
		return Diagnostic{}, false
	}
	d := Diagnostic{Kind: Confused, Do: do, What: fmt.Sprintf(what, count(len(pairs), "pair"))}
	_, img := visitsOf(l)
	for _, c := range pairs {
		d.Examples = append(d.Examples, Example{c.images[0], img[c.read][0],
			fmt.Sprintf("state %d, classified as %d, %d of %d times", c.is, c.read, len(c.images),
				all[c.is])})
	}
	return d, true
}

// confusions lists the pairs of states that the classifier confuses, the most frequent first,
// and how many images of each state it was shown.
func confusions(l Learned) (all map[strips.StateID]int, list []confusion) {
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
	for p, images := range taken {
		if len(images) >= 2 && float64(len(images)) >= misread*float64(all[p.is]) {
			list = append(list, confusion{p.is, p.read, images})
		}
	}
	slices.SortFunc(list, func(a, b confusion) int {
		return cmp.Or(cmp.Compare(len(b.images), len(a.images)), cmp.Compare(a.is, b.is),
			cmp.Compare(a.read, b.read))
	})
	return all, list
}

// differ says whether most images of a confusion are nearer, pixel by pixel, to one of their own
// state from another static interval than to any of the other state.
func (l Learned) differ(c confusion) bool {
	intervals := intervalsOf(l.Data)
	right := 0
	for _, image := range c.images {
		own, other := math.Inf(1), math.Inf(1)
		for k := range l.Read {
			switch {
			case l.Nodes[k] == c.read:
				other = min(other, pixelDistance(l.Data, image, k))
			case l.Nodes[k] == c.is && intervals[k] != intervals[image]:
				own = min(own, pixelDistance(l.Data, image, k))
			}
		}
		if own < other {
			right++
		}
	}
	return 2*right > len(c.images)
}

// pixelDistance is the squared distance of two images.
func pixelDistance(d *dataset.Dataset, a, b int) float64 {
	sum, other := 0, d.Image(b)
	for i, v := range d.Image(a) {
		diff := int(v) - int(other[i])
		sum += diff * diff
	}
	return float64(sum)
}
