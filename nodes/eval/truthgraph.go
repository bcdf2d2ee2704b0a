package eval

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

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
