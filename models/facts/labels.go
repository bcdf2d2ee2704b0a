package facts

import (
	"encoding/binary"
	"hash/fnv"

	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/vision"
)

// labels are the training targets [image][predicate] of vision.TrainPartial, and the images that
// show an interval in which some predicate is known.
func labels(shows []int, r *traces.Result) (targets [][]float32, images []int) {
	targets = make([][]float32, len(shows))
	for i, interval := range shows {
		if interval < 0 {
			continue
		}
		row, some := make([]float32, len(r.Model.Predicates)), false
		for p := range row {
			switch r.Value(strips.Predicate(p), interval) {
			case traces.True:
				row[p], some = 1, true
			case traces.False:
				some = true
			default:
				row[p] = vision.UnknownTarget
			}
		}
		if some {
			targets[i] = row
			images = append(images, i)
		}
	}
	return targets, images
}

// heldShare of the predicate vectors, one in so many, is held out with all of its images: a
// recognizer is less certain of vectors that it never saw in training.
const heldShare = 8

// split divides images into those to learn from and those held out.
func split(images, shows []int, r *traces.Result) (learn, held []int) {
	for _, i := range images {
		h := fnv.New64a()
		for _, w := range known(r, shows[i]) {
			h.Write(binary.LittleEndian.AppendUint64(nil, w))
		}
		if h.Sum64()>>32%heldShare == 0 {
			held = append(held, i)
		} else {
			learn = append(learn, i)
		}
	}
	return learn, held
}

// members are the predicates that each derived predicate depends on.
func members(m *traces.Model) [][]int {
	all := make([][]int, len(m.Predicates))
	for p, d := range m.Predicates {
		for _, l := range d.Members {
			all[p] = append(all[p], int(l.Predicate))
		}
	}
	return all
}
