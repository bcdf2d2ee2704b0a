package diagnostics

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"stripswm/models/pixels"
	"stripswm/models/strips"
)

// moved finds a static interval from which on all images look other than before. The encoder may
// have given the states new codes since (otherStates), or the same codes although their images
// differ (otherAppearance).
func moved(l Learned) (Diagnostic, bool) {
	d := Diagnostic{Kind: Moved,
		Do: "fix camera and light and record again, or learn from one of the parts"}
	at, found := otherStates(l)
	if found {
		d.What = fmt.Sprintf(
			"between transitions %d and %d the scene became another: no state that was seen before was "+
				"seen since, so the camera was moved, the light changed, or there is no way back", at, at+1)
	} else if at, found = otherAppearance(l); found {
		d.What = fmt.Sprintf(
			"from about transition %d on all states look other than before: the camera was moved, or the "+
				"light changed", at)
	} else {
		return d, false
	}
	last := map[strips.StateID]int{}
	for _, t := range l.Data.Transitions[:at] {
		last[l.Nodes[t.After]] = t.After
	}
	for _, t := range l.Data.Transitions[min(at+len(l.Data.Transitions)/parts,
		len(l.Data.Transitions)):] {
		if was, ok := last[l.Nodes[t.Before]]; ok && l.Nodes[t.Before] >= 0 && len(d.Examples) < 3 {
			d.Examples = append(d.Examples, Example{was, t.Before, fmt.Sprintf("state %d, before and since",
				l.Nodes[t.Before])})
			delete(last, l.Nodes[t.Before])
		}
	}
	if len(d.Examples) == 0 {
		d.Examples = []Example{{l.Data.Transitions[at-1].After, l.Data.Transitions[at].Before,
			"before and since"}}
	}
	return d, true
}

// otherStates finds a transition before which nothing was done, or the two images of the
// static interval show different states, and from which on no state is one that was seen before,
// although before and since states come back.
func otherStates(l Learned) (at int, found bool) {
	const hardly, mostly = 0.05, 0.5
	// back is the share of transitions from b up to end that begin in a state seen from begin up to a.
	back := func(begin, a, b, end int) float64 {
		seen, again, all := map[strips.StateID]bool{}, 0.0, 0.0
		for _, t := range l.Data.Transitions[begin:a] {
			seen[l.Nodes[t.Before]], seen[l.Nodes[t.After]] = true, true
		}
		for _, t := range l.Data.Transitions[b:end] {
			if node := l.Nodes[t.Before]; node >= 0 {
				if all++; seen[node] {
					again++
				}
			}
		}
		return again / max(all, 1)
	}
	all := len(l.Data.Transitions)
	for at = all / parts; at > 0 && at < all-all/parts; at++ {
		t, was := l.Data.Transitions[at], l.Data.Transitions[at-1]
		if t.Follows && l.Nodes[t.Before] == l.Nodes[was.After] {
			continue
		}
		if middle := (at + all) / 2; back(0, at, at, all) < hardly && back(0, at/2, at/2, at) > mostly &&
			back(at, middle, middle, all) > mostly {
			return at, true
		}
	}
	return 0, false
}

// parts of the recording that are compared with one another.
const parts = 12

// otherAppearance finds about the transition from which on images differ, nearly everywhere,
// from those of the same states before.
func otherAppearance(l Learned) (at int, found bool) {
	const widely = 0.5
	most := 0.0
	shots := shotsOf(l)
	if len(shots) < parts*enough {
		return 0, false
	}
	effect, mean := effects(shots, l.Graph.NumStates())
	squares := textured(mean, shots[0].side)
	for cut := 2; cut <= parts-2; cut++ {
		// The static interval may lie within a part, which is like neither side.
		for _, since := range []int{cut, cut + 1} {
			if since > parts-2 {
				continue
			}
			if share, by := changed(squares, effect[:cut], effect[since:]); share > widely && by > most {
				found, most = true, by
				at = (cut + since) * len(l.Data.Transitions) / (2 * parts)
			}
		}
	}
	return at, found
}

