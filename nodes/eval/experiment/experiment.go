package experiment

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"stripswm/internal/files"
)

// Experiment is an experiment's file, and the jobs that it comes to.
type Experiment struct {
	Settings settings
	Rows     ordered[settings]
	Grid     ordered[words]
	Steps    []Step
	Then     string // a command line for when all rows are there
	Columns  ordered[string]
	Figures  []Figure
	Best     string

	Out   string `yaml:"-"` // the folder of everything
	Jobs  []Job  `yaml:"-"`
	whole bool   // all rows were chosen
}

// Step is a command line of every job.
type Step struct {
	Run    string
	Each   string // run for each word of this setting
	Row    string // ending of the file of a row
	Shared string // folder of a step that several jobs need
}

// Job is a row with a value of each axis of the grid.
type Job struct {
	Index    int
	Name     string
	settings settings
}

// settings are words by name.
type settings map[string]words

// words are what a setting stands for.
type words []string

// UnmarshalYAML takes text, or a list of texts.
func (w *words) UnmarshalYAML(n *yaml.Node) error {
	switch n.Kind {
	case yaml.ScalarNode:
		*w = strings.Fields(n.Value)
		return nil
	case yaml.SequenceNode:
		return n.Decode((*[]string)(w))
	}
	return fmt.Errorf("line %d: want text or a list", n.Line)
}

// ordered is a mapping in the order of the file.
type ordered[T any] []entry[T]

type entry[T any] struct {
	Name  string
	Value T
}

// UnmarshalYAML keeps the order.
func (o *ordered[T]) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: want names and values", n.Line)
	}
	for i := 0; i < len(n.Content); i += 2 {
		e := entry[T]{Name: n.Content[i].Value}
		if err := n.Content[i+1].Decode(&e.Value); err != nil {
			return err
		}
		*o = append(*o, e)
	}
	return nil
}

func (o ordered[T]) names() (all []string) {
	for _, e := range o {
		all = append(all, e.Name)
	}
	return all
}

// ErrExperiment is returned for an experiment, or a result of it, that cannot be used.
var ErrExperiment = errors.New("unusable experiment")

// maxFile bounds a file that is read, in bytes.
const maxFile = 64 << 20

// Read reads an experiment whose results are in the folder out. Settings such as "seed=11,12" take
// the place of the file's. Where rows are named, there are no others.
func Read(path, out string, set, rows []string) (*Experiment, error) {
	data, err := files.Read(path, maxFile)
	if err != nil {
		return nil, err
	}
	e := &Experiment{Settings: settings{}, Out: out, whole: len(rows) == 0}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err = d.Decode(e); err == nil {
		err = errors.Join(e.set(set), e.choose(rows))
	}
	if err == nil {
		err = e.number()
	}
	if err == nil {
		err = e.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrExperiment, path, err)
	}
	return e, nil
}

// set puts settings in the place of the file's.
func (e *Experiment) set(all []string) error {
	for _, text := range all {
		name, list, _ := strings.Cut(text, "=")
		values := words(strings.FieldsFunc(list, func(r rune) bool { return r == ',' }))
		if i := slices.Index(e.Grid.names(), name); i >= 0 {
			e.Grid[i].Value = values
			continue
		}
		known := maps.Clone(e.Settings)
		for _, row := range e.Rows {
			maps.Copy(known, row.Value)
			delete(row.Value, name)
		}
		if _, ok := known[name]; !ok {
			return fmt.Errorf("no setting %q; there are %s", name, strings.Join(append(e.Grid.names(),
				slices.Sorted(maps.Keys(known))...), ", "))
		}
		e.Settings[name] = strings.Fields(strings.Join(values, " "))
	}
	return nil
}

// choose leaves the named rows.
func (e *Experiment) choose(rows []string) error {
	for _, name := range rows {
		if !slices.Contains(e.Rows.names(), name) {
			return fmt.Errorf("no row %q; there are %s", name, strings.Join(e.Rows.names(), ", "))
		}
	}
	if len(rows) > 0 {
		e.Rows = slices.DeleteFunc(e.Rows, func(r entry[settings]) bool {
			return !slices.Contains(rows, r.Name)
		})
	}
	return nil
}

