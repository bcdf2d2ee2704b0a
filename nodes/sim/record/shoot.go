package record

import (
	"context"
	"fmt"
	"image"
	"iter"

	"stripswm/msgs"
	"stripswm/nodes/inorder"
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
// walk's order.
func shoot(ctx context.Context, cam camera.Camera, w sim.World, walk iter.Seq[sim.Step], o Options) iter.Seq[shot] {
	return inorder.Map(ctx, numbered(walk), o.Workers, func(a attempt) shot { return photograph(cam, w, a, o) })
}

// attempt is a step of a walk with its number.
type attempt struct {
	sim.Step
	index uint64
}

func numbered(walk iter.Seq[sim.Step]) iter.Seq[attempt] {
	return func(yield func(attempt) bool) {
		i := uint64(0)
		for step := range walk {
			if !yield(attempt{step, i}) {
				return
			}
			i++
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

func photograph(cam camera.Camera, w sim.World, a attempt, o Options) shot {
	s := shot{Step: a.Step}
	for k, picture := range []**msgs.CompressedImage{&s.before, &s.after} {
		state := a.State
		if k == 1 {
			state = a.Next
		}
		var img *image.RGBA
		if img, s.err = cam.Render(w, state, Seed(o.Seed, a.index, k)); s.err != nil {
			return s
		}
		if *picture, s.err = msgs.NewJPEG(msgs.Header{FrameID: frameID}, img, o.Quality); s.err != nil {
			s.err = fmt.Errorf("attempt %d: %w", a.index, s.err)
			return s
		}
	}
	return s
}
