package record

import (
	"context"
	"fmt"
	"image"
	"iter"

	"stripswm/msgs"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
)

// shot is an attempt with its pictures.
type shot struct {
	sim.Step
	before, after *msgs.CompressedImage
	err           error
}

// shoot photographs a walk on several goroutines and yields the shots in the
// walk's order. It keeps a few shots in flight and stops when ctx ends.
func shoot(ctx context.Context, cam camera.Camera, w sim.World, walk iter.Seq[sim.Step], o Options) iter.Seq[shot] {
	return func(yield func(shot) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		workers := max(o.Workers, 1)
		queue := make(chan chan shot, 4*workers)
		go func() {
			defer close(queue)
			slots := make(chan struct{}, workers)
			i := uint64(0)
			for step := range walk {
				result, attempt := make(chan shot, 1), i
				i++
				select {
				case <-ctx.Done():
					return
				case slots <- struct{}{}:
				}
				go func() {
					result <- photograph(cam, w, step, o, attempt)
					<-slots
				}()
				select {
				case <-ctx.Done():
					return
				case queue <- result:
				}
			}
		}()
		for result := range queue {
			if !yield(<-result) {
				return
			}
		}
	}
}

// Seed is the camera's seed for picture k of attempt i of a recording; pictures
// for evaluation are drawn from EvaluationSeed and never coincide.
func Seed(recording uint64, attempt uint64, k int) uint64 {
	return recording<<40 ^ (2*attempt + uint64(k))
}

// EvaluationSeed is the camera's seed for picture i of an evaluation.
func EvaluationSeed(recording uint64, i uint64) uint64 { return 1<<63 | recording<<40 ^ i }

func photograph(cam camera.Camera, w sim.World, step sim.Step, o Options, i uint64) shot {
	s := shot{Step: step}
	for k, picture := range []**msgs.CompressedImage{&s.before, &s.after} {
		state := step.State
		if k == 1 {
			state = step.Next
		}
		var img *image.RGBA
		if img, s.err = cam.Render(w, state, Seed(o.Seed, i, k)); s.err != nil {
			return s
		}
		if *picture, s.err = msgs.NewJPEG(msgs.Header{FrameID: frameID}, img, o.Quality); s.err != nil {
			s.err = fmt.Errorf("attempt %d: %w", i, s.err)
			return s
		}
	}
	return s
}