// number numbers the jobs: a row first, the last axis of the grid fastest.
func (e *Experiment) number() error {
	var all []Job
	for _, row := range e.Rows {
		j := Job{Name: row.Name, settings: maps.Clone(e.Settings)}
		maps.Copy(j.settings, row.Value)
		j.settings["row"] = words{row.Name}
		all = append(all, j)
	}
	for _, axis := range e.Grid {
		var more []Job
		for _, j := range all {
			for _, value := range axis.Value {
				one := Job{Name: j.Name + "-" + value, settings: maps.Clone(j.settings)}
				one.settings[axis.Name] = strings.Fields(value)
				more = append(more, one)
			}
		}
		all = more
	}
	seen := map[string]bool{}
	for i := range all {
		j := &all[i]
		if !filepath.IsLocal(j.Name) || seen[j.Name] {
			return fmt.Errorf("job %q: want a name of its own, fit for a file", j.Name)
		}
		seen[j.Name], j.Index = true, i
		j.settings["out"], j.settings["name"] = words{e.Out}, words{j.Name}
		j.settings["dir"] = words{e.dir(*j)}
	}
	e.Jobs = all
	return nil
}

// check finds what would fail after hours.
func (e *Experiment) check() error {
	if len(e.Jobs) == 0 || len(e.Steps) == 0 || e.Steps[len(e.Steps)-1].Row == "" {
		return errors.New("want rows, and steps of which the last has a row")
	}
	for _, j := range e.Jobs {
		for _, s := range e.Steps {
			text := s.Run + " " + s.Shared
			if s.Each != "" {
				text += " {" + s.Each + "}"
			}
			if _, err := j.settings.expand(text); err != nil {
				return fmt.Errorf("step %q: %w", s.Run, err)
			}
		}
	}
	if axes := e.Grid.names(); e.Best != "" && !slices.Contains(axes, e.Best) {
		return fmt.Errorf("best %q: want one of the grid: %s", e.Best, strings.Join(axes, ", "))
	}
	for _, f := range e.Figures {
		for _, y := range f.Y {
			if f.Points == "" && !slices.Contains(e.Columns.names(), y) {
				return fmt.Errorf("figure %s: no column %q", f.Name, y)
			}
		}
	}
	return nil
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// deepest bounds settings that stand for one another.
const deepest = 20

// expand makes the words of a command line.
func (s settings) expand(text string) (all []string, err error) {
	for _, word := range strings.Fields(text) {
		more, err := s.word(word, deepest)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

func (s settings) word(text string, depth int) (all []string, err error) {
	at := placeholder.FindStringSubmatchIndex(text)
	if at == nil {
		return []string{text}, nil
	}
	name := text[at[2]:at[3]]
	values, ok := s[name]
	if !ok || depth == 0 {
		return nil, fmt.Errorf("{%s}: no such setting, or it stands for itself", name)
	}
	for _, v := range values {
		more, err := s.word(text[:at[0]]+v+text[at[1]:], depth-1)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// each are the settings of a step's runs, one for each word of the setting that it names.
func (s settings) each(step Step) (all []settings) {
	if step.Each == "" {
		return []settings{s}
	}
	for _, value := range s[step.Each] {
		one := maps.Clone(s)
		one[step.Each] = words{value}
		all = append(all, one)
	}
	return all
}

// Lines are the command lines of a job where all steps end well.
func (e *Experiment) Lines(j Job) (all [][]string, err error) {
	for _, step := range e.Steps {
		for _, s := range j.settings.each(step) {
			line, err := s.expand(step.Run)
			if err != nil {
				return nil, err
			}
			all = append(all, line)
		}
	}
	return all, nil
}

// Last is the command line for when all rows are there; nil where there is none, or only some rows
// were chosen.
func (e *Experiment) Last() ([]string, error) {
	if !e.whole {
		return nil, nil
	}
	return e.Jobs[0].settings.expand(e.Then)
}

// Job returns the job of that number.
func (e *Experiment) Job(index int) (Job, error) {
	if index < 0 || index >= len(e.Jobs) {
		return Job{}, fmt.Errorf("no job %d: jobs are 0 to %d", index, len(e.Jobs)-1)
	}
	return e.Jobs[index], nil
}

// dir is where a job works.
func (e *Experiment) dir(j Job) string { return filepath.Join(e.Out, j.Name) }

// rowPath is what a step of a row printed.
func (e *Experiment) rowPath(j Job, s Step) string { return filepath.Join(e.Out, j.Name+s.Row) }
