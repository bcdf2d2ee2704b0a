package sim

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"stripswm/models/strips"
	"stripswm/models/worlds"
	"stripswm/nodes/sim/scene"
)

// State is a ground-truth state of a world, 0 to NumStates()-1. The learner never sees it.
type State int

// World is a table, or a flat sheet, with opaque skills: rules of package worlds, and how their
// states look. A World has no memory: it is safe for use by many goroutines at once.
type World struct {
	definition
	name   string
	facts  [][]int // of each variable
	states []worlds.State
	index  map[worlds.State]State
	first  State
	skills []worlds.Skill
	fixed  *World // with fixed skills
	whole  *World // with a data set of all states
}

// Dataset is the size of a domain's recording (the paper's Table 1).
type Dataset struct {
	States      int // |S*|
	Actions     int // |A|
	Transitions int
}

// definition is what a world is made of.
type definition struct {
	dataset Dataset
	rules   func() *worlds.World
	// ids are the verbs in the order of the action ids, where it is not that of the rules; actions of
	// one verb then go by their names.
	ids []string
	// things have names in place of numbers in actions of verbs that take one.
	things []string
	// variables describe a state. Each has facts of which one holds at most.
	variables [][]string
	sorted    bool // states are numbered by their words, else as breadth-first search meets them
	describe  func(word) string
	// scene sets the table, or lays the sheet, with the nuisance that j draws.
	scene func(w word, j *scene.Jitter) (*scene.Scene, error)
	// group names the state-dependent skill that an action belongs to, where the world has such;
	// groups are their names in the order of their ids, if they are not sorted.
	group  func(action string) string
	groups []string
}

// word is a state: for each variable which of its facts holds, from 0, or none.
type word []int8

const none = -1

// makers has a maker for each name. A world's own file adds it with define, so that a new world is
// one file: names, help texts, SDF and the tests of all worlds go by this map.
var makers = map[string]func() *World{}

func define(name string, d definition) {
	makers[name] = sync.OnceValue(func() *World { return d.world(name).twin(nil) })
	if d.group != nil {
		makers[name+suffix] = sync.OnceValue(func() *World { return makers[name]().grouped() })
	}
}

// facts are name_0 to name_(n-1), as the facts of a variable.
func facts(n int, name string) []string {
	return each(n, func(k int) string { return fmt.Sprintf("%s_%d", name, k) })
}

// variables are n, of which variable k has the facts name_k_0 to name_k_(values-1).
func variables(n, values int, name string) [][]string {
	return each(n, func(k int) []string { return facts(values, fmt.Sprintf("%s_%d", name, k)) })
}

// flags are n variables with one fact each, name_k.
func flags(n int, name string) [][]string {
	return each(n, func(k int) []string { return []string{fmt.Sprintf("%s_%d", name, k)} })
}

// each returns what of says of 0 to n-1.
func each[T any](n int, of func(k int) T) []T {
	all := make([]T, n)
	for k := range all {
		all[k] = of(k)
	}
	return all
}

func (d definition) world(name string) *World {
	rules := d.rules()
	if d.ids != nil {
		slices.SortFunc(rules.Operators, func(a, b worlds.Operator) int {
			return cmp.Or(slices.Index(d.ids, verb(a.Name))-slices.Index(d.ids, verb(b.Name)),
				strings.Compare(a.Name, b.Name))
		})
	}
	w := &World{definition: d, name: name, index: map[worlds.State]State{}}
	w.states, _, _ = rules.States()
	for _, v := range d.variables {
		w.facts = append(w.facts, each(len(v), func(k int) int { return rules.Fact(v[k]) }))
	}
	if d.sorted {
		slices.SortFunc(w.states, func(a, b worlds.State) int {
			return slices.Compare(w.word(a), w.word(b))
		})
	}
	for i, s := range w.states {
		w.index[s] = State(i)
	}
	w.first = w.index[rules.Start]
	w.skills = rules.Skills()
	for i := range w.skills {
		w.skills[i].Name = d.call(w.skills[i].Name)
	}
	return w
}

func verb(action string) string {
	verb, _, _ := strings.Cut(action, "_")
	return verb
}

