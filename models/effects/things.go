package effects

import (
	"cmp"
	"context"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// things tells apart where a thing is and what it looks like, where it may look one of several ways
// at each place, such as painted or not. Of the looks that one thing has at a place it makes one
// look, and of what it looks like wherever it is a variable of its own. Otherwise to move it would
// be a variant for each way it looks, and to paint it one for each place. What leaves as many facts
// that skills change in some states only is left as it is.
func (c *changes) things(ctx context.Context, all []Variable, price float64) ([]Variable, error) {
	f := c.follow(all)
	apart := slices.Clone(all)
	for _, states := range f.things() {
		apart = append(apart, f.takeOut(apart, states))
	}
	if len(apart) == len(all) || c.depending(apart) >= c.depending(all) {
		return all, nil
	}
	for i := range apart {
		apart[i].compact()
	}
	return c.foretold(ctx, c.distinct(apart, price))
}

// depending counts pairs of a fact and a skill that changes it in some states only.
func (c *changes) depending(all []Variable) (n int) {
	r := &Result{Variables: all}
	for v := range all {
		for look := range all[v].Looks {
			for _, own := range c.of {
				n += number(r.done(Fact{Variable: v, Look: look}, own) == depends)
			}
		}
	}
	return n
}

// lookAt is one look of a variable.
type lookAt struct{ variable, look int }

// follower follows things from place to place.
type follower struct {
	*changes
	all   []Variable
	empty []int // by variable: its look where no thing is
	// moves counts successes that take the first look from its place, and bring the other one.
	moves map[[2]lookAt]float64
	// states are looks of several places that become one another when something moves: a thing that
	// looks one way, at all places where it was seen.
	states [][]lookAt
	state  map[lookAt]int
	// doubtful looks become several states elsewhere: these look alike at one place.
	doubtful map[lookAt]bool
}

func (c *changes) follow(all []Variable) *follower {
	f := &follower{changes: c, all: all, moves: map[[2]lookAt]float64{}, state: map[lookAt]int{},
		doubtful: map[lookAt]bool{}}
	for i := range all {
		f.empty = append(f.empty, c.mostChanged(&all[i]))
	}
	for _, own := range c.of {
		for _, e := range own {
			var taken, brought []lookAt
			for i, v := range all {
				switch b, a := v.Before[e], v.After[e]; {
				case min(a, b) < 0 || a == b:
				case a == f.empty[i]:
					taken = append(taken, lookAt{i, b})
				case b == f.empty[i]:
					brought = append(brought, lookAt{i, a})
				}
			}
			for _, l := range taken {
				for _, m := range brought {
					f.moves[[2]lookAt{l, m}]++
				}
			}
		}
	}
	f.join()
	f.doubt()
	return f
}

// mostChanged is the look that most changes of a variable are from or to.
func (c *changes) mostChanged(v *Variable) int {
	changes := make([]int, v.Looks)
	for _, own := range c.of {
		for _, e := range own {
			if b, a := v.Before[e], v.After[e]; min(a, b) >= 0 && a != b {
				changes[a]++
				changes[b]++
			}
		}
	}
	return slices.Index(changes, slices.Max(changes))
}

// join finds the states. The looks of two places that nearly always become one another are joined
// first; a thing that looks one way has one look at each place.
func (f *follower) join() {
	type between struct {
		lookAt
		other int // variable
	}
	n := map[between]float64{}
	for pair, times := range f.moves {
		n[between{pair[0], pair[1].variable}] += times
		n[between{pair[1], pair[0].variable}] += times
	}
	type link struct {
		pair  [2]lookAt
		share float64 // of the moves between the two places, less where these are few
	}
	var links []link
	for p, times := range f.moves {
		links = append(links, link{p, times / (1 + n[between{p[0], p[1].variable}]) *
			times / (1 + n[between{p[1], p[0].variable}])})
	}
	slices.SortFunc(links, func(x, y link) int {
		return cmp.Or(cmp.Compare(y.share, x.share),
			cmp.Compare(x.pair[0].variable, y.pair[0].variable),
			cmp.Compare(x.pair[0].look, y.pair[0].look),
			cmp.Compare(x.pair[1].variable, y.pair[1].variable),
			cmp.Compare(x.pair[1].look, y.pair[1].look))
	})
	for _, l := range links {
		for _, m := range l.pair {
			if _, known := f.state[m]; !known {
				f.state[m] = len(f.states)
				f.states = append(f.states, []lookAt{m})
			}
		}
		x, y := f.state[l.pair[0]], f.state[l.pair[1]]
		if slices.ContainsFunc(f.states[y], func(m lookAt) bool { return f.has(x, m.variable) }) {
			continue // among these are those that are joined
		}
		for _, m := range f.states[y] {
			f.state[m] = x
		}
		f.states[x], f.states[y] = append(f.states[x], f.states[y]...), nil
	}
}

// has says whether a state was seen at the place of a variable.
func (f *follower) has(state, variable int) bool {
	return slices.ContainsFunc(f.states[state], func(m lookAt) bool { return m.variable == variable })
}

// doubt finds the doubtful looks.
func (f *follower) doubt() {
	own, others := map[lookAt]float64{}, map[lookAt]float64{}
	for pair, times := range f.moves {
		for end, l := range pair {
			other := pair[1-end]
			switch state := f.state[l]; {
			case f.state[other] == state:
				own[l] += times
			case f.has(state, other.variable):
				others[l] += times
			}
		}
	}
	for l, times := range others {
		chance := distuv.Binomial{N: own[l] + times, P: mostSurprises}
		f.doubtful[l] = chance.Survival(times-1) < falsePlaces
	}
}

// things are the states of each thing that has several: some skill brings both to one place, and
// they are never there at the same time.
func (f *follower) things() (all [][]int) {
	seen, both, n := make([]float64, len(f.states)), map[[2]int]float64{}, 0.0
	brought := map[[2]int]bool{} // pairs of states, to one place by one skill
	for _, own := range f.of {
		times := map[lookAt]int{}
		for _, e := range own {
			there := f.there(e)
			for k, x := range there {
				seen[x]++
				for _, y := range there[:k] {
					both[[2]int{y, x}]++
				}
			}
			n++
			for i, v := range f.all {
				if v.Before[e] >= 0 && v.Before[e] != v.After[e] {
					times[lookAt{i, v.After[e]}]++
				}
			}
		}
		for l := range times {
			for m := range times {
				x, known := f.state[l]
				y, too := f.state[m]
				if l.variable == m.variable && known && too && x < y &&
					min(times[l], times[m]) >= fewOfVariant {
					brought[[2]int{x, y}] = true
				}
			}
		}
	}
	var pairs [][2]int
	for pair := range brought {
		pairs = append(pairs, pair)
	}
	slices.SortFunc(pairs, func(p, q [2]int) int { // those first that are seen most
		return cmp.Or(cmp.Compare(min(seen[q[0]], seen[q[1]]), min(seen[p[0]], seen[p[1]])),
			cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1]))
	})
	thing := make([][]int, len(f.states)) // by state: those of its thing
	for s := range thing {
		thing[s] = []int{s}
	}
	for _, pair := range pairs {
		x, y := thing[pair[0]], thing[pair[1]]
		if slices.Contains(x, pair[1]) {
			continue
		}
		var meet meeting
		for _, s := range x {
			for _, t := range y {
				meet.seen += both[[2]int{min(s, t), max(s, t)}]
				meet.expected += seen[s] * seen[t] / n
			}
		}
		if meet.expected < exclusive || meet.seen > seldom*meet.expected {
			continue
		}
		joined := slices.Concat(x, y)
		slices.Sort(joined)
		for _, s := range joined {
			thing[s] = joined
		}
	}
	for s, states := range thing {
		several := 0
		for _, t := range states {
			several += number(len(f.states[t]) > 1)
		}
		if states[0] == s && several > 1 {
			all = append(all, states)
		}
	}
	return all
}

