package compare

import (
	"fmt"
	"maps"
	"slices"

	"stripswm/nodes/eval"
	"stripswm/nodes/eval/report"
)

// Axis is what success is compared over.
type Axis string

// The axes: the length of the shortest path, and the number of recorded transitions.
const (
	Horizon     Axis = "horizon"
	Transitions Axis = "transitions"
)

// Axes lists them.
func Axes() []string { return []string{string(Horizon), string(Transitions)} }

// World is what the methods come to in one.
type World struct {
	Name    string   `json:"name"`
	Seeds   []uint64 `json:"seeds"`
	Methods []Method `json:"methods"` // the same in every world, without points where no run has them
}

// Method is one method's success, over all and by the axis.
type Method struct {
	Name   string  `json:"name"`
	All    Success `json:"all"`
	Points []Point `json:"points"`
}

// Point is the success at one place of the axis.
type Point struct {
	X int `json:"x"`
	Success
}

// Success counts distinct pairs of start and goal, over the seeds.
type Success struct {
	Runs   int     `json:"runs"`
	Pairs  int     `json:"pairs"`
	Solved int     `json:"solved"` // every time that they were asked for
	Low    float64 `json:"low"`    // Wilson's 95 % interval, per cent
	High   float64 `json:"high"`
}

// Percent is the share that is solved.
func (s Success) Percent() float64 {
	if s.Pairs == 0 {
		return 0
	}
	return 100 * float64(s.Solved) / float64(s.Pairs)
}

func (s *Success) add(pairs, solved int) {
	s.Runs++
	s.Pairs, s.Solved = s.Pairs+pairs, s.Solved+solved
	s.Low, s.High = report.Wilson(s.Solved, s.Pairs)
}

// Compare pools runs by world and method. Worlds come in the order in which they are named,
// all of them by name where none is.
func Compare(runs []Run, worlds []string, over Axis) ([]World, error) {
	have := worldsOf(runs)
	if len(worlds) == 0 {
		worlds = have
	}
	methods := methodsOf(runs)
	var all []World
	for _, name := range worlds {
		if !slices.Contains(have, name) {
			return nil, fmt.Errorf("%w: there is none of %s, but of %v", ErrRuns, name, have)
		}
		w := World{Name: name}
		for _, m := range methods {
			w.Methods = append(w.Methods, pool(runs, name, m, over))
		}
		for _, r := range runs {
			if r.World == name && !slices.Contains(w.Seeds, r.Seed) {
				w.Seeds = append(w.Seeds, r.Seed)
			}
		}
		slices.Sort(w.Seeds)
		all = append(all, w)
	}
	return all, nil
}

// pool adds up what a method came to in the runs of a world.
func pool(runs []Run, world, method string, over Axis) Method {
	all := Method{Name: method, Points: []Point{}}
	at := map[int]*Success{}
	add := func(x int, h ...eval.Horizon) {
		if at[x] == nil {
			at[x] = &Success{}
		}
		at[x].add(sum(h))
	}
	for _, r := range runs {
		i := slices.IndexFunc(r.Methods, func(m eval.Method) bool { return m.Name == method })
		if r.World != world || i < 0 {
			continue
		}
		horizons := r.Methods[i].Horizons
		all.All.add(sum(horizons))
		if over == Transitions {
			add(r.Transitions, horizons...)
			continue
		}
		for _, h := range horizons {
			add(h.Horizon, h)
		}
	}
	for _, x := range slices.Sorted(maps.Keys(at)) {
		all.Points = append(all.Points, Point{x, *at[x]})
	}
	return all
}

func sum(horizons []eval.Horizon) (pairs, solved int) {
	for _, h := range horizons {
		pairs, solved = pairs+h.Pairs, solved+h.SolvedPairs
	}
	return pairs, solved
}
