package facts

import (
	"slices"

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
		values := make([]traces.Value, len(r.Model.Predicates))
		for p := range values {
			values[p] = r.Value(strips.Predicate(p), interval)
		}
		if targets[i] = targetOf(values); targets[i] != nil {
			images = append(images, i)
		}
	}
	return targets, images
}

// targetOf are values as a training target; nil where none is known.
func targetOf(values []traces.Value) []float32 {
	row, some := make([]float32, len(values)), false
	for p, v := range values {
		switch v {
		case traces.True:
			row[p], some = 1, true
		case traces.False:
			some = true
		default:
			row[p] = vision.UnknownTarget
		}
	}
	if !some {
		return nil
	}
	return row
}

// factsOf is the number of facts; the predicates after them are derived.
func factsOf(r *traces.Result) int {
	return len(slices.DeleteFunc(slices.Clone(r.Model.Predicates),
		func(p traces.Predicate) bool { return p.Members != nil }))
}

// Blocks of consecutive static intervals are held out: states within a block are farther from those
// that a recognizer is trained on than states at random, as never-recorded ones are.
const (
	blockLength = 20  // intervals
	blocks      = 8   // one of so many is held out
	fewBlocks   = 4   // of so many where too few images would be
	minHeld     = 100 // of which one exceeds what one in a hundred does
	// MinIntervals is how many static intervals a recording should have: two blocks are held out.
	MinIntervals = 2 * blockLength * blocks
)

// split divides images into those to learn from and those held out. A recognizer is less certain of
// vectors that it never saw in training: where there are enough of those, no others are held.
func split(l labelled) (learn, held []int) {
	if learn, held = splitBy(blocks, l); len(held) < minHeld {
		learn, held = splitBy(fewBlocks, l)
	}
	return learn, held
}

// splitBy holds out one of so many blocks.
func splitBy(blocks int, l labelled) (learn, held []int) {
	vector := func(image int) string {
		var text []byte
		for _, v := range l.targets[image] {
			text = append(text, byte(2*v))
		}
		return string(text)
	}
	trained := map[string]bool{}
	for _, i := range l.images {
		if l.shows[i]/blockLength%blocks == blocks-1 {
			held = append(held, i)
		} else {
			learn = append(learn, i)
			trained[vector(i)] = true
		}
	}
	unseen := slices.DeleteFunc(slices.Clone(held), func(i int) bool { return trained[vector(i)] })
	if len(unseen) >= minHeld {
		return learn, unseen
	}
	return learn, held
}
