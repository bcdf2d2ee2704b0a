package variants

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"stripswm/models/operators/internal/bitset"
	"stripswm/models/operators/internal/work"
	"stripswm/models/taskgraph/puzzles"
)

func load(name string) *Graph {
	g := &Graph{}
	if f, err := os.Open("/tmp/v12/" + name + ".txt"); err == nil {
		var m int
		fmt.Fscan(f, &g.States, &g.Actions, &m)
		for range m {
			var e Edge
			fmt.Fscan(f, &e.Source, &e.Action, &e.Target)
			g.Edges = append(g.Edges, e)
		}
	} else {
		tg := map[string]puzzles.Puzzle{"hanoi4": puzzles.Hanoi(4), "tiles": puzzles.Tiles(2, 3), "lights": puzzles.LightsOut(3, 3)}[name].Graph()
		g.States, g.Actions = tg.NumStates(), tg.NumActions()
		for _, e := range tg.Edges {
			g.Edges = append(g.Edges, Edge{int(e.Source), int(e.Action) - 1, int(e.Target)})
		}
	}
	for _, edges := range g.of() {
		m := bitset.New(g.States)
		for s := range g.States {
			m.Set(s)
		}
		m.Remove(g.sources(edges))
		g.Missing = append(g.Missing, m)
	}
	return g
}

func TestZZ(t *testing.T) {
	name := os.Getenv("G")
	g := load(name)
	fmt.Println(name, g.States, len(g.Edges), g.Actions)
	w := work.New(context.Background(), 1<<40)
	rng := rand.New(rand.NewPCG(1, 2))
	best := 1 << 30
	began := time.Now()
	for i := 0; time.Since(began) < 20*time.Second; i++ {
		n := &encoder{g: g, w: w, rng: rng, toggles: os.Getenv("T") != ""}
		before := w.Left()
		c := n.encode(min(best+10, 1<<30))
		if c == nil {
			fmt.Println("nil", time.Since(began), before-w.Left())
			continue
		}
		fmt.Println(i, time.Since(began), "variants", len(c.variants), "columns", len(c.columns), "steps", before-w.Left())
		best = min(best, len(c.variants))
	}
}
