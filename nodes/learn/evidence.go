package learn

import (
	"slices"

	"stripswm/internal/spread"
	"stripswm/models/dataset"
	"stripswm/models/facts"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// unusable is the share of the successes of whose action no fact tells the effect: toggles, what
// lost its facts to wrong labels, and unexplained skills.
func unusable(d *dataset.Dataset, r *traces.Result) float64 {
	told := map[strips.ActionID]bool{}
	for _, o := range r.Model.Operators {
		told[o.Action] = o.Effects() > 0
	}
	none := 0
	for _, t := range d.Transitions {
		if !told[t.Action] {
			none++
		}
	}
	return float64(none) / float64(max(len(d.Transitions), 1))
}

// vectors are the predicate vectors of the static intervals. A vector that is not known completely
// is the zero State.
func vectors(r *traces.Result) []strips.State {
	all := make([]strips.State, r.Report.Intervals)
	for i := range all {
		if r.Known(i) {
			all[i] = r.State(i)
		}
	}
	return all
}

// beyond is how many times as many new vectors the model expects as the recording meets. It expects
// one where an applicable action leads to a vector that no interval has, if each applicable action
// is chosen alike. The recording meets as many as there are vectors of one interval alone (Good
// 1953), and one more.
func beyond(r *traces.Result, recording facts.Recording, at []strips.State) float64 {
	intervals := map[strips.State]int{}
	for _, vector := range at {
		intervals[vector]++
	}
	delete(intervals, strips.State{})
	leave := map[strips.State]float64{} // probability that the next vector is a new one
	once := 0
	for vector, n := range intervals {
		applicable, leading := 0, 0
		for i := range r.Model.Operators {
			if o := &r.Model.Operators[i]; o.Applicable(vector) {
				applicable++
				if intervals[o.Apply(vector)] == 0 {
					leading++
				}
			}
		}
		leave[vector] = float64(leading) / float64(max(applicable, 1))
		if n == 1 {
			once++
		}
	}
	expected := 0.0
	for s, attempts := range recording.Segments {
		for i, a := range attempts {
			if a.Outcome == traces.Succeeded {
				expected += leave[at[r.Before[s][i]]]
			}
		}
	}
	return expected / float64(once+1)
}

// maxPairs of images of one kind are compared: enough for a share to one in a hundred.
const maxPairs = 2000

// enoughReturns are enough pairs for a share to one in ten.
const enoughReturns = 20

// seen says which images show one state.
type seen struct {
	interval []int // static one, by image; -1: none
	segment  []int // of the recording, by interval
	state    []int // from 0, by interval; -1: nobody knows
}

// seenFacts has predicate vectors as states.
func seenFacts(d *dataset.Dataset, recording facts.Recording, r *traces.Result,
	at []strips.State) seen {
	s := seen{recording.Intervals(r, d.Images()), make([]int, len(at)), make([]int, len(at))}
	for k, intervals := range r.Before {
		for _, i := range intervals {
			s.segment[i] = k
		}
	}
	number := map[strips.State]int{{}: -1}
	for i, vector := range at {
		if _, known := number[vector]; !known {
			number[vector] = len(number)
		}
		s.state[i] = number[vector]
	}
	return s
}

// seenNodes has the nodes of a task graph as states.
func seenNodes(d *dataset.Dataset, nodes []strips.StateID) seen {
	s := seen{interval: make([]int, d.Images())}
	for image := range s.interval {
		s.interval[image] = -1
	}
	segment := 0
	show := func(image int, begins bool) {
		if begins {
			s.segment, s.state = append(s.segment, segment), append(s.state, int(nodes[image]))
		}
		s.interval[image] = len(s.state) - 1
	}
	for _, t := range d.Transitions {
		if !t.Follows {
			segment++
		}
		show(t.Before, !t.Follows)
		show(t.After, true)
	}
	return s
}

// different says how far images of one state differ: 0 as images of one static interval do, 1 as
// the images before and after a success do. More than a part of 1 is something that the state does
// not tell, such as which object is there. On a robot the scene stays as it is in an interval, and
// light and places change with a success. So images before a skill and after the next, which undoes
// it, count as of one interval: nothing hidden has changed.
func different(d *dataset.Dataset, s seen, unexplained []facts.Unexplained) float64 {
	shown := make([]int, len(s.state)) // the first image of each interval, plus one
	var within, returns, across, same [][2]int
	earlier := map[int][]int{} // intervals with the state
	for image, interval := range s.interval {
		if interval < 0 {
			continue
		}
		if shown[interval] > 0 {
			within = append(within, [2]int{shown[interval] - 1, image})
			continue
		}
		shown[interval] = image + 1
		state := s.state[interval]
		if state < 0 {
			continue
		}
		if i := interval - 2; i >= 0 && s.state[i] == state && s.segment[i] == s.segment[interval] &&
			shown[i] > 0 {
			returns = append(returns, [2]int{shown[i] - 1, image})
		}
		before := earlier[state]
		if n := len(before); n > 0 { // not the last one: what is hidden may not have changed since
			same = append(same, [2]int{shown[before[n/2]] - 1, image})
		}
		earlier[state] = append(before, interval)
	}
	hidden, nameless := map[int]bool{}, map[strips.ActionID]bool{}
	for _, u := range unexplained {
		nameless[u.Action] = true
		for _, cell := range u.Cells() {
			hidden[cell] = true
		}
	}
	for _, t := range d.Transitions {
		if !nameless[t.Action] {
			across = append(across, [2]int{t.Before, t.After})
		}
	}
	differences := func(pairs [][2]int) [][]float64 {
		return differences(d, spread.Evenly(pairs, maxPairs), hidden)
	}
	noise := differences(within)
	unit := units(noise)
	change := distances(differences(across), unit)
	base := exceeds(distances(noise, unit), change)
	if len(returns) >= enoughReturns {
		base = max(base, exceeds(distances(differences(returns), unit), change))
	}
	above := exceeds(distances(differences(same), unit), change)
	return max(0, above-base) / max(0.5-base, 0.01)
}

// exceeds is the probability that one of the values is above one of the others. Both are ascending.
func exceeds(values, others []float64) float64 {
	above := 0
	for _, v := range values {
		n, _ := slices.BinarySearch(others, v)
		above += n
	}
	return float64(above) / float64(max(1, len(values)*len(others)))
}

const (
	blockSide = 4          // of a block, pixels of a thumbnail
	minUnit   = 4.0 / 1024 // of a block: about one grey level of 128 in each value, squared, summed
)

// differences are those of the thumbnails of pairs of images, by pair and block, squared and
// summed over the cells that are not hidden.
func differences(d *dataset.Dataset, pairs [][2]int, hidden map[int]bool) [][]float64 {
	side, _ := pixels.ThumbnailShape(d.Size)
	each := (side + blockSide - 1) / blockSide
	all := make([][]float64, len(pairs))
	for k, pair := range pairs {
		a := pixels.NewThumbnail(d.Image(pair[0]), d.Size)
		b := pixels.NewThumbnail(d.Image(pair[1]), d.Size)
		all[k] = make([]float64, each*each)
		change := make([]float64, len(a))
		b.Difference(a, change)
		for i, v := range change {
			if x, y := i/3%side/blockSide, i/3/side/blockSide; !hidden[i/3] {
				all[k][y*each+x] += v * v
			}
		}
	}
	return all
}

// units are what images of one static interval differ by in each block; nil of no images.
func units(within [][]float64) (unit []float64) {
	for _, blocks := range within {
		if unit == nil {
			unit = make([]float64, len(blocks))
		}
		for b, v := range blocks {
			unit[b] += v / float64(len(within))
		}
	}
	return unit
}

// distances are the greatest differences of a block in its unit, ascending.
func distances(differences [][]float64, unit []float64) []float64 {
	all := make([]float64, len(differences))
	for i, blocks := range differences {
		for b, v := range blocks {
			least := minUnit
			if unit != nil {
				least += unit[b]
			}
			all[i] = max(all[i], v/least)
		}
	}
	slices.Sort(all)
	return all
}
