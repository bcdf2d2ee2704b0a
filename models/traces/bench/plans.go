package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/worlds"
)

// breadth bounds the states of breadth-first search, and tries those of LM-cut.
const breadth, tries = 100_000, 2_000

// plans measures planning in learned models: from the last state of the recording to states that
// a random policy of the world is in 200 successes later.
func plans(seeds []uint64, only string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\nworld\tattempts\tsearch\tsolved\treach the goal\tmedian ms\tmax ms\tsteps"+
		"\tlongest\tsteps / shortest\tshortest proved\t")
	for _, c := range []struct {
		world    *worlds.World
		attempts int
		whole    bool // small enough for breadth-first search
	}{
		{worlds.Table(5, 7), 3000, true},
		{worlds.Hanoi(4), 6000, true},
		{worlds.KeyDoor(), 12000, true},
		{worlds.Fixture(2, 3), 6000, true},
		{worlds.Vehicles(2, 5, 3), 6000, true},
		{worlds.Kitchen(4, 3, 2), 6000, true},
		{worlds.Table(10, 12), 20_000, false},
		{worlds.Vehicles(4, 5, 12), 100_000, false},
	} {
		if strings.HasPrefix(c.world.Name, only) {
			if err := planRows(w, c.world, c.attempts, c.whole, seeds); err != nil {
				return err
			}
		}
	}
	return w.Flush()
}

// tally is what one search did.
type tally struct {
	asked, solved, reached, proved int
	took                           []time.Duration
	steps, longest                 int
	compared, shortest             int // steps where breadth-first search found a plan, too
}

// planRows measures one world: 20 queries a seed.
func planRows(w *tabwriter.Writer, world *worlds.World, attempts int, whole bool,
	seeds []uint64) error {
	names := []string{"breadth-first", "LM-cut", "greedy"}
	all := make([]tally, len(names))
	for _, seed := range seeds {
		r, err := learn(world, attempts, seed)
		if err != nil {
			return err
		}
		model, err := r.Model.Strips(nil)
		if err != nil {
			return err
		}
		p, err := planner.New(model)
		if err != nil {
			return err
		}
		rng := rand.New(rand.NewPCG(seed, 0x91a5))
		at, code := world.Start, r.State(0)
		for range 20 {
			to, goal, ok := wander(world, model, at, code, rng)
			if !ok {
				return fmt.Errorf("%s, seed %d: the model has no operator for a success", world.Name, seed)
			}
			best := 0
			for i := range names {
				if i == 0 && !whole {
					continue
				}
				limits := planner.Limits{States: []int{breadth, tries, 0}[i], Time: 10 * time.Second}
				with := []planner.Algorithm{planner.BreadthFirst, planner.LandmarkCut, planner.Greedy}[i]
				found, err := p.Find(context.Background(), code, goal, with, limits)
				if err != nil {
					return err
				}
				if i == 0 {
					best = len(found.Plan)
				}
				all[i].add(found, world.Leads(at, to, found.Plan), best)
			}
			at, code = to, goal
		}
	}
	for i, t := range all {
		if t.asked > 0 {
			t.print(w, fmt.Sprintf("%s\t%d\t%s", world.Name, attempts, names[i]))
		}
	}
	return nil
}

func (t *tally) add(r planner.Result, reached bool, best int) {
	t.asked++
	t.took = append(t.took, r.Elapsed)
	if r.Outcome != planner.Found {
		return
	}
	t.solved++
	n := len(r.Plan)
	t.steps, t.longest = t.steps+n, max(t.longest, n)
	if reached {
		t.reached++
	}
	if r.Shortest {
		t.proved++
	}
	if best > 0 {
		t.compared, t.shortest = t.compared+n, t.shortest+best
	}
}

func (t *tally) print(w *tabwriter.Writer, head string) {
	slices.Sort(t.took)
	ratio := "-"
	if t.shortest > 0 {
		ratio = fmt.Sprintf("%.3f", float64(t.compared)/float64(t.shortest))
	}
	percent := func(n int) string { return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(t.asked)) }
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d.Microseconds())/1000) }
	fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%.1f\t%d\t%s\t%s\t\n", head, percent(t.solved),
		percent(t.reached), ms(t.took[len(t.took)/2]), ms(t.took[len(t.took)-1]),
		float64(t.steps)/float64(max(t.solved, 1)), t.longest, ratio, percent(t.proved))
}

// wander follows a random policy for 200 successes, in the world and, by effects alone, in the
// model.
func wander(world *worlds.World, m *strips.Model, at worlds.State, code strips.State,
	rng *rand.Rand) (worlds.State, strips.State, bool) {
	for range 200 {
		var apply []int
		for a := range world.Operators {
			if world.Operators[a].Applies(at) {
				apply = append(apply, a)
			}
		}
		a := apply[rng.IntN(len(apply))]
		variants := m.Variants(strips.ActionID(a + 1))
		if len(variants) == 0 {
			return at, code, false
		}
		at, code = world.Operators[a].Apply(at), variants[0].Apply(code)
	}
	return at, code, true
}
