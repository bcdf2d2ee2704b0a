package eval

import (
	"context"
	"fmt"
	"path/filepath"

	"stripswm/bags"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// Folder is a world that cannot be simulated: a folder of images with
// transitions.csv, as learning takes it, and truth.csv. The ground-truth graph is
// truth_graph.csv or, where there is none, what the attempts say of the true states; the
// test images are those of truth.csv that transitions.csv does not use.
type Folder struct {
	Ground
	dir         string
	graph       *sim.Graph
	tries       tries
	used, tests [][]string                 // files by state
	names       map[strips.ActionID]string // of actions that have one
}

// OpenFolder reads a folder's tables. It fails where they are malformed, name
// images that are missing, leave a recorded image without a state, or leave no
// test image.
func OpenFolder(ctx context.Context, dir string) (*Folder, error) {
	reader, err := bags.Open(dir)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	l, err := readLabels(dir)
	if err != nil {
		return nil, err
	}
	t := tries{led: map[attempted]map[sim.State]int{}, refused: map[attempted]int{}}
	f := &Folder{dir: dir, names: map[strips.ActionID]string{}, tries: t}
	used := map[string]bool{}
	for a, err := range reader.Transitions(ctx) {
		if err != nil {
			return nil, err
		}
		if err := f.attempt(a, l, used); err != nil {
			return nil, err
		}
	}
	edges, complete, err := f.readTruthGraph(l)
	if err != nil {
		return nil, err
	}
	f.used, f.tests = make([][]string, len(l.names)), make([][]string, len(l.names))
	for _, file := range l.files {
		of := &f.tests
		if used[file] {
			of = &f.used
		}
		(*of)[l.state[file]] = append((*of)[l.state[file]], file)
	}
	if len(used) == len(l.files) {
		return nil, fmt.Errorf("%s: no test images: %s uses every image that %s lists", dir,
			bags.TableName, TruthName)
	}
	states := make([]sim.State, len(l.names))
	for s := range states {
		states[s] = sim.State(s)
		if len(f.used[s]) == 0 {
			f.Unrecorded++
		}
		if len(f.tests[s]) == 0 {
			f.WithoutImage++
		}
	}
	f.graph, f.Complete = f.tries.graph(states, &f.Ground), complete
	if complete {
		f.graph = sim.Observed(states, edges)
	}
	f.countPairs()
	return f, nil
}

// countPairs counts those that no query asks for, or that no path is known between.
func (f *Folder) countPairs() {
	shown := len(f.tests) - f.WithoutImage
	f.UnconnectedPairs = shown * (shown - 1)
	for d, pairs := range f.graph.Pairs() {
		for _, q := range pairs {
			switch {
			case d == 0:
			case len(f.tests[q.Start]) == 0 || len(f.tests[q.Goal]) == 0:
				f.UnaskedPairs++
			default:
				f.UnconnectedPairs--
			}
		}
	}
}

// attempt takes down what an attempt says of the true states.
func (f *Folder) attempt(a bags.Transition, l *labels, used map[string]bool) error {
	var states [2]sim.State
	for k, im := range []bags.Image{a.Before, a.After} {
		file := im.File()
		if file == "" {
			return fmt.Errorf("%s is a bag: want a folder of images with %s", f.dir, bags.TableName)
		}
		state, known := l.state[file]
		if !known {
			return fmt.Errorf("%s has no state for %s", filepath.Join(f.dir, TruthName), im)
		}
		used[file], states[k] = true, state
	}
	action := strips.ActionID(a.Action)
	if a.Note != "" { // the action's name, in a folder
		f.names[action] = a.Note
	}
	f.Attempts++
	switch at := (attempted{states[0], action}); a.Outcome {
	case bags.Succeeded:
		f.tries.succeeded(at, states[1])
	case bags.Refused:
		f.tries.refusal(at)
	}
	return nil
}

// check says whether a bundle's actions are the folder's.
func (f *Folder) check(labels []string) error {
	if int(f.tries.highest) > len(labels) {
		return fmt.Errorf("%s has action %d, the bundle %d actions: it was learned from other skills",
			f.dir, f.tries.highest, len(labels))
	}
	for a := strips.ActionID(1); int(a) <= len(labels); a++ {
		if name, ok := f.names[a]; ok && name != labels[a-1] {
			return fmt.Errorf("action %d is %s in %s and %s in the bundle: it was learned from other skills",
				a, name, f.dir, labels[a-1])
		}
	}
	return nil
}
