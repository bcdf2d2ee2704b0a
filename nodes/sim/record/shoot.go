package record

import (
	"context"
	"fmt"
	"iter"

	"github.com/sourcegraph/conc/stream"

	"stripswm/msgs"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
)

// shot is an attempt with its images.
type shot struct {
	sim.Step
	before, after *msgs.CompressedImage
}

// shoot photographs a policy on several goroutines and has the shots written in the
// walk's order. It ends with the first error, which may be that of write or of ctx.
func shoot(ctx context.Context, cam camera.Camera, w *sim.World, trajectory iter.Seq[sim.Step],
	o Options, write func(shot) error,
) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	shots := stream.New().WithMaxGoroutines(max(o.Workers, 1))
	attempt := uint64(0)
	for step := range trajectory {
		if ctx.Err() != nil {
			break
		}
		i := attempt
		attempt++
		shots.Go(func() stream.Callback {
			s, err := photograph(cam, w, step, i, [2]uint64{Seed(o.Seed, i, 0), Seed(o.Seed, i, 1)}, o)
			return func() {
				if err == nil && ctx.Err() == nil {
					err = write(s)
				}
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	shots.Wait()
	return context.Cause(ctx)
}

// Seed is the camera's seed for image k of attempt i of a recording; images
// for evaluation are drawn from EvaluationSeed and never coincide.
func Seed(recording uint64, attempt uint64, k int) uint64 {
	return recording<<40 ^ (2*attempt + uint64(k))
}

// EvaluationSeed is the camera's seed for image i of an evaluation.
func EvaluationSeed(recording uint64, i uint64) uint64 { return 1<<63 | recording<<40 ^ i }

// photograph takes both images of an attempt; setUps are the seeds of how the two scenes are set
// up.
func photograph(cam camera.Camera, w *sim.World, step sim.Step, attempt uint64, setUps [2]uint64,
	o Options,
) (shot, error) {
	s := shot{Step: step}
	for k, shown := range []**msgs.CompressedImage{&s.before, &s.after} {
		state := step.State
		if k == 1 {
			state = step.Next
		}
		img, err := cam.RenderAgain(w, state, setUps[k], Seed(o.Seed, attempt, k))
		if err != nil {
			return s, err
		}
		if *shown, err = msgs.NewJPEG(msgs.Header{FrameID: frameID}, img, o.Quality); err != nil {
			return s, fmt.Errorf("attempt %d: %w", attempt, err)
		}
	}
	return s, nil
}