// there are the states that are surely seen after a success, ascending.
func (f *follower) there(e int) (states []int) {
	for i, v := range f.all {
		l := lookAt{i, v.After[e]}
		if s, known := f.state[l]; known && !f.doubtful[l] && !slices.Contains(states, s) {
			states = append(states, s)
		}
	}
	slices.Sort(states)
	return states
}

// takeOut makes one look of those that a thing has at each place. What is never seen to move from
// there or to there is not clear. It returns the variable of the thing's states: 0 where it is
// nowhere.
func (f *follower) takeOut(all []Variable, states []int) Variable {
	own := map[lookAt]int{} // looks of the thing: its state from 1, or 0 where that is not clear
	first := make([]int, len(f.all))
	for i := range first {
		first[i] = -1 // the least of its looks at each place
	}
	for k, s := range states {
		for _, l := range f.states[s] {
			own[l] = k + 1
			if f.doubtful[l] || len(f.states[s]) == 1 {
				own[l] = 0
			}
			if first[l.variable] < 0 || l.look < first[l.variable] {
				first[l.variable] = l.look
			}
		}
	}
	state := Variable{Looks: len(states) + 1, Before: f.seen(own, first, 0),
		After: f.seen(own, first, 1)}
	for i := range f.all {
		if first[i] < 0 {
			continue
		}
		v := &all[i]
		state.Cells = append(state.Cells, v.Cells...)
		v.Before, v.After = slices.Clone(v.Before), slices.Clone(v.After)
		for end, of := range [][]int{v.Before, v.After} {
			for e, look := range f.looks(i, end) {
				if _, is := own[lookAt{i, look}]; is {
					of[e] = first[i]
				} else if look >= 0 && f.strange(lookAt{i, look}) {
					of[e] = -1
				}
			}
		}
	}
	slices.Sort(state.Cells)
	state.Cells = slices.Compact(state.Cells)
	return state
}

// looks are those of a variable before (0) or after (1) attempts.
func (f *follower) looks(variable, end int) []int {
	return [][]int{f.all[variable].Before, f.all[variable].After}[end]
}

// strange says that a look never moves from its place or to it.
func (f *follower) strange(l lookAt) bool {
	_, known := f.state[l]
	return !known && l.look != f.empty[l.variable]
}

// seen are the states of a thing before (0) or after (1) attempts, from its looks at some places.
func (f *follower) seen(own map[lookAt]int, places []int, end int) []int {
	all := make([]int, len(f.all[0].Before))
	for e := range all {
		unclear, several := false, false
		for i := range places {
			if places[i] < 0 {
				continue
			}
			l := lookAt{i, f.looks(i, end)[e]}
			switch s, is := own[l]; {
			case is && s > 0:
				several = several || all[e] > 0 && all[e] != s
				all[e] = s
			case is || l.look < 0 || f.strange(l) || f.doubtful[l]:
				unclear = true
			}
		}
		if several || unclear && all[e] == 0 {
			all[e] = -1
		}
	}
	return all
}
