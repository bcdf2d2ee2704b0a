package facts

import (
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

// Blocks of consecutive intervals are held out, since light and places persist on a rig.
const (
	blockLength = 20 // intervals
	blocks      = 8  // one of so many is held out
)

// split divides images into those to learn from and those held out.
func split(images, shows []int) (learn, held []int) {
	for _, i := range images {
		if shows[i]/blockLength%blocks == blocks-1 {
			held = append(held, i)
		} else {
			learn = append(learn, i)
		}
	}
	return learn, held
}
