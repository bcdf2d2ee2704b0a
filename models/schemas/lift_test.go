package schemas_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stripswm/models/schemas"
	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/worlds"
)

// learned is what is learned of a world from random attempts, and a state of it.
func learned(t tester, w *worlds.World, attempts int) (*strips.Model, strips.State) {
	r, err := traces.Learn(len(w.Operators),
		[][]traces.Attempt{w.Record(attempts, 1, worlds.Noise{})}, traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, o := range w.Operators {
		names = append(names, o.Name)
	}
	m, err := r.Model.Strips(names)
	if err != nil {
		t.Fatal(err)
	}
	return m, r.State(0)
}

// walk visits states from a start, with jumps to any vector.
func walk(m *strips.Model, start strips.State, steps int, rng *rand.Rand) (states []strips.State) {
	s := start
	for range steps {
		states = append(states, s)
		var next []strips.State
		for a := range strips.ActionID(m.Actions()) {
			if to, applies := m.Successor(s, a+1); applies {
				next = append(next, to)
			}
		}
		switch {
		case rng.IntN(4) == 0:
			values := make([]bool, m.Predicates)
			for i := range values {
				values[i] = rng.IntN(2) == 0
			}
			states = append(states, strips.StateOf(values))
		case len(next) == 0 || rng.IntN(20) == 0:
			s = start
		default:
			s = next[rng.IntN(len(next))]
		}
	}
	return states
}

func lifted(t tester, m *strips.Model) *schemas.Lifted {
	l, err := schemas.Lift(m)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The grid behind the ids is that of the world, as it is and as it is learned from attempts.
func TestWorlds(t *testing.T) {
	for _, c := range []struct {
		world            *worlds.World
		attempts         int      // 0: as it is
		groups           [][2]int // how many of how many literals
		objects, schemas []int    // by sort; operators
		alone            int
	}{
		{worlds.Table(5, 7), 0, [][2]int{{8, 6}, {5, 8}}, []int{5, 7}, []int{35, 35}, 0},
		{worlds.Table(5, 7), 1500, [][2]int{{8, 6}, {5, 8}}, []int{5, 7}, []int{35, 35}, 0},
		{worlds.RealTable(), 3000, [][2]int{{3, 5}, {6, 6}, {1, 7}, {3, 8}}, []int{5, 7},
			[]int{32, 32}, 0},
		{worlds.Kitchen(4, 3, 2), 0, [][2]int{{1, 5}, {4, 6}}, []int{4, 3},
			[]int{12, 12, 4, 4, 4, 4, 3, 3}, 0},
		{worlds.Kitchen(4, 3, 2), 1500, [][2]int{{1, 5}, {4, 6}}, []int{4, 3},
			[]int{12, 12, 4, 4, 4, 4, 3, 3}, 0},
		{worlds.Vehicles(2, 5, 3), 0, [][2]int{{2, 5}, {3, 7}}, []int{3, 5, 2}, []int{40, 30, 30}, 0},
		{worlds.Vehicles(2, 5, 3), 6000, [][2]int{{2, 5}, {3, 7}}, []int{3, 5, 2},
			[]int{40, 30, 30}, 0},
		{worlds.Gripper(4, 3), 0, [][2]int{{1, 3}, {6, 5}}, []int{2, 4, 3}, []int{4, 24, 24}, 0},
		{worlds.Gripper(4, 3), 6000, [][2]int{{1, 3}, {6, 5}}, []int{4, 2, 3}, []int{4, 24, 24}, 0},
		{worlds.Blocks(), 0, [][2]int{{3, 4}}, []int{3}, []int{3, 3, 2, 2, 2, 2}, 4},
		{worlds.Blocks(), 1000, [][2]int{{6, 3}, {1, 10}}, []int{3, 3}, []int{3, 3, 3, 3, 3, 3}, 0},
		{worlds.Puzzle(2, 3), 0, [][2]int{{11, 6}}, []int{5, 6}, []int{70}, 0},
		{worlds.Puzzle(2, 3), 4000, [][2]int{{1, 4}, {11, 6}}, []int{5, 6}, []int{35, 35}, 0},
		{worlds.Moves(4, 6), 0, [][2]int{{6, 4}, {4, 6}}, []int{4, 6}, []int{24}, 0},
		{worlds.KeyDoor(), 0, [][2]int{{1, 8}, {1, 9}}, []int{7}, []int{6, 3, 3, 2, 2, 7, 7}, 6},
		{worlds.KeyDoor(), 6000, [][2]int{{3, 3}, {1, 4}, {1, 6}, {1, 8}}, []int{6},
			[]int{6, 3, 3, 6, 6}, 12},
		{worlds.Hanoi(4), 0, [][2]int{{4, 3}}, nil, nil, 24},
		{worlds.Hanoi(4), 3000, [][2]int{{4, 3}}, nil, nil, 24},
	} {
		t.Run(fmt.Sprint(c.world.Name, " ", c.attempts), func(t *testing.T) {
			m, start := c.world.Model()
			if c.attempts > 0 {
				m, start = learned(t, c.world, c.attempts)
			}
			l := lifted(t, m)
			var groups [][2]int
			for _, g := range l.Groups {
				at := slices.IndexFunc(groups, func(x [2]int) bool { return x[1] == len(g.Literals) })
				if at < 0 {
					at, groups = len(groups), append(groups, [2]int{0, len(g.Literals)})
				}
				groups[at][0]++
			}
			slices.SortFunc(groups, func(x, y [2]int) int { return x[1] - y[1] })
			var objects, operators []int
			for _, s := range l.Sorts {
				objects = append(objects, len(s.Objects))
			}
			for _, s := range l.Schemas {
				operators = append(operators, s.Operators)
			}
			alone := 0
			for _, a := range l.Actions {
				if a.Alone {
					alone++
				}
			}
			if diff := cmp.Diff(c.groups, groups); diff != "" {
				t.Errorf("groups: %v", groups)
			}
			if !slices.Equal(c.objects, objects) || !slices.Equal(c.schemas, operators) ||
				c.alone != alone {
				t.Errorf("objects %v, schemas %v, %d alone", objects, operators, alone)
			}
			d := written(t, l)
			for _, s := range walk(m, start, 20, rand.New(rand.NewPCG(1, 1))) {
				same(t, m, l, d, s)
			}
		})
	}
}

// damage takes literals of operators away, one each.
func damage(m *strips.Model, operators int, rng *rand.Rand) (damaged []int) {
	for _, i := range rng.Perm(len(m.Operators))[:operators] {
		o := &m.Operators[i]
		masks := []*[]strips.Predicate{&o.PrePos, &o.PreNeg, &o.Add, &o.Del}
		masks = slices.DeleteFunc(masks, func(k *[]strips.Predicate) bool { return len(*k) == 0 })
		mask := masks[rng.IntN(len(masks))]
		at := rng.IntN(len(*mask))
		*mask = slices.Delete(slices.Clone(*mask), at, at+1)
		damaged = append(damaged, i)
	}
	return damaged
}

// Operators that lack a literal are as the model has them. In most worlds the others are pooled.
func TestDamaged(t *testing.T) {
	for _, c := range []struct {
		world  *worlds.World
		pooled bool
	}{
		{worlds.Table(5, 7), true}, {worlds.Vehicles(2, 5, 3), true}, {worlds.Gripper(4, 3), true},
		{worlds.Puzzle(2, 3), true}, {worlds.Kitchen(4, 3, 2), false}, {worlds.Moves(4, 6), false},
		{worlds.KeyDoor(), false},
	} {
		for seed := range uint64(3) {
			rng := rand.New(rand.NewPCG(seed, 1))
			m, start := c.world.Model()
			damaged := damage(m, 3, rng)
			l := lifted(t, m)
			alone := 0
			for i, a := range l.Actions {
				if a.Alone && !slices.Contains(damaged, i) {
					alone++
				}
			}
			if alone > 1 && c.pooled { // such as the one that undoes a damaged one
				t.Errorf("%s, seed %d: %d operators that lack nothing are alone", c.world.Name, seed, alone)
			}
			d := written(t, l)
			for _, s := range walk(m, start, 10, rng) {
				same(t, m, l, d, s)
			}
		}
	}
}

// variants is a robot that moves objects to places from wherever they are, and switches lamps: one
// id has an operator for each place or state.
func variants(objects, places, lamps int) *strips.Model {
	m := &strips.Model{Predicates: objects*places + lamps}
	at := func(o, p int) []strips.Predicate {
		return []strips.Predicate{strips.Predicate(o*places + p)}
	}
	for o := range objects {
		for to := range places {
			id := strips.ActionID(o*places + to + 1)
			for from := range places {
				if from == to {
					continue
				}
				op := strips.Operator{Action: id, Name: fmt.Sprintf("move_o%d_p%d", o, to),
					PrePos: at(o, from), Add: at(o, to), Del: at(o, from)}
				for other := range objects {
					op.PreNeg = append(op.PreNeg, at(other, to)...)
				}
				m.Operators = append(m.Operators, op)
			}
		}
	}
	for lamp := range lamps {
		op := strips.Operator{Action: strips.ActionID(objects*places + lamp + 1),
			Name: fmt.Sprintf("switch_l%d", lamp)}
		on := []strips.Predicate{strips.Predicate(objects*places + lamp)}
		off := op
		op.PreNeg, op.Add, off.PrePos, off.Del = on, on, on, on
		m.Operators = append(m.Operators, op, off)
	}
	return m
}

func TestVariants(t *testing.T) {
	m := variants(3, 4, 5)
	l := lifted(t, m)
	var got []string
	for _, s := range l.Schemas {
		got = append(got, fmt.Sprint(s.Name, " ", s.Operators, " ", s.Sorts))
	}
	want := []string{"move 36 [sort1 sort2 sort2]", "switch 5 [sort3]", "switch_2 5 [sort3]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	d := written(t, l)
	start := strips.NewState(m.Predicates, 0, 5, 10)
	for _, s := range walk(m, start, 50, rand.New(rand.NewPCG(1, 1))) {
		same(t, m, l, d, s)
	}
	a := l.Actions[0]
	if a.ID != 1 || a.Label != "move_o0_p0" || a.Name != "move" || a.Objects[0] != "o0" {
		t.Errorf("%+v", a)
	}
}

// Any model comes back, in all of its states: with variants that overlap and disagree, and toggles.
func TestAnyModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &strips.Model{Predicates: rapid.IntRange(0, 5).Draw(t, "m")}
		masks := func(n int) [][]strips.Predicate {
			all := make([][]strips.Predicate, n+1)
			for p := range strips.Predicate(m.Predicates) {
				k := rapid.IntRange(0, n).Draw(t, "mask")
				all[k] = append(all[k], p)
			}
			return all[:n]
		}
		for a := range rapid.IntRange(1, 6).Draw(t, "actions") {
			for range rapid.IntRange(1, 2).Draw(t, "variants") {
				pre, effect := masks(2), masks(3)
				m.Operators = append(m.Operators, strips.Operator{Action: strips.ActionID(a + 1),
					Name: fmt.Sprint("act ", a), PrePos: pre[0], PreNeg: pre[1], Add: effect[0],
					Del: effect[1], Toggle: effect[2]})
			}
		}
		l, err := schemas.Lift(m)
		if err != nil {
			t.Fatal(err)
		}
		d := written(t, l)
		for i := range 1 << m.Predicates {
			values := make([]bool, m.Predicates)
			for p := range values {
				values[p] = i>>p&1 == 1
			}
			same(t, m, l, d, strips.StateOf(values))
		}
	})
}

// What a model refuses in single states is in no schema.
func TestRefusals(t *testing.T) {
	m := variants(2, 2, 1)
	m.States = []strips.Known{{Node: 0, Code: strips.NewState(m.Predicates, 0, 3)}}
	m.Exceptions = []strips.Exception{{Node: 0, Action: 5}}
	if _, err := schemas.Lift(m); err == nil || !strings.Contains(err.Error(), "1 single state") {
		t.Error(err)
	}
	m.Exceptions[0].Shared = true
	if _, err := schemas.Lift(m); err != nil {
		t.Error(err)
	}
}
