package eval

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"

	"stripswm/internal/files"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// labelled is a Folder as a source.
type labelled struct {
	*Folder
	options Options
}

func (f labelled) truth() *sim.Graph { return f.graph }

// apply knows no more of the world than the graph does.
func (f labelled) apply(s sim.State, a strips.ActionID) (sim.State, bool) {
	return f.graph.Next(s, a)
}

func (f labelled) knows(s sim.State, a strips.ActionID) bool {
	return f.Complete || f.tries.tell(attempted{s, a})
}

func (f labelled) strengths() []float64 { return []float64{1} }

func (f labelled) fresh(int) [][]photo { return f.images(f.tests) }

func (f labelled) photograph(sim.State, uint64, uint64) photo { return nil }

// recorded spreads the images over the recording.
func (f labelled) recorded() [][]photo {
	chosen := make([][]string, len(f.used))
	for s, files := range f.used {
		n := min(f.options.Images, len(files))
		for k := range n {
			chosen[s] = append(chosen[s], files[k*len(files)/n])
		}
	}
	return f.images(chosen)
}

func (f labelled) images(files [][]string) [][]photo {
	list := make([][]photo, len(files))
	for s := range files {
		for _, file := range files[s] {
			list[s] = append(list[s], f.image(file))
		}
	}
	return list
}

// random draws the same for the same seed.
func (f labelled) random() *rand.Rand {
	return rand.New(rand.NewPCG(f.options.Seed, streamQueries))
}

// queries are of states with test images, no pair twice.
func (f labelled) queries(perHorizon int) [][]sim.Query {
	rng := f.random()
	var drawn [][]sim.Query
	for d, pairs := range f.graph.Pairs() {
		if d == 0 {
			continue
		}
		var queries []sim.Query
		for _, k := range rng.Perm(len(pairs)) {
			if q := pairs[k]; len(queries) < perHorizon && len(f.tests[q.Start]) > 0 &&
				len(f.tests[q.Goal]) > 0 {
				queries = append(queries, q)
			}
		}
		drawn = append(drawn, queries)
	}
	return drawn
}

func (f labelled) unconnected(most int) (queries []sim.Query) {
	states := f.graph.States()
	for _, s := range states {
		paths := f.graph.Distances(s)
		for _, to := range states {
			if _, connected := paths[to]; !connected && len(f.tests[s]) > 0 && len(f.tests[to]) > 0 {
				queries = append(queries, sim.Query{Start: s, Goal: to})
			}
		}
	}
	f.random().Shuffle(len(queries), func(i, k int) {
		queries[i], queries[k] = queries[k], queries[i]
	})
	return queries[:min(most, len(queries))]
}

// pair draws a test image each.
func (f labelled) pair(n int, q sim.Query) order {
	rng := rand.New(rand.NewPCG(f.options.Seed, uint64(n)))
	draw := func(s sim.State) photo { return f.image(f.tests[s][rng.IntN(len(f.tests[s]))]) }
	return order{draw(q.Start), draw(q.Goal)}
}

func (f labelled) image(file string) photo {
	return func() (pixels.RGB, error) {
		data, err := files.Read(filepath.Join(f.dir, file), pixels.MaxFileBytes)
		if err != nil {
			return pixels.RGB{}, err
		}
		p, err := pixels.Decode(data)
		if err != nil {
			return p, fmt.Errorf("%s: %w", filepath.Join(f.dir, file), err)
		}
		return p, nil
	}
}
