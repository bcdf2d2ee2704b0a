// Command effects measures what package effects learns from images, where the truth is known.
//
//	go run ./nodes/eval/effects                         simulated worlds
//	go run ./nodes/eval/effects -folder DIR             a recording with transitions.csv, truth.csv
//
// A row is a recording and a number of its attempts: words whose truth changes, such as "mug at 3",
// and how many a fact tells; facts, and those that tell none; pairs of a skill and one that undoes
// it in truth, how many were found, how many are false; the share of values that are known from the
// last setter or clearer, and of these the right ones, in percent; the seconds that learning takes.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"stripswm/models/effects"
	"stripswm/models/effects/check"
)

func main() {
	folder := flag.String("folder", "", "measure the recording in this folder, and no world")
	list := flag.String("world", "moves,movesreal,picks,picksreal", "worlds, separated by commas")
	counts := flag.String("attempts", "500,1000,1500,3000",
		"attempts to learn from, separated by commas")
	seed := flag.Uint64("seed", 1, "of worlds")
	side := flag.Int("side", 64, "of the thumbnails, pixels, at most")
	var f faults
	flag.Float64Var(&f.labels, "mislabel", 0, "share of successes with a wrong id")
	flag.Float64Var(&f.unmarked, "unmarked", 0,
		"share of attempts before which somebody changes the scene")
	flag.Float64Var(&f.failures, "failures", 0, "share of attempts that fail")
	flag.IntVar(&f.resets, "resets", 0, "attempts between resets to any state; 0: none")
	keep := flag.String("keep", "", "folder to keep recordings in, which exists: rendering takes long")
	verbose := flag.Bool("v", false, "print facts")
	flag.Parse()
	var numbers []int
	for _, text := range strings.Split(*counts, ",") {
		n := 0
		if _, err := fmt.Sscan(text, &n); err != nil {
			fail(fmt.Errorf("attempts %q: %w", text, err))
		}
		numbers = append(numbers, n)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "recording\tattempts\twords\tfound\tfacts\tuntrue\tpairs\tfound\tfalse\tknown %"+
		"\tright %\tundecided\tmixed\tseconds\t")
	measure := func(r *recording) {
		for _, n := range numbers {
			if n > len(r.attempts) {
				n = len(r.attempts)
			}
			if err := row(w, r, n, *verbose); err != nil {
				fail(err)
			}
			if n == len(r.attempts) {
				break
			}
		}
		w.Flush()
	}
	if *folder != "" {
		r, err := readFolder(*folder, *side)
		if err != nil {
			fail(err)
		}
		measure(r)
		return
	}
	for _, name := range strings.Split(*list, ",") {
		r, err := kept(*keep, name, numbers[len(numbers)-1], *side, *seed, f)
		if err != nil {
			fail(err)
		}
		measure(r)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "effects:", err)
	os.Exit(1)
}

// recording is attempts and what was true.
type recording struct {
	name     string
	attempts []effects.Attempt
	steps    []check.Step
	sample   []check.Step // of the same robot, without images
	width    int          // of thumbnails
	skills   []string     // names, for people, from action 1
}

func row(w *tabwriter.Writer, r *recording, n int, verbose bool) error {
	start := time.Now()
	learned, err := effects.Learn(context.Background(), r.attempts[:n],
		effects.Options{Channels: 3, Width: r.width})
	if err != nil {
		return err
	}
	seconds := time.Since(start).Seconds()
	var facts []check.Fact
	for _, f := range learned.Facts {
		facts = append(facts, check.Fact{Sets: f.Sets, Clears: f.Clears, Keeps: f.Keeps})
		if verbose {
			fmt.Printf("%.0f nats, set by %v, cleared by %v, kept by %d\n", f.Nats, r.names(f.Sets),
				r.names(f.Clears), len(f.Keeps))
		}
	}
	undecided, mixed := 0, 0
	for _, u := range learned.Undecided {
		if u.Mixed {
			mixed++
		} else {
			undecided++
		}
		if verbose {
			fmt.Printf("undecided: %v by %v, %.0f nats, %d tries, mixed %v\n", r.names([]int{u.Action}),
				r.names([]int{u.Other}), u.Nats, u.Tries, u.Mixed)
		}
	}
	s := check.Compare(facts, r.steps[:n], r.sample)
	percent := func(a, b int) float64 { return 100 * float64(a) / float64(max(b, 1)) }
	_, err = fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%.2f\t%d\t%d\t%.2f\t\n",
		r.name, n,
		s.Words, s.Found, s.Facts, s.Untrue, s.Pairs, s.PairsFound, s.PairsFalse,
		percent(s.Known, s.Values), percent(s.Right, s.Known), undecided, mixed, seconds)
	return err
}

func (r *recording) names(ids []int) (names []string) {
	for _, a := range ids {
		if a > 0 && a <= len(r.skills) {
			names = append(names, r.skills[a-1])
		} else {
			names = append(names, fmt.Sprint(a))
		}
	}
	return names
}
