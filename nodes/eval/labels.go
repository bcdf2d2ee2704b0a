package eval

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"stripswm/files"
	"stripswm/nodes/sim"
)

// TruthName is the file beside transitions.csv that says which true state each
// picture shows: the header image,state, then a picture a row, by its path inside
// the folder. States are any words.
const TruthName = "truth.csv"

// maxLabels bounds the memory that a file of labels can ask for.
const maxLabels = 1 << 24

// maxLabelBytes bounds the file itself.
const maxLabelBytes = 1 << 30

// labels are the true states of pictures.
type labels struct {
	files []string // in the order of the file
	state map[string]sim.State
	names []string // of the states 0, 1, ..., in the order in which they appear
	lines map[string]int
}

// readLabels reads a folder's truth.csv. Errors name the line.
func readLabels(dir string) (*labels, error) {
	path := filepath.Join(dir, TruthName)
	file, err := files.Open(path, maxLabelBytes)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in := csv.NewReader(file)
	in.FieldsPerRecord = -1 // counted below, for a better message
	l := &labels{state: map[string]sim.State{}, lines: map[string]int{}}
	numbers := map[string]sim.State{}
	for header := true; ; header = false {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			if header {
				return nil, fmt.Errorf("%s:1: the file is empty; its first line must be image,state", path)
			}
			return l, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		line, _ := in.FieldPos(0)
		if header {
			if got := strings.TrimPrefix(strings.Join(fields, ","), "\ufeff"); strings.ReplaceAll(got, " ", "") != "image,state" {
				return nil, fmt.Errorf("%s:%d: the header is %.100q, want image,state", path, line, got)
			}
		} else if err := l.add(dir, line, fields, numbers); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
	}
}

func (l *labels) add(dir string, line int, fields []string, numbers map[string]sim.State) error {
	if len(fields) != 2 {
		return fmt.Errorf("%d fields, want an image and its state", len(fields))
	}
	file, name := filepath.Clean(filepath.FromSlash(strings.TrimSpace(fields[0]))), strings.TrimSpace(fields[1])
	switch {
	case !filepath.IsLocal(file):
		return fmt.Errorf("picture %.200q: want a path inside the folder", fields[0])
	case name == "":
		return fmt.Errorf("no state for %s", file)
	case l.lines[file] > 0:
		return fmt.Errorf("%s again: line %d says what it shows", file, l.lines[file])
	case len(l.files) == maxLabels:
		return fmt.Errorf("more than %d pictures", maxLabels)
	}
	if info, err := os.Stat(filepath.Join(dir, file)); err != nil {
		return fmt.Errorf("missing picture: %w", err)
	} else if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file", file)
	}
	if _, seen := numbers[name]; !seen {
		numbers[name] = sim.State(len(l.names))
		l.names = append(l.names, name)
	}
	l.files = append(l.files, file)
	l.state[file], l.lines[file] = numbers[name], line
	return nil
}
