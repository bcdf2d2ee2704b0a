// Command factsbench measures planning from and to images of states that were never recorded. It
// records a whole simulated world, learns facts from the attempts and a recognizer from the
// images, and prints a table with a row for each number of attempts and seed. Where the recording
// has all states, they are what it plans between.
//
//	go run ./nodes/eval/factsbench -world dinnertable -attempts 1500,3000 -seeds 1,2,3
//	go run ./nodes/eval/factsbench -attempts 6000 -mislabel 0.03 -changes 0.05
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"stripswm/models/worlds"
	"stripswm/nodes/sim"
)

func main() {
	world := flag.String("world", "dinnertable", "simulated world")
	attempts := flag.String("attempts", "1500,3000", "attempts to learn from, refused ones included")
	seeds := flag.String("seeds", "1,2,3", "seeds of recording, training and evaluation")
	dir := flag.String("dir", "", "folder that keeps recordings (default: a temporary one)")
	queries := flag.Int("queries", 300, "pairs of states")
	threads := flag.Int("threads", 2, "threads of training")
	mislabel := flag.Float64("mislabel", 0, "share of successes with another action's id, 0 to 1")
	changes := flag.Float64("changes", 0, "share of attempts before each of which somebody changes "+
		"the scene without a mark, 0 to 1")
	failures := flag.Float64("failures", 0, "share of attempts that fail, half of these with the "+
		"skill's effect, 0 to 1")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b := bench{world: *world, dir: *dir, queries: *queries, threads: *threads, mislabel: *mislabel,
		faults: sim.Faults{Resets: *changes, Failures: *failures}}
	if err := run(ctx, b, *attempts, *seeds); err != nil {
		fmt.Fprintln(os.Stderr, "factsbench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, row bench, attempts, seeds string) error {
	if row.dir == "" {
		temporary, err := os.MkdirTemp("", "factsbench")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temporary)
		row.dir = temporary
	}
	counts, err := worlds.ParseNumbers(attempts)
	if err != nil {
		return err
	}
	draws, err := worlds.ParseNumbers(seeds)
	if err != nil {
		return err
	}
	for _, n := range counts {
		for _, seed := range draws {
			b := row
			b.attempts, b.seed = int(n), seed
			if err := b.run(ctx); err != nil {
				return fmt.Errorf("%s, %d attempts, seed %d: %w", b.world, n, seed, err)
			}
		}
	}
	return nil
}
