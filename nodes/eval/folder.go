package eval

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"stripswm/bags"
	"stripswm/internal/files"
	"stripswm/models/pixels"
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

// attempt counts what an attempt says of the true states.
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

// Ground is what a folder's ground truth rests on.
type Ground struct {
	Attempts int `json:"attempts"`
	// A (state, action) pair succeeded, was refused every time, or nobody tried it: a plan
	// that counts on a refused one is wrong, and one that nobody tried cannot be evaluated.
	Edges   int `json:"edges"`
	Refused int `json:"refused"`
	Untried int `json:"untried"`
	// Of those that succeeded, some led to several true states, of which the one seen
	// most often counts, and some were refused at other times.
	Nondeterministic int `json:"nondeterministic"`
	SometimesRefused int `json:"sometimes_refused"`
	// Complete: truth_graph.csv lists every transition, so that every plan can be evaluated.
	Complete bool `json:"complete"`
	// Unrecorded true states are in no attempt; of those WithoutImage there is no test image,
	// so no query asks for them, nor for the UnaskedPairs that the graph connects.
	Unrecorded   int `json:"unrecorded"`
	WithoutImage int `json:"without_image"`
	UnaskedPairs int `json:"unasked_pairs"`
	// UnconnectedPairs of states with test images have no path in the graph.
	UnconnectedPairs int `json:"unconnected_pairs"`
}

// attempted is a true state and what was tried in it.
type attempted struct {
	state  sim.State
	action strips.ActionID
}

// tries counts what became of attempts.
type tries struct {
	led     map[attempted]map[sim.State]int
	refused map[attempted]int
	highest strips.ActionID
}

func (t *tries) succeeded(at attempted, to sim.State) {
	if t.led[at] == nil {
		t.led[at] = map[sim.State]int{}
	}
	t.led[at][to]++
	t.highest = max(t.highest, at.action)
}

func (t *tries) refusal(at attempted) {
	t.refused[at]++
	t.highest = max(t.highest, at.action)
}

// tell says whether the attempts tell what the action does in the state.
func (t *tries) tell(at attempted) bool { return t.led[at] != nil || t.refused[at] > 0 }

// graph is what most attempts say, between so many states, and how certain that is.
func (t *tries) graph(states []sim.State, g *Ground) *sim.Graph {
	var edges []sim.Edge
	for at, ends := range t.led {
		// The state seen most often, the first of equals.
		to := slices.MaxFunc(slices.Sorted(maps.Keys(ends)), func(a, b sim.State) int {
			return cmp.Compare(ends[a], ends[b])
		})
		edges = append(edges, sim.Edge{From: at.state, Action: at.action, To: to})
		g.Edges++
		if len(ends) > 1 {
			g.Nondeterministic++
		}
		if t.refused[at] > 0 {
			g.SometimesRefused++
		}
	}
	g.Refused = len(t.refused) - g.SometimesRefused
	g.Untried = len(states)*int(t.highest) - g.Edges - g.Refused
	return sim.Observed(states, edges)
}

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
	return func() (pixels.RGB, error) { return readPhoto(filepath.Join(f.dir, file)) }
}

