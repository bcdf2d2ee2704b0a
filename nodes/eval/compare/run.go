package compare

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"stripswm/internal/files"
	"stripswm/nodes/eval"
)

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
				return nil,
					fmt.Errorf(
						"%w: %s and %s are of one world, seed and number of transitions: compare one of them",
						ErrRuns, runs[i].Path, r.Path)
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
