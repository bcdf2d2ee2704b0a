package eval

import (
	"context"

	"stripswm/models/imageplan"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// stateRecognitions is what images of every true state were recognised as.
type stateRecognitions struct {
	source    source
	states    []sim.State
	strengths []float64
	// seen is of new images, by strength, state and image.
	seen [][][]imageplan.Recognition
	// named is of the images that tell which code is the state's: those that the
	// source has for it, or the new ones at the first strength.
	named [][]imageplan.Recognition
	// majority is, by state, the code that most of its named images show; the zero
	// State where none is known.
	majority []strips.State
}

// recognizeStates recognises images of every true state.
func recognizeStates(ctx context.Context, p *imageplan.Planner, from source,
	o Options,
) (*stateRecognitions, error) {
	s := &stateRecognitions{source: from, states: from.truth().States(), strengths: from.strengths()}
	if o.Quick {
		s.strengths = s.strengths[:1]
	}
	var sets [][][]photo
	for k := range s.strengths {
		sets = append(sets, from.fresh(k))
	}
	if named := from.recorded(); named != nil {
		sets = append(sets, named)
	}
	seen, err := recognizeAll(ctx, p, sets, o)
	if err != nil {
		return nil, err
	}
	s.seen, s.named = seen[:len(s.strengths)], seen[0]
	if len(seen) > len(s.strengths) {
		s.named = seen[len(s.strengths)]
	}
	for _, images := range s.named {
		s.majority = append(s.majority, majority(images))
	}
	return s, nil
}

// recognizeAll recognises sets of images by state.
func recognizeAll(ctx context.Context, p *imageplan.Planner, sets [][][]photo,
	o Options,
) ([][][]imageplan.Recognition, error) {
	seen := make([][][]imageplan.Recognition, len(sets))
	var orders []order
	var of []*[]imageplan.Recognition // of each order
	for k, states := range sets {
		seen[k] = make([][]imageplan.Recognition, len(states))
		for i, images := range states {
			for _, one := range images {
				orders = append(orders, order{one})
				of = append(of, &seen[k][i])
			}
		}
	}
	n := 0
	err := photograph(ctx, orders, o.Workers, func(taken shot) error {
		r, err := p.Recognize(taken[0])
		if err != nil {
			return err
		}
		*of[n] = append(*of[n], r)
		n++
		o.report("classify every state", n, len(orders))
		return nil
	})
	return seen, err
}

// majority is the known code that most images show, the first of equals.
func majority(images []imageplan.Recognition) strips.State {
	counts := map[strips.State]int{}
	var most strips.State
	for _, r := range images {
		if !r.Known() {
			continue
		}
		counts[r.Code]++
		if counts[r.Code] > counts[most] {
			most = r.Code
		}
	}
	return most
}
