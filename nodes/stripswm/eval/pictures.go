package eval

import (
	"context"
	"iter"

	"stripswm/models/pixels"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/simrig/record"
)

// order is pictures to take, one of each state.
type order struct {
	states   []sim.State
	seed     uint64  // the k-th picture is the evaluation's picture seed+k
	strength float64 // of the nuisance
}

// shot is the pictures of an order.
type shot []pixels.RGB

// photograph takes the pictures on several goroutines and yields them in order.
// It ends with the first error, which may be that of ctx.
func photograph(ctx context.Context, w sim.World, orders []order, o Options) iter.Seq2[shot, error] {
	type result struct {
		shot shot
		err  error
	}
	return func(yield func(shot, error) bool) {
		inside, cancel := context.WithCancel(ctx)
		defer cancel()
		queue := make(chan chan result, max(o.Workers, 1))
		go func() {
			defer close(queue)
			for _, job := range orders {
				done := make(chan result, 1)
				select {
				case queue <- done:
				case <-inside.Done():
					return
				}
				go func() {
					pictures, err := render(w, job, o)
					done <- result{pictures, err}
				}()
			}
		}()
		for done := range queue {
			r := <-done
			if !yield(r.shot, r.err) || r.err != nil {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(nil, err)
		}
	}
}

func render(w sim.World, job order, o Options) (shot, error) {
	cam := camera.New(o.Size, o.Size)
	cam.Strength = job.strength
	var pictures shot
	for k, state := range job.states {
		img, err := cam.Render(w, state, record.EvaluationSeed(o.Seed, job.seed+uint64(k)))
		if err != nil {
			return nil, err
		}
		pictures = append(pictures, pixels.FromImage(img))
	}
	return pictures, nil
}
