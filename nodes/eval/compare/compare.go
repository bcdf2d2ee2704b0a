package compare

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"stripswm/internal/files"
	"stripswm/nodes/eval"
	"stripswm/nodes/eval/report"
)

// Axis is what success is compared over.
type Axis string

// The axes: the length of the shortest path, and the number of recorded transitions.
const (
	Horizon     Axis = "horizon"
	Transitions Axis = "transitions"
)

// Axes lists them.
func Axes() []string { return []string{string(Horizon), string(Transitions)} }

// World is the success of the methods in one world.
type World struct {
	Name    string   `json:"name"`
	Seeds   []uint64 `json:"seeds"`
	Methods []Method `json:"methods"` // the same in every world, without points where no run has them
}

// Method is one method's success, over all and by the axis.
type Method struct {
	Name   string  `json:"name"`
	All    Success `json:"all"`
	Points []Point `json:"points"`
}

// Point is the success at one place of the axis.
type Point struct {
	X int `json:"x"`
	Success
}

// Success counts distinct pairs of start and goal, over the seeds.
type Success struct {
	Runs   int     `json:"runs"`
	Pairs  int     `json:"pairs"`
	Solved int     `json:"solved"` // every time that they were asked for
	Low    float64 `json:"low"`    // Wilson's 95 % interval, per cent
	High   float64 `json:"high"`
}

// Percent is the share that is solved.
func (s Success) Percent() float64 {
	if s.Pairs == 0 {
		return 0
	}
	return 100 * float64(s.Solved) / float64(s.Pairs)
}

func (s *Success) add(h eval.Horizon) {
	s.Runs++
	s.Pairs, s.Solved = s.Pairs+h.Pairs, s.Solved+h.SolvedPairs
	s.Low, s.High = report.Wilson(s.Solved, s.Pairs)
}

// Compare pools runs by world and method. Worlds come in the order in which they are named,
// all of them by name where none is.
func Compare(runs []Run, worlds []string, over Axis) ([]World, error) {
	have := worldsOf(runs)
	if len(worlds) == 0 {
		worlds = have
	}
	methods := methodsOf(runs)
	var all []World
	for _, name := range worlds {
		if !slices.Contains(have, name) {
			return nil, fmt.Errorf("%w: there is none of %s, but of %v", ErrRuns, name, have)
		}
		w := World{Name: name}
		for _, m := range methods {
			w.Methods = append(w.Methods, pool(runs, name, m, over))
		}
		for _, r := range runs {
			if r.World == name && !slices.Contains(w.Seeds, r.Seed) {
				w.Seeds = append(w.Seeds, r.Seed)
			}
		}
		slices.Sort(w.Seeds)
		all = append(all, w)
	}
	return all, nil
}

// pool adds up the success of a method in the runs of a world.
func pool(runs []Run, world, method string, over Axis) Method {
	all := Method{Name: method, Points: []Point{}}
	at := map[int]*Success{}
	add := func(x int, h ...eval.Horizon) {
		if at[x] == nil {
			at[x] = &Success{}
		}
		all, _ := eval.Total(h)
		at[x].add(all)
	}
	for _, r := range runs {
		i := slices.IndexFunc(r.Methods, func(m eval.Method) bool { return m.Name == method })
		if r.World != world || i < 0 {
			continue
		}
		horizons := r.Methods[i].Horizons
		total, _ := eval.Total(horizons)
		all.All.add(total)
		if over == Transitions {
			add(r.Transitions, horizons...)
			continue
		}
		for _, h := range horizons {
			add(h.Horizon, h)
		}
	}
	for _, x := range slices.Sorted(maps.Keys(at)) {
		all.Points = append(all.Points, Point{x, *at[x]})
	}
	return all
}

// ErrRuns is returned for files that cannot be compared.
var ErrRuns = errors.New("evaluations to compare")

// Run is one kept evaluation.
type Run struct {
	Path        string
	World       string
	Seed        uint64
	Transitions int           // that were learned from
	Methods     []eval.Method // STRIPS-WM first
	Report      eval.Report   // of STRIPS-WM
}

// ours is what the tables of eval call the method itself.
const ours = "STRIPS-WM"

var kept = regexp.MustCompile(`^(.+)-([0-9]+)-eval\.json$`)