// shot is an image made small.
type shot struct {
	state, part, side int
	pix               []uint8
}

// shotsOf are images from all of the recording, of half the size.
func shotsOf(l Learned) (shots []shot) {
	const most = 4000
	all := len(l.Data.Transitions)
	n, side := min(all, most), max(l.Data.Size/2, 1)
	for k := range n {
		image := l.Data.Transitions[k*all/n].Before
		whole := pixels.RGB{Width: l.Data.Size, Height: l.Data.Size, Pix: l.Data.Image(image)}
		if half, err := whole.Resize(side, side); err == nil && l.Nodes[image] >= 0 {
			shots = append(shots, shot{int(l.Nodes[image]), k * parts / n, half.Width, half.Pix})
		}
	}
	return shots
}

// effects takes every image for the sum of one of its state and one of its part, in the
// least squares, and returns those of the parts and the mean image. Which states a part shows does
// not count so.
func effects(shots []shot, states int) (ofPart [][]float64, mean []float64) {
	const rounds = 20
	state, part := func(s shot) int { return s.state }, func(s shot) int { return s.part }
	nothing := make([]float64, len(shots[0].pix))
	ofPart = slices.Repeat([][]float64{nothing}, parts)
	for range rounds {
		ofState := means(shots, states, state, func(s shot) []float64 { return ofPart[s.part] })
		ofPart = means(shots, parts, part, func(s shot) []float64 { return ofState[s.state] })
	}
	whole := means(shots, 1, func(shot) int { return 0 }, func(shot) []float64 { return nothing })
	return ofPart, whole[0]
}

// means are those of images, less something, by group.
func means(shots []shot, groups int, group func(shot) int, less func(shot) []float64) [][]float64 {
	mean, times := make([][]float64, groups), make([]float64, groups)
	for g := range mean {
		mean[g] = make([]float64, len(shots[0].pix))
	}
	for _, s := range shots {
		g, less := group(s), less(s)
		times[g]++
		for i, v := range s.pix {
			mean[g][i] += float64(v) - less[i]
		}
	}
	for g := range mean {
		floats.Scale(1/max(times[g], 1), mean[g])
	}
	return mean
}

// textured lists the values of each square of the quarter with most texture: those farthest from
// one colour.
func textured(mean []float64, side int) [][]int {
	const width = 4 // of a square, pixels
	across := (side + width - 1) / width
	squares := make([][]int, across*across)
	for i := range mean {
		q := i/3/side/width*across + i/3%side/width
		squares[q] = append(squares[q], i)
	}
	texture := map[int]float64{}
	for q, values := range squares {
		for c := range 3 {
			var channel []float64
			for k := c; k < len(values); k += 3 {
				channel = append(channel, mean[values[k]])
			}
			texture[q] += stat.PopVariance(channel, nil) * float64(len(channel))
		}
	}
	sorted := slices.Sorted(maps.Values(texture))
	least := sorted[len(sorted)*3/4]
	var most [][]int
	for q, values := range squares {
		if texture[q] >= least {
			most = append(most, values)
		}
	}
	return most
}

// changed is the share of the squares in which each part before differs from each part after by
// more than those on one side do; and by how many times in the mean, as a logarithm.
func changed(squares [][]int, before, after [][]float64) (share, by float64) {
	const rounding = 1
	for _, values := range squares {
		within, between := 0.0, math.Inf(1)
		for _, group := range [][][]float64{before, after} {
			for k, a := range group {
				for _, b := range group[:k] {
					within = max(within, distance(a, b, values))
				}
			}
		}
		for _, a := range before {
			for _, b := range after {
				between = min(between, distance(a, b, values))
			}
		}
		if between > within {
			share++
		}
		by += math.Log((between + rounding) / (within + rounding))
	}
	return share / float64(len(squares)), by / float64(len(squares))
}

func distance(a, b []float64, values []int) float64 {
	sum := 0.0
	for _, i := range values {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return math.Sqrt(sum)
}