// call is the name of an action with the names of things.
func (d definition) call(action string) string {
	parts := strings.Split(action, "_")
	switch parts[0] {
	case "pick", "place", "move", "take", "put", "paint", "remove":
		if k, err := strconv.Atoi(parts[1]); err == nil && k < len(d.things) {
			parts[1] = d.things[k]
		}
	}
	return strings.Join(parts, "_")
}

// grouped returns the world with state-dependent skills: fewer, each of which does what the one of
// its fixed actions that applies does.
func (w *World) grouped() *World {
	c := *w
	c.skills = w.rules().Grouped(w.group, w.groups...).Skills()
	c.name, c.dataset.Actions = w.name+suffix, len(c.skills)
	return c.twin(w)
}

// twin makes the world with a data set of all its states. fixed has the fixed skills, nil where the
// world itself has.
func (w *World) twin(fixed *World) *World {
	all := *w
	all.dataset.States = len(w.states)
	w.whole, all.whole = &all, &all
	w.fixed, all.fixed = w, &all
	if fixed != nil {
		w.fixed, all.fixed = fixed, fixed.whole
	}
	return w
}

// word says what a state's variables are.
func (w *World) word(s worlds.State) word {
	return each(len(w.facts), func(v int) int8 {
		return int8(slices.IndexFunc(w.facts[v], s.Has))
	})
}

// Name returns the name that New knows the world by.
func (w *World) Name() string { return w.name }

// NumStates returns how many states the world has in all.
func (w *World) NumStates() int { return len(w.states) }

// NumActions returns L: actions are 1 to L.
func (w *World) NumActions() int { return len(w.skills) }

// Initial returns the state that a reset leads to.
func (w *World) Initial() State { return w.first }

// Dataset returns how much of the world the method's paper explores.
func (w *World) Dataset() Dataset { return w.dataset }

// Apply returns the state after the action; ok is false, and the state unchanged, where the action
// is refused. States and actions that do not exist are refused too.
func (w *World) Apply(s State, a strips.ActionID) (next State, ok bool) {
	if w.has(s) && a > 0 && int(a) <= len(w.skills) {
		if next, ok := w.skills[a-1].Apply(w.states[s]); ok {
			return w.index[next], true
		}
	}
	return s, false
}

func (w *World) has(s State) bool { return s >= 0 && int(s) < len(w.states) }

// ActionName returns a readable name such as pick_0_3.
func (w *World) ActionName(a strips.ActionID) string {
	if a < 1 || int(a) > len(w.skills) {
		return fmt.Sprintf("unknown_%d", a)
	}
	return w.skills[a-1].Name
}

// Describe returns the state in words.
func (w *World) Describe(s State) string {
	if !w.has(s) {
		return fmt.Sprintf("no state %d", s)
	}
	return w.describe(w.word(w.states[s]))
}

// Scene sets the table, or lays the sheet, for a state, with the nuisance that j draws. It fails on
// a state that does not exist.
func (w *World) Scene(s State, j *scene.Jitter) (*scene.Scene, error) {
	if !w.has(s) {
		return nil, fmt.Errorf("%s has no state %d: states are 0 to %d", w.name, s, len(w.states)-1)
	}
	return w.scene(w.word(w.states[s]), j)
}

// ActionNames are those of a world's actions 1, 2, ....
func ActionNames(w *World) []string {
	return each(len(w.skills), func(k int) string { return w.skills[k].Name })
}

// Names returns the names of all worlds, sorted.
func Names() []string { return slices.Sorted(maps.Keys(makers)) }

// New returns the world of that name; upper case, '-' and '_' are ignored.
func New(name string) (*World, error) {
	plain := strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(name))
	if make, ok := makers[plain]; ok {
		return make(), nil
	}
	return nil, fmt.Errorf("no world %q: the worlds are %s", name, strings.Join(Names(), ", "))
}

// Whole returns the world with a data set of all its states: Explored returns all states that its
// skills reach, a policy leaves no part of the world, and nothing is refused without a rule. The
// number of transitions stays that of the data set.
func Whole(w *World) *World { return w.whole }

// IsWhole says whether Whole made the world.
func IsWhole(w *World) bool { return w.whole == w }