func readPhoto(path string) (pixels.RGB, error) {
	data, err := files.Read(path, pixels.MaxFileBytes)
	if err != nil {
		return pixels.RGB{}, err
	}
	p, err := pixels.Decode(data)
	if err != nil {
		return p, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// TruthName is the file beside transitions.csv that says which true state each
// image shows: the header image,state, then an image a row, by its path inside
// the folder. States are any words.
const TruthName = "truth.csv"

// maxLabels bounds the memory that a file of labels can ask for.
const maxLabels = 1 << 24

// maxLabelBytes bounds the file itself.
const maxLabelBytes = 1 << 30

// labels are the true states of images.
type labels struct {
	files []string // in the order of the file
	state map[string]sim.State
	names []string // of the states 0, 1, ..., in the order in which they appear
	lines map[string]int

	numbers map[string]sim.State // of names
}

// readLabels reads a folder's truth.csv. Errors name the line.
func readLabels(dir string) (*labels, error) {
	l := &labels{
		state: map[string]sim.State{}, lines: map[string]int{}, numbers: map[string]sim.State{},
	}
	return l, readTable(filepath.Join(dir, TruthName), "image,state",
		func(line int, fields []string) error { return l.add(dir, line, fields) })
}

// readTable reads the rows of a CSV file that begins with the header. Errors name the line.
func readTable(path, header string, row func(line int, fields []string) error) error {
	file, err := files.Open(path, maxLabelBytes)
	if err != nil {
		return err
	}
	defer file.Close()
	in := csv.NewReader(file)
	in.FieldsPerRecord = -1 // the rows are counted by row, for a better message
	for first := true; ; first = false {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			if first {
				return fmt.Errorf("%s:1: the file is empty; its first line must be %s", path, header)
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		line, _ := in.FieldPos(0)
		if first {
			got := strings.TrimPrefix(strings.Join(fields, ","), "\ufeff")
			if strings.ReplaceAll(got, " ", "") != header {
				return fmt.Errorf("%s:%d: the header is %.100q, want %s", path, line, got, header)
			}
		} else if err := row(line, fields); err != nil {
			return fmt.Errorf("%s:%d: %w", path, line, err)
		}
	}
}

// number is that of the state with the name, a new one where it is not yet known.
func (l *labels) number(name string) sim.State {
	s, seen := l.numbers[name]
	if !seen {
		s = sim.State(len(l.names))
		l.numbers[name] = s
		l.names = append(l.names, name)
	}
	return s
}

func (l *labels) add(dir string, line int, fields []string) error {
	if len(fields) != 2 {
		return fmt.Errorf("%d fields, want an image and its state", len(fields))
	}
	file, name := filepath.Clean(filepath.FromSlash(strings.TrimSpace(fields[0]))), strings.TrimSpace(
		fields[1])
	switch {
	case !filepath.IsLocal(file):
		return fmt.Errorf("image %.200q: want a path inside the folder", fields[0])
	case name == "":
		return fmt.Errorf("no state for %s", file)
	case l.lines[file] > 0:
		return fmt.Errorf("%s again: line %d says what it shows", file, l.lines[file])
	case len(l.files) == maxLabels:
		return fmt.Errorf("more than %d images", maxLabels)
	}
	if info, err := os.Stat(filepath.Join(dir, file)); err != nil {
		return fmt.Errorf("missing image: %w", err)
	} else if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file", file)
	}
	l.files = append(l.files, file)
	l.state[file], l.lines[file] = l.number(name), line
	return nil
}

// TruthGraphName is the file beside truth.csv that may list every transition of the world:
// the header state,action,next, with the states of truth.csv, and others, and the actions of
// transitions.csv. What it does not list does not apply.
const TruthGraphName = "truth_graph.csv"

// readTruthGraph reads a folder's truth_graph.csv, if there is one, and adds its states to
// the labels. Errors name the line.
func (f *Folder) readTruthGraph(l *labels) (edges []sim.Edge, complete bool, err error) {
	path, lines := filepath.Join(f.dir, TruthGraphName), map[attempted]int{}
	err = readTable(path, "state,action,next", func(line int, fields []string) error {
		if len(fields) != 3 {
			return fmt.Errorf("%d fields, want a state, an action and the next state", len(fields))
		}
		for i, field := range fields {
			if fields[i] = strings.TrimSpace(field); fields[i] == "" {
				return fmt.Errorf("field %d is empty, want a state, an action and the next state", i+1)
			}
		}
		action, err := f.action(fields[1])
		if err != nil {
			return err
		}
		e := sim.Edge{From: l.number(fields[0]), Action: action, To: l.number(fields[2])}
		at := attempted{e.From, action}
		switch {
		case lines[at] > 0:
			return fmt.Errorf("state %s and action %s again: line %d says what comes next; keep one",
				fields[0], fields[1], lines[at])
		case len(edges) == maxLabels:
			return fmt.Errorf("more than %d transitions", maxLabels)
		}
		lines[at], edges = line, append(edges, e)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return edges, true, err
}

// action finds an action of the attempts by its name, or else its id.
func (f *Folder) action(text string) (strips.ActionID, error) {
	for _, id := range slices.Sorted(maps.Keys(f.names)) {
		if f.names[id] == text {
			return id, nil
		}
	}
	if id, err := strconv.ParseUint(text, 10, 31); err == nil && id > 0 && len(f.names) == 0 {
		return strips.ActionID(id), nil
	}
	return 0, fmt.Errorf("no attempt is of action %.100q: want one of transitions.csv", text)
}
