// Command factsbench measures planning from and to images of states that were never recorded. It
// records a whole simulated world, learns facts from the attempts and a recognizer from the
// images, and prints a table with a row for each number of attempts and seed.
//
//	go run ./nodes/eval/factsbench -world dinnertable -attempts 1500,3000 -seeds 1,2,3
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"stripswm/models/worlds"
)

func main() {
	world := flag.String("world", "dinnertable", "simulated world")
	attempts := flag.String("attempts", "1500,3000", "attempts to learn from, refused ones included")
	seeds := flag.String("seeds", "1,2,3", "seeds of recording, training and evaluation")
	dir := flag.String("dir", "", "folder that keeps recordings (default: a temporary one)")
	queries := flag.Int("queries", 300, "pairs of never-recorded states")
	threads := flag.Int("threads", 2, "threads of training")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *world, *attempts, *seeds, *dir, *queries, *threads); err != nil {
		fmt.Fprintln(os.Stderr, "factsbench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, world, attempts, seeds, dir string, queries, threads int) error {
	if dir == "" {
		temporary, err := os.MkdirTemp("", "factsbench")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temporary)
		dir = temporary
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
			b := bench{world: world, attempts: int(n), seed: seed, dir: dir, queries: queries,
				threads: threads}
			if err := b.run(ctx); err != nil {
				return fmt.Errorf("%s, %d attempts, seed %d: %w", world, n, seed, err)
			}
		}
	}
	return nil
}
