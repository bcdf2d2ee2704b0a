package eval

import (
	"context"

	"github.com/sourcegraph/conc/stream"

	"stripswm/models/pixels"
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

// photograph takes the pictures on several goroutines and shows them in order. It
// ends with the first error, which may be that of see or of ctx.
func photograph(ctx context.Context, w sim.World, orders []order, o Options, see func(shot) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	pictures := stream.New().WithMaxGoroutines(max(o.Workers, 1))
	for _, job := range orders {
		if ctx.Err() != nil {
			break
		}
		pictures.Go(func() stream.Callback {
			taken, err := render(w, job, o)
			return func() {
				if err == nil && ctx.Err() == nil {
					err = see(taken)
				}
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	pictures.Wait()
	return context.Cause(ctx)
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
