package eval

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"stripswm/internal/files"
	"stripswm/nodes/sim"
)

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
