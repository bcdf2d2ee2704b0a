package diagnostics

import (
	"fmt"
	"math"
	"slices"

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
	effect, texture := effects(shots, l.Graph.NumStates())
	for cut := 2; cut <= parts-2; cut++ {
		// The static interval may lie within a part, which is like neither side.
		for _, since := range []int{cut, cut + 1} {
			if since > parts-2 {
				continue
			}
			if share, by := changed(texture, effect[:cut], effect[since:]); share > widely && by > most {
				found, most = true, by
				at = (cut + since) * len(l.Data.Transitions) / (2 * parts)
			}
		}
	}
	return at, found
}

// shot is an image made small, by squares.
type shot struct {
	state, part int
	squares     [][]float32
}

// shotsOf are images from all of the recording.
func shotsOf(l Learned) []shot {
	const most = 4000
	var shots []shot
	all := len(l.Data.Transitions)
	n := min(all, most)
	for k := range n {
		t := k * all / n
		image := l.Data.Transitions[t].Before
		if l.Nodes[image] >= 0 {
			shots = append(shots, shot{int(l.Nodes[image]), k * parts / n, squaresOf(l.Data.Image(image),
				l.Data.Size)})
		}
	}
	return shots
}

// squaresOf halves an image and cuts it into squares.
func squaresOf(img []uint8, size int) [][]float32 {
	const side = 4 // of a square, pixels of the halved image
	half := size / 2
	across := (half + side - 1) / side
	squares := make([][]float32, across*across)
	for y := range half {
		for x := range half {
			at := y/side*across + x/side
			for c := range 3 {
				pixel := func(x, y int) float32 { return float32(img[3*(y*size+x)+c]) }
				squares[at] = append(squares[at],
					(pixel(2*x, 2*y)+pixel(2*x+1, 2*y)+pixel(2*x, 2*y+1)+pixel(2*x+1, 2*y+1))/4)
			}
		}
	}
	return squares
}

// effects takes every image for the sum of one of its state and one of its part, in the
// least squares, and returns those of the parts; and how much texture each square of the
// mean image has. Which states a part shows does not count so.
func effects(shots []shot, states int) (effect [][][]float32, texture []float64) {
	const rounds = 20
	squares := len(shots[0].squares)
	effect = make([][][]float32, parts)
	for p := range effect {
		effect[p] = make([][]float32, squares)
	}
	texture = make([]float64, squares)
	for q := range squares {
		values := len(shots[0].squares[q])
		ofState, ofPart := newMeans(states, values), newMeans(parts, values)
		for range rounds {
			ofState.clear()
			for _, s := range shots {
				ofState.add(s.state, s.squares[q], ofPart.mean[s.part])
			}
			ofState.divide()
			ofPart.clear()
			for _, s := range shots {
				ofPart.add(s.part, s.squares[q], ofState.mean[s.state])
			}
			ofPart.divide()
		}
		for p := range effect {
			effect[p][q] = ofPart.mean[p]
		}
		whole, nothing := newMeans(1, values), make([]float32, values)
		for _, s := range shots {
			whole.add(0, s.squares[q], nothing)
		}
		whole.divide()
		texture[q] = textureOf(whole.mean[0])
	}
	return effect, texture
}

// means of vectors, by group.
type means struct {
	mean  [][]float32
	times []float32
}

func newMeans(groups, values int) *means {
	m := &means{make([][]float32, groups), make([]float32, groups)}
	for g := range m.mean {
		m.mean[g] = make([]float32, values)
	}
	return m
}

func (m *means) clear() {
	clear(m.times)
	for _, v := range m.mean {
		clear(v)
	}
}

func (m *means) add(group int, of, less []float32) {
	m.times[group]++
	for i, v := range of {
		m.mean[group][i] += v - less[i]
	}
}

func (m *means) divide() {
	for g, v := range m.mean {
		for i := range v {
			v[i] /= max(m.times[g], 1)
		}
	}
}

// changed is the share of the squares, of the quarter with most texture, in which each part
// before differs from each part after by more than those on one side do; and by how many
// times in the mean, as a logarithm.
func changed(texture []float64, before, after [][][]float32) (share, by float64) {
	sorted := slices.Sorted(slices.Values(texture))
	least := sorted[len(sorted)*3/4]
	different, all, rounding := 0.0, 0.0, 1.0
	for q, t := range texture {
		if t < least {
			continue
		}
		within, between := 0.0, math.Inf(1)
		for _, group := range [][][][]float32{before, after} {
			for k, a := range group {
				for _, b := range group[:k] {
					within = max(within, distance(a[q], b[q]))
				}
			}
		}
		for _, a := range before {
			for _, b := range after {
				between = min(between, distance(a[q], b[q]))
			}
		}
		if all++; between > within {
			different++
		}
		by += math.Log((between + rounding) / (within + rounding))
	}
	return different / all, by / all
}

func distance(a, b []float32) float64 {
	sum := 0.0
	for i, v := range a {
		sum += float64((v - b[i]) * (v - b[i]))
	}
	return math.Sqrt(sum)
}

// textureOf is how far a square is from one colour.
func textureOf(square []float32) float64 {
	var mean [3]float32
	for i, v := range square {
		mean[i%3] += 3 * v / float32(len(square))
	}
	sum := 0.0
	for i, v := range square {
		sum += float64((v - mean[i%3]) * (v - mean[i%3]))
	}
	return sum
}
