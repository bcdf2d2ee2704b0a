// Command pairs plans from images of random states of a simulated world to images of others, and
// executes the plans in the world.
//
//	go run ./nodes/eval/pairs -bundle runs/lamp/bundle -world lamp -pairs 200
//
// It prints one row: how many pairs are solved, of those that some plan solves; how many of these
// have none by the model; how many were refused since an image was not recognized; and how many had
// a plan that is wrong: a skill is refused on the way, or the last state is not the goal.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/record"
)

func main() {
	bundle := flag.String("bundle", "", "learned bundle")
	world := flag.String("world", "", "simulated world that it is of")
	pairs := flag.Int("pairs", 200, "pairs of images")
	seed := flag.Uint64("seed", 1, "of states and images, which no recording of this seed has")
	size := flag.Int("size", 128, "of images, pixels a side, as recorded")
	verbose := flag.Bool("v", false, "print the pairs that are not solved")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *bundle, *world, *pairs, *seed, *size, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "pairs:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, bundle, world string, pairs int, seed uint64, size int,
	verbose bool,
) error {
	w, err := sim.New(world)
	if err != nil {
		return err
	}
	p, err := imageplan.Open(bundle, imageplan.Options{})
	if err != nil {
		return err
	}
	defer p.Close()
	cam, images := camera.New(size, size), uint64(0)
	look := func(s sim.State) (pixels.RGB, error) {
		images++
		img, err := cam.Render(w, s, record.EvaluationSeed(seed, 1<<40+images))
		if err != nil {
			return pixels.RGB{}, err
		}
		return pixels.FromImage(img), nil
	}
	rng := rand.New(rand.NewPCG(seed, 0x9a125))
	truth := sim.GroundTruth(w)
	states := truth.States()
	possible, solved, without, refused, wrong := 0, 0, 0, 0, 0
	for range pairs {
		from, to := states[rng.IntN(len(states))], states[rng.IntN(len(states))]
		start, err := look(from)
		if err != nil {
			return err
		}
		goal, err := look(to)
		if err != nil {
			return err
		}
		r, err := p.Plan(ctx, start, goal)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		at, ok := from, true
		for _, a := range r.Plan {
			if ok {
				at, ok = w.Apply(at, a)
			}
		}
		_, can := truth.Path(from, to)
		if can {
			possible++
		}
		what := "wrong"
		switch {
		case errors.Is(err, imageplan.ErrUnrecognized):
			refused++
			what = "refused"
		case err != nil:
			return err
		case r.Outcome != planner.Found && !can:
			continue
		case r.Outcome != planner.Found:
			without++
			what = "no plan"
		case ok && at == to:
			solved++
			continue
		default:
			wrong++
		}
		if verbose {
			fmt.Printf("%s: from %s to %s: plan %v, %v\n", what, w.Describe(from), w.Describe(to),
				r.Plan, err)
		}
	}
	fmt.Printf("%-18s seed %-3d %4d of %4d pairs solved, %3d without a plan, %3d refused, %3d wrong\n",
		world, seed, solved, possible, without, refused, wrong)
	return nil
}
