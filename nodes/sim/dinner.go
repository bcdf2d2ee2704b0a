package sim

import (
	"fmt"
	"strings"
	"sync"

	"stripswm/models/strips"
)

// DinnerTable's objects and placements, in the order of their numbers.
var (
	dinnerObjects = [...]string{"mug", "glass", "fork", "knife", "spoon"}
	dinnerPlaces  = [...]string{
		"back left", "back middle", "back right", "front far left", "front left", "front right",
		"front far right",
	}
)

// These stand among places for the gripper, and for an object that a world has not.
const (
	held = int8(len(dinnerPlaces)) + iota
	away
)

// layout is the place of each object, or held.
type layout [len(dinnerObjects)]int8

// setTable is where an evening begins: drinks behind, cutlery in front.
var setTable = layout{0, 2, 4, 5, 6}

// dinner is a DinnerTable: five distinct objects, seven placements for one object each, a gripper
// for one object. Its pairs (object, placement) are numbered k = 0, 1, ...; action 1 + k picks the
// object from the placement and action 1 + len(pairs) + k places it there. With all pairs that is
// pick(o,p) = 1 + 7o + p and place(o,p) = 36 + 7o + p.
type dinner struct {
	name    string
	real    bool // distractors, and the nuisance of a real rig
	dataset Dataset
	pairs   []pair
	states  []layout
	index   map[layout]State
}

type pair struct{ object, place int8 }

func init() {
	worlds["dinnertable"] = func() World { return newDinner() }
	worlds["dinnertablereal"] = func() World { return newDinnerReal() }
}

var newDinner = sync.OnceValue(func() *dinner {
	return makeDinner("dinnertable", false, Dataset{States: 101, Actions: 70, Transitions: 12000}, nil)
})

// newDinnerReal leaves out three pairs that the rig cannot do: the arm does not reach the near
// corners low enough for the glass, and the bowl is in the way of the mug's handle.
var newDinnerReal = sync.OnceValue(func() *dinner {
	unreachable := map[pair]bool{{0, 1}: true, {1, 3}: true, {1, 6}: true}
	return makeDinner("dinnertablereal", true, Dataset{States: 71, Actions: 64, Transitions: 3000},
		unreachable)
})

func makeDinner(name string, real bool, dataset Dataset, without map[pair]bool) *dinner {
	w := &dinner{name: name, real: real, dataset: dataset, index: map[layout]State{}}
	for o := range int8(len(dinnerObjects)) {
		for p := range held {
			if !without[pair{o, p}] {
				w.pairs = append(w.pairs, pair{o, p})
			}
		}
	}
	w.enumerate(layout{}, 0, 0, without)
	return w
}

// enumerate numbers all layouts in lexicographic order; the first n objects have their place.
func (w *dinner) enumerate(l layout, n int, taken uint8, without map[pair]bool) {
	if n == len(l) {
		w.index[l] = State(len(w.states))
		w.states = append(w.states, l)
		return
	}
	for p := range held + 1 {
		if taken>>p&1 == 0 && !without[pair{int8(n), p}] {
			l[n] = p
			w.enumerate(l, n+1, taken|1<<p, without)
		}
	}
}

func (w *dinner) Name() string     { return w.name }
func (w *dinner) NumStates() int   { return len(w.states) }
func (w *dinner) NumActions() int  { return 2 * len(w.pairs) }
func (w *dinner) Initial() State   { return w.index[setTable] }
func (w *dinner) Dataset() Dataset { return w.dataset }

// action splits an id; ok is false for an unknown one.
func (w *dinner) action(a strips.ActionID) (p pair, place, ok bool) {
	if a < 1 || int(a) > w.NumActions() {
		return pair{}, false, false
	}
	k := int(a) - 1
	return w.pairs[k%len(w.pairs)], k >= len(w.pairs), true
}

func (w *dinner) Apply(s State, a strips.ActionID) (State, bool) {
	p, place, ok := w.action(a)
	if !ok || s < 0 || int(s) >= len(w.states) {
		return s, false
	}
	l := w.states[s]
	if place {
		if l[p.object] != held || l.at(p.place) >= 0 {
			return s, false
		}
		l[p.object] = p.place
	} else {
		if l[p.object] != p.place || l.at(held) >= 0 {
			return s, false
		}
		l[p.object] = held
	}
	return w.index[l], true
}

// at returns the object at a place, or -1.
func (l layout) at(place int8) int {
	for o, p := range l {
		if p == place {
			return o
		}
	}
	return -1
}

func (w *dinner) ActionName(a strips.ActionID) string {
	p, place, ok := w.action(a)
	if !ok {
		return fmt.Sprintf("unknown_%d", a)
	}
	verb := "pick"
	if place {
		verb = "place"
	}
	return fmt.Sprintf("%s_%s_%d", verb, dinnerObjects[p.object], p.place)
}

func (w *dinner) Describe(s State) string {
	if s < 0 || int(s) >= len(w.states) {
		return fmt.Sprintf("no state %d", s)
	}
	return w.states[s].describe()
}

// describe says where the objects are.
func (l layout) describe() string {
	var words []string
	for o, p := range l {
		switch p {
		case away:
		case held:
			words = append(words, dinnerObjects[o]+" in the gripper")
		default:
			words = append(words, dinnerObjects[o]+" "+dinnerPlaces[p])
		}
	}
	return strings.Join(words, ", ")
}
