package eval

import (
	"context"
	"iter"
	"slices"

	"stripswm/models/pixels"
	"stripswm/nodes/inorder"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/record"
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
	take := func(job order) result {
		pictures, err := render(w, job, o)
		return result{pictures, err}
	}
	return func(yield func(shot, error) bool) {
		for r := range inorder.Map(ctx, slices.Values(orders), o.Workers, take) {
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
