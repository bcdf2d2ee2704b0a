package sim

import (
	"fmt"
	"slices"
	"strings"

	"stripswm/models/strips"
	"stripswm/nodes/sim/scene"
)

// State is a ground-truth state of a world, 0 to NumStates()-1. The learner never sees it.
type State int

// World is a table, or a flat sheet, with opaque skills. A World has no memory: it is safe for use
// by many goroutines at once.
type World interface {
	// Name returns the name that New knows the world by.
	Name() string
	// NumStates returns how many states the world has in all.
	NumStates() int
	// NumActions returns L: actions are 1 to L.
	NumActions() int
	// Initial returns the state that a reset leads to.
	Initial() State
	// Apply returns the state after the action; ok is false, and the state unchanged, where the
	// action is refused. States and actions that do not exist are refused too.
	Apply(s State, a strips.ActionID) (next State, ok bool)
	// ActionName returns a readable name such as pick_0_3.
	ActionName(a strips.ActionID) string
	// Describe returns the state in words.
	Describe(s State) string
	// Dataset returns how much of the world the method's paper explores.
	Dataset() Dataset

	// Scene sets the table, or lays the sheet, for a state, with the nuisance that j draws. It fails
	// on a state that does not exist.
	Scene(s State, j *scene.Jitter) (*scene.Scene, error)
}

// Dataset is the size of a domain's recording (the paper's Table 1).
type Dataset struct {
	States      int // |S*|
	Actions     int // |A|
	Transitions int
}

func checkState(w World, s State) error {
	if s < 0 || int(s) >= w.NumStates() {
		return fmt.Errorf("%s has no state %d: states are 0 to %d", w.Name(), s, w.NumStates()-1)
	}
	return nil
}

// ActionNames are those of a world's actions 1, 2, ....
func ActionNames(w World) []string {
	names := make([]string, w.NumActions())
	for i := range names {
		names[i] = w.ActionName(strips.ActionID(i + 1))
	}
	return names
}

// worlds has a maker for each name. A world's own file adds it, so that a new world
// is one file: names, help texts, SDF and the tests of all worlds go by this map.
var worlds = map[string]func() World{}

// Names returns the names of all worlds, sorted.
func Names() []string {
	names := make([]string, 0, len(worlds))
	for name := range worlds {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// New returns the world of that name; upper case, '-' and '_' are ignored.
func New(name string) (World, error) {
	plain := strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(name))
	if make, ok := worlds[plain]; ok {
		return make(), nil
	}
	return nil, fmt.Errorf("no world %q: the worlds are %s", name, strings.Join(Names(), ", "))
}
