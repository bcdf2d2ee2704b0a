// Command noisebench measures exploration by facts where something goes wrong: somebody moves
// things, statuses are wrong, or skills fail. It compares exploration that uses images with
// exploration that does not.
//
//	go run ./nodes/eval/noisebench -world blocksworld -seeds 1,2 -limit 6
//
// A row is a kind of noise and a seed. It has the robot time until 95 of 100 plans between random
// states lead to the goal, and how many did in the end. A success takes 20 seconds and a refusal 2.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"stripswm/models/exploration"
	"stripswm/models/exploration/images"
	"stripswm/models/traces"
	"stripswm/models/worlds"
	"stripswm/nodes/sim"
)

var noises = []noise{
	{name: "nothing"},
	{name: "hand", hand: 50},
	{name: "during", during: 50},
	{name: "statuses", statuses: 0.03},
	{name: "failing", failing: 0.1},
	{name: "all", hand: 50, statuses: 0.03, failing: 0.1},
}

func main() {
	name := flag.String("world", "blocksworld", "simulated world")
	list := flag.String("seeds", "1,2", "seeds, separated by commas")
	only := flag.String("noise", "", "measure only noise whose name begins so")
	which := flag.String("images", "both", "with, without or both")
	from := flag.Float64("from", 0.5, "robot time of the first measurement, ks")
	limit := flag.Float64("limit", 6, "robot time, ks")
	curve := flag.Bool("curve", false, "print every measurement")
	flag.Parse()
	seeds, err := worlds.ParseNumbers(*list)
	if err != nil {
		fail(err)
	}
	w, err := sim.New(*name)
	if err != nil {
		fail(err)
	}
	g := sim.GroundTruth(w)
	fmt.Println("world, noise, images, seed: ks, attempts, succeeded, plans %, CPU s of the explorer")
	for _, n := range noises {
		if !strings.HasPrefix(n.name, *only) {
			continue
		}
		for _, with := range []bool{false, true} {
			if *which == "with" && !with || *which == "without" && with {
				continue
			}
			for _, seed := range seeds {
				if err := row(g, n, with, seed, 1000**from, 1000**limit, *curve); err != nil {
					fail(fmt.Errorf("%s, seed %d: %w", n.name, seed, err))
				}
			}
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "noisebench:", err)
	os.Exit(1)
}

// step is the factor of robot time between two measurements.
const step = 1.03

// row explores until the target is reached or the time is over.
func row(g *sim.Graph, n noise, with bool, seed uint64, next, limit float64,
	curve bool,
) error {
	ctx := context.Background()
	w := g.World()
	e, err := exploration.New(w.NumActions(), exploration.Options{Seed: seed})
	if err != nil {
		return err
	}
	x := images.New(e)
	r := newRobot(w, n, seed, with)
	var states []sim.State
	seconds, succeeded, share, cpu := 0.0, 0, 0.0, time.Duration(0)
	for seconds < limit {
		began := time.Now()
		c, err := x.Next()
		reset := errors.Is(err, exploration.ErrStuck)
		if reset {
			r.reset()
			if err = x.Reset(); err == nil {
				c, err = x.Next()
			}
		}
		if err != nil {
			return err
		}
		cpu += time.Since(began)
		t, seen, took, err := r.try(c.Action)
		if err != nil {
			return err
		}
		states = append(states, r.before)
		seconds += took
		if t.Outcome == traces.Succeeded {
			succeeded++
		}
		began = time.Now()
		if err := x.Observe(t, took, seen); err != nil {
			return err
		}
		cpu += time.Since(began)
		if seconds < next && seconds < limit {
			continue
		}
		next = seconds * step
		stop := failures
		if curve || seconds >= limit {
			stop = queries
		}
		happened := x.Happened()
		if share, err = plans(ctx, g, happened, states, with, seed, stop); err != nil {
			return err
		}
		if curve {
			fmt.Fprintf(os.Stderr, "%.1f ks, %d attempts, plans %.2f\n", seconds/1000, len(states), share)
		}
		if share >= target {
			break
		}
	}
	fmt.Printf("%s, %s, %v, %d: %.1f ks, %d, %d, %.0f %%, %.1f s\n", w.Name(), n.name, with, seed,
		seconds/1000, len(states), succeeded, 100*share, cpu.Seconds())
	return nil
}
