// Command effects measures what package effects learns from images, where the truth is known.
//
//	go run ./nodes/eval/effects                         simulated worlds
//	go run ./nodes/eval/effects -folder DIR             a recording with transitions.csv, truth.csv
//
// A row is a recording and a number of its attempts: words whose truth changes, such as "mug at 3",
// and how many a fact tells; variables, facts, and those that tell no word; variants of skills;
// actions that set or clear a word in truth, how many are said to, and how many more; the share of
// values that images tell, and of these the right ones, in percent; the seconds that learning
// takes.
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
	fmt.Fprintln(w, "recording\tattempts\twords\tfound\tvariables\tfacts\tuntrue\tvariants\teffects"+
		"\tfound\tfalse\tknown %\tright %\tseconds\t")
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
	width    int      // of thumbnails
	skills   []string // names, for people, from action 1
}

func row(w *tabwriter.Writer, r *recording, n int, verbose bool) error {
	start := time.Now()
	learned, err := effects.Learn(context.Background(), r.attempts[:n],
		effects.Options{Channels: 3, Skills: len(r.skills)})
	if err != nil {
		return err
	}
	seconds := time.Since(start).Seconds()
	var facts []check.Fact
	for _, f := range learned.Facts {
		c := check.Fact{Values: make([][2]int, n), Sets: f.Sets, Clears: f.Clears}
		for i := range c.Values {
			for end := range 2 {
				if value, known := learned.Value(f, i, end); known && value {
					c.Values[i][end] = 1
				} else if known {
					c.Values[i][end] = -1
				}
			}
		}
		facts = append(facts, c)
		if verbose {
			fmt.Printf("variable %d, look %d: set by %v, cleared by %v, in doubt after %d\n", f.Variable,
				f.Look, r.names(f.Sets), r.names(f.Clears), len(f.Doubts))
		}
	}
	s := check.Compare(facts, r.steps[:n], learned.Actions)
	percent := func(a, b int) float64 { return 100 * float64(a) / float64(max(b, 1)) }
	_, err = fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%.2f\t%.2f\t\n",
		r.name, n, s.Words, s.Found, len(learned.Variables), s.Facts, s.Untrue, len(learned.Variants),
		s.Effects, s.EffectsFound, s.EffectsFalse,
		percent(s.Known, s.Values), percent(s.Right, s.Known), seconds)
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
