package eval

import (
	"context"

	"stripswm/models/imageplan"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// strengths of the nuisance, times that of the recording: the first is as
// trained, the others are held out.
var strengths = []float64{1, 1.5, 2, 3}

// stateRecognitions is what new pictures of every true state were recognised as.
type stateRecognitions struct {
	truth  *sim.Graph
	states []sim.State
	// seen is by strength, state and picture.
	seen [][][]imageplan.Recognition
	// majority is, by state, the code that most of its pictures show at the first
	// strength; the zero State where none is known.
	majority []strips.State
}

// recognizeStates photographs and recognises every true state.
func recognizeStates(ctx context.Context, p *imageplan.Planner, truth *sim.Graph, o Options) (*stateRecognitions, error) {
	s := &stateRecognitions{truth: truth, states: truth.States()}
	chosen := strengths
	if o.Quick {
		chosen = chosen[:1]
	}
	var orders []order
	for _, strength := range chosen {
		s.seen = append(s.seen, make([][]imageplan.Recognition, len(s.states)))
		for _, state := range s.states {
			for range o.Pictures {
				// Queries take the seeds from 0 on.
				orders = append(orders, order{[]sim.State{state}, 1<<32 + uint64(len(orders)), strength * o.Nuisance})
			}
		}
	}
	n := 0
	err := photograph(ctx, truth.World(), orders, o, func(taken shot) error {
		r, err := p.Recognize(taken[0])
		if err != nil {
			return err
		}
		at := n / o.Pictures
		of := &s.seen[at/len(s.states)][at%len(s.states)]
		*of = append(*of, r)
		n++
		o.report("classify every state", n, len(orders))
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, pictures := range s.seen[0] {
		s.majority = append(s.majority, majority(pictures))
	}
	return s, nil
}

// majority is the known code that most pictures show, the first of equals.
func majority(pictures []imageplan.Recognition) strips.State {
	counts := map[strips.State]int{}
	var most strips.State
	for _, r := range pictures {
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