// Read reads the evaluations in some folders, not in folders in these, in the order of
// their names, each with the methods of the WORLD-SEED-baselines.json beside it, if there is one.
func Read(dirs ...string) ([]Run, error) {
	var runs []Run
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrRuns, err)
		}
		for _, e := range entries {
			name := kept.FindStringSubmatch(e.Name())
			if name == nil {
				continue
			}
			r, err := read(filepath.Join(dir, e.Name()), name[1], name[2])
			if err != nil {
				return nil, fmt.Errorf("%w: %w", ErrRuns, err)
			}
			if i := slices.IndexFunc(runs, r.same); i >= 0 {
				return nil, fmt.Errorf("%w: %s and %s are of one world, seed and number of transitions: "+
					"compare one of them", ErrRuns, runs[i].Path, r.Path)
			}
			runs = append(runs, r)
		}
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("%w: no file in %v has a name like WORLD-SEED-eval.json", ErrRuns, dirs)
	}
	return runs, nil
}

func read(path, world, seed string) (Run, error) {
	r := Run{Path: path, World: world}
	var err error
	if r.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
		return Run{}, fmt.Errorf("%s: %w", path, err)
	}
	report, err := readReport(path)
	if err != nil {
		return Run{}, err
	}
	if len(report.Horizons) == 0 {
		return Run{}, fmt.Errorf("%s has no horizons: is it the eval.json of stripswm eval?", path)
	}
	r.Report, r.Transitions = report, report.Abstraction.Transitions
	r.Methods = append([]eval.Method{{Name: ours, Horizons: report.Horizons}}, report.Methods...)
	others, err := readBaselines(strings.TrimSuffix(path, "-eval.json") + "-baselines.json")
	if err != nil {
		return Run{}, err
	}
	for _, o := range others {
		if slices.ContainsFunc(r.Methods, func(m eval.Method) bool { return m.Name == o.Name }) {
			return Run{}, fmt.Errorf("%s has %s, and so has the file of baselines beside it: keep one", path,
				o.Name)
		}
	}
	r.Methods = append(r.Methods, others...)
	return r, nil
}

// readBaselines reads what eval asked of baselines alone; where there is no file, nothing.
func readBaselines(path string) ([]eval.Method, error) {
	alone, err := readReport(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(alone.Methods) == 0 {
		return nil, fmt.Errorf("%s has no methods: is it what stripswm eval --baseline --json printed?",
			path)
	}
	return alone.Methods, nil
}

// maxReport bounds the file of an evaluation, in bytes.
const maxReport = 64 << 20

func readReport(path string) (report eval.Report, err error) {
	data, err := files.Read(path, maxReport)
	if err != nil {
		return report, err
	}
	if err := json.Unmarshal(data, &report); err != nil {
		return report, fmt.Errorf("%s: %w", path, err)
	}
	return report, nil
}

func (r Run) same(o Run) bool {
	return r.World == o.World && r.Seed == o.Seed && r.Transitions == o.Transitions
}

// worldsOf are the distinct worlds, sorted.
func worldsOf(runs []Run) []string {
	var names []string
	for _, r := range runs {
		names = append(names, r.World)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// methodsOf are the names of all methods: in the order of the run that has most, and then of the
// others.
func methodsOf(runs []Run) []string {
	sorted := slices.SortedStableFunc(slices.Values(runs), func(a, b Run) int {
		return cmp.Compare(len(b.Methods), len(a.Methods))
	})
	var names []string
	for _, r := range sorted {
		for _, m := range r.Methods {
			if !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	return names
}

// across is the most panels in a row.
const across = 4

// Draw writes success-by-AXIS.svg and .png to dir: a panel for each world, those with
// state-dependent skills in rows of their own.
func Draw(dir string, worlds []World, over Axis) error {
	x := "shortest-path length, actions"
	if over == Transitions {
		x = "recorded transitions"
	}
	var fixed, dependent []report.Figure
	for _, w := range worlds {
		f := report.Figure{Name: w.Name, X: x, Y: "pairs solved, %", Percent: true}
		for _, m := range w.Methods {
			c := report.Curve{Name: m.Name}
			for _, p := range m.Points {
				c.Points = append(c.Points, report.Point{X: float64(p.X), Y: p.Percent(), Low: p.Low,
					High: p.High})
			}
			f.Curves = append(f.Curves, c)
		}
		if strings.HasSuffix(w.Name, "coarse") {
			dependent = append(dependent, f)
		} else {
			fixed = append(fixed, f)
		}
	}
	return report.WritePanels(dir, "success-by-"+string(over), append(rows(fixed), rows(dependent)...))
}

func rows(figures []report.Figure) [][]report.Figure {
	var all [][]report.Figure
	for len(figures) > 0 {
		n := min(across, len(figures))
		all, figures = append(all, figures[:n]), figures[n:]
	}
	return all
}
