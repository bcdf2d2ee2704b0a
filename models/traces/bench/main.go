// Command bench measures learning from action traces and prints two tables: how well what was
// learned agrees with worlds whose truth is known, in percent over seeds, and what learning costs.
//
//	GOMAXPROCS=1 go run ./models/traces/bench -seeds 11,12,13
//
// A row is a world and a number of attempts: percent of what the model allows that the world
// allows, percent of what the world allows that the model allows, over all states and actions; the
// predicates whose value depends on the path to a state, in all seeds; and percent of plans between
// random states that lead to the goal, by seed.
//
// With -plan it measures planning in learned models instead: plans found, plans that lead to the
// goal in the world, time, and steps as a multiple of those that breadth-first search takes.
//
// With -curve it measures plans as recordings grow, from few attempts on.
//
// With -noise it measures recordings in which something goes wrong.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"stripswm/models/traces"
	"stripswm/models/traces/check"
	"stripswm/models/worlds"
)

// queries is how many plans are made a seed.
const queries = 100

func main() {
	list := flag.String("seeds", "1,2,3", "seeds of the random policy, separated by commas")
	only := flag.String("world", "", "measure only worlds whose name begins so")
	planning := flag.Bool("plan", false, "measure planning in learned models, and nothing else")
	noise := flag.Bool("noise", false, "measure recordings with wrong labels, failing skills and "+
		"unmarked changes, and nothing else")
	curve := flag.Bool("curve", false, "measure plans as recordings grow, and nothing else")
	flag.Parse()
	seeds, err := worlds.ParseNumbers(*list)
	if err != nil {
		fail(fmt.Errorf("seeds %w", err))
	}
	if *curve {
		if err := curves(seeds, *only); err != nil {
			fail(err)
		}
		return
	}
	if *noise {
		if err := noisy(seeds, *only); err != nil {
			fail(err)
		}
		return
	}
	if *planning {
		if err := plans(seeds, *only); err != nil {
			fail(err)
		}
		return
	}
	if err := quality(seeds, *only); err != nil {
		fail(err)
	}
	if err := cost(*only); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "bench:", err)
	os.Exit(1)
}

func quality(seeds []uint64, only string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "world\tstates\tactions\tattempts\tfacts\tderived\tprecision %\trecall %"+
		"\tuntrue\tplans %\t")
	for _, c := range []struct {
		world    *worlds.World
		attempts []int
	}{
		{worlds.Table(5, 7), []int{1000, 1500, 3000}},
		{worlds.Blocks(), []int{500, 1000}},
		{worlds.Hanoi(3), []int{500, 1000, 3000}},
		{worlds.Hanoi(4), []int{1500, 3000, 6000}},
		{worlds.KeyDoor(), []int{3000, 6000, 12000}},
		{worlds.Fixture(2, 3), []int{2000, 3000, 6000}},
		{worlds.Vehicles(2, 5, 3), []int{3000, 4000, 6000}},
		{worlds.Kitchen(4, 3, 2), []int{1500, 3000, 6000}},
		{worlds.Gripper(4, 3), []int{1500, 3000, 6000}},
	} {
		for _, n := range c.attempts {
			if strings.HasPrefix(c.world.Name, only) {
				if err := row(w, c.world, n, seeds); err != nil {
					return err
				}
			}
		}
	}
	return w.Flush()
}

// row measures one world and number of attempts.
func row(w *tabwriter.Writer, world *worlds.World, attempts int, seeds []uint64) error {
	var facts, derived, untrue, states int
	var precision, recall float64
	var plans []string
	for _, seed := range seeds {
		r, err := learn(world, attempts, seed)
		if err != nil {
			return err
		}
		for _, p := range r.Model.Predicates {
			if p.Members == nil {
				facts++
			} else {
				derived++
			}
		}
		s, err := world.Compare(r.Model.Operators, r.State(0), queries, seed)
		if err != nil {
			return err
		}
		states, untrue = s.States, untrue+s.Untrue
		precision, recall = precision+s.Precision, recall+s.Recall
		plans = append(plans, fmt.Sprintf("%.0f", 100*s.Plans))
	}
	n := float64(len(seeds))
	_, err := fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%d\t%s\t\n", world.Name, states,
		len(world.Operators), attempts, float64(facts)/n, float64(derived)/n, 100*precision/n,
		100*recall/n, untrue, strings.Join(plans, " "))
	return err
}

// learn learns and checks.
func learn(world *worlds.World, attempts int, seed uint64) (*traces.Result, error) {
	trace := [][]traces.Attempt{world.Record(attempts, seed, worlds.Noise{})}
	r, err := traces.Learn(len(world.Operators), trace, traces.Options{})
	if err != nil {
		return nil, err
	}
	if len(r.Report.Cut) > 0 {
		fmt.Printf("%s, seed %d: not enough steps for %v\n", world.Name, seed, r.Report.Cut)
	}
	_, faults := check.Model(trace, r.Model)
	if len(faults) > 0 {
		return nil, fmt.Errorf("%s, %d attempts, seed %d: %d faults, the first: %w",
			world.Name, attempts, seed, len(faults), faults[0])
	}
	return r, nil
}

// cost measures large recordings, with the limits that the design sets.
func cost(only string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\nworld\tactions\tattempts\tpredicates\tseconds\t% of the limit\t")
	for _, c := range []struct {
		world    *worlds.World
		attempts int
		limit    time.Duration
	}{
		{worlds.Table(5, 7), 12_000, 2 * time.Second},
		{worlds.Fixture(2, 3), 12_000, 2 * time.Second},
		{worlds.Table(10, 25), 100_000, time.Minute},
		{worlds.Vehicles(4, 5, 12), 100_000, time.Minute},
	} {
		if !strings.HasPrefix(c.world.Name, only) {
			continue
		}
		trace := [][]traces.Attempt{c.world.Record(c.attempts, 1, worlds.Noise{})}
		began := time.Now()
		r, err := traces.Learn(len(c.world.Operators), trace, traces.Options{})
		if err != nil {
			return err
		}
		took := time.Since(began)
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%.2f\t%.1f\t\n", c.world.Name, len(c.world.Operators),
			c.attempts, len(r.Model.Predicates), took.Seconds(), 100*took.Seconds()/c.limit.Seconds())
		if len(r.Report.Cut) > 0 {
			fmt.Fprintf(w, "cut: %v\t\t\t\t\t\t\n", r.Report.Cut)
		}
	}
	return w.Flush()
}
