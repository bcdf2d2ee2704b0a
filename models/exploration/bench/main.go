// Command bench measures how much robot time it takes until a model that was learned from nothing
// plans between all states of a world.
//
//	GOMAXPROCS=1 go run ./models/exploration/bench -seeds 1,2,3
//
// A row is a world and what chose the skills: "uniform" draws evenly among all, "oracle" nine times
// in ten among those that apply, and "informed" is package exploration. A success takes 20 seconds
// and a refusal 2, or as many as -refusal says. The row has means over the seeds when 95 % of plans
// between random states first led to the goal, and how many seeds did not get there within the
// time.
//
// With -stop a row is a world and a seed of package exploration, when the expectation first reached
// 95 %: how many plans then led to the goal.
//
// With -out DIR the plans that lead to the goal are drawn by robot time, as DIR/WORLD.png, and with
// -stop what was expected beside them.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"stripswm/models/exploration"
	"stripswm/models/worlds"
)

// refusalSeconds are what a refused attempt takes.
var refusalSeconds float64

func main() {
	list := flag.String("seeds", "1,2,3", "seeds, separated by commas")
	only := flag.String("world", "", "measure only worlds whose name begins so")
	by := flag.String("policy", "", "measure only this policy")
	stops := flag.Bool("stop", false, "measure the stopping rule")
	flag.Float64Var(&refusalSeconds, "refusal", exploration.RefusalSeconds, "seconds of a refusal")
	dir := flag.String("out", "", "folder for curves, which exists")
	flag.Parse()
	seeds, err := worlds.ParseNumbers(*list)
	if err != nil {
		fail(fmt.Errorf("seeds %w", err))
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	header := "world\tskills\tpolicy\tattempts\tsucceeded\trefused\trobot ks\tworst ks" +
		"\tnot reached\texpected %\tCPU s\t\n"
	if *stops {
		header = stopHeader
	}
	fmt.Fprint(w, header)
	for _, c := range []struct {
		world *worlds.World
		limit float64 // robot seconds
	}{
		{worlds.Table(5, 7), 100_000},
		{worlds.RealTable(), 100_000},
		{worlds.Blocks(), 20_000},
		{worlds.Hanoi(4), 60_000},
		{worlds.KeyDoor(), 100_000},
		{worlds.Fixture(2, 3), 100_000},
		{worlds.Vehicles(2, 5, 3), 100_000},
		{worlds.Kitchen(4, 3, 2), 100_000},
		{worlds.Gripper(4, 3), 60_000},
	} {
		if !strings.HasPrefix(c.world.Name, *only) {
			continue
		}
		if *stops {
			var truths, all []curve
			for _, seed := range seeds {
				truth, told, err := stop(w, c.world, seed, c.limit)
				if err != nil {
					fail(fmt.Errorf("%s, seed %d: %w", c.world.Name, seed, err))
				}
				truths, all = append(truths, truth), append(all, told)
				w.Flush()
			}
			if *dir != "" {
				if err := draw(*dir, c.world.Name, []string{"true", "expected"}, truths, all); err != nil {
					fail(err)
				}
			}
			continue
		}
		var names []string
		var all [][]curve
		failures := enough
		if *dir != "" {
			failures = queries
		}
		for _, p := range []string{"informed", "oracle", "uniform"} {
			if *by != "" && p != *by {
				continue
			}
			curves, err := row(w, c.world, p, seeds, c.limit, failures)
			if err != nil {
				fail(err)
			}
			names, all = append(names, p), append(all, curves)
			w.Flush()
		}
		if *dir != "" {
			if err := draw(*dir, c.world.Name, names, all...); err != nil {
				fail(err)
			}
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "bench:", err)
	os.Exit(1)
}

// row measures a world and a policy, and returns a curve for each seed.
func row(w *tabwriter.Writer, world *worlds.World, name string, seeds []uint64, limit float64,
	failures int,
) (curves []curve, err error) {
	var sum run
	worst, missed := 0.0, 0
	for _, seed := range seeds {
		r, err := explore(world, name, seed, limit, failures)
		if err != nil {
			return nil, fmt.Errorf("%s, %s, seed %d: %w", world.Name, name, seed, err)
		}
		curves = append(curves, r.curve)
		if !r.reached {
			missed++
		}
		worst = max(worst, r.seconds)
		sum.succeeded, sum.refused = sum.succeeded+r.succeeded, sum.refused+r.refused
		sum.seconds, sum.expected, sum.cpu = sum.seconds+r.seconds, sum.expected+r.expected, sum.cpu+r.cpu
	}
	n := float64(len(seeds))
	_, err = fmt.Fprintf(w, "%s\t%d\t%s\t%.0f\t%.0f\t%.0f\t%.1f\t%.1f\t%d\t%.0f\t%.1f\t\n",
		world.Name, len(world.Operators), name, float64(sum.succeeded+sum.refused)/n,
		float64(sum.succeeded)/n, float64(sum.refused)/n, sum.seconds/n/1000, worst/1000, missed,
		100*sum.expected/n, sum.cpu/n)
	return curves, err
}
