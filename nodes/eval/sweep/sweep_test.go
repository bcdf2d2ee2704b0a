package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func grid() Grid {
	return Grid{
		Worlds: []string{"BlocksWorld"}, Presets: []string{"small"}, Seeds: []uint64{1, 2},
		Dims: []int{5, 7},
		Data: []float64{1, 0.25}, Mislabel: []float64{0, 0.03}, Size: 64, Nuisance: 1, Queries: 10,
	}
}

func create(t testing.TB, g Grid) Folder {
	t.Helper()
	f, err := Create(t.TempDir(), g)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestNumbering pins the numbers: tasks of a cluster know their job by nothing else.
func TestNumbering(t *testing.T) {
	jobs, err := grid().Jobs()
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]string{
		0:  "000-blocksworld-s1-n5000-m0-small-d5",
		1:  "001-blocksworld-s1-n5000-m0.03-small-d5",
		2:  "002-blocksworld-s1-n1250-m0-small-d5",
		4:  "004-blocksworld-s2-n5000-m0-small-d5",
		15: "015-blocksworld-s2-n1250-m0.03-small-d7",
	}
	if len(jobs) != 16 {
		t.Fatalf("%d jobs", len(jobs))
	}
	for i, name := range want {
		if jobs[i].Name() != name || jobs[i].Index != i {
			t.Errorf("job %d is %s, want %s", i, jobs[i].Name(), name)
		}
	}
	if jobs[0].Recording() != jobs[8].Recording() || jobs[0].Recording() == jobs[1].Recording() {
		t.Errorf("recordings %s, %s, %s", jobs[0].Recording(), jobs[1].Recording(), jobs[8].Recording())
	}
}

// TestJobsAreDistinct: no two jobs of a grid have the same settings or folder.
func TestJobsAreDistinct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := grid()
		g.Seeds = rapid.SliceOfNDistinct(rapid.Uint64(), 1, 3, rapid.ID).Draw(t, "seeds")
		g.Dims = rapid.SliceOfNDistinct(rapid.IntRange(1, 16), 1, 3, rapid.ID).Draw(t, "dims")
		g.Data = rapid.SliceOfNDistinct(rapid.SampledFrom([]float64{1, 0.5, 0.25, 0.1}), 1, 3,
			rapid.ID).Draw(t, "data")
		g.Mislabel = rapid.SliceOfNDistinct(rapid.Float64Range(0, 1), 1, 3, rapid.ID).Draw(t, "mislabel")
		jobs, err := g.Jobs()
		if err != nil {
			t.Fatal(err)
		}
		if want := len(g.Seeds) * len(g.Dims) * len(g.Data) * len(g.Mislabel); len(jobs) != want {
			t.Fatalf("%d jobs, want %d", len(jobs), want)
		}
		seen, recordings := map[Job]bool{}, map[string]Job{}
		for _, j := range jobs {
			j.Index = 0
			if seen[j] {
				t.Fatalf("job twice: %+v", j)
			}
			seen[j] = true
			j.Dims = 0
			if old, ok := recordings[j.Recording()]; ok && old != j {
				t.Fatalf("%+v and %+v would share a recording", old, j)
			}
			recordings[j.Recording()] = j
		}
	})
}

func TestImpossibleGrids(t *testing.T) {
	for want, change := range map[string]func(*Grid){
		"worlds: none given":                func(g *Grid) { g.Worlds = nil },
		"no world \"moon\"":                 func(g *Grid) { g.Worlds = []string{"moon"} },
		"unknown preset":                    func(g *Grid) { g.Presets = []string{"huge"} },
		"seeds: 3 is given twice":           func(g *Grid) { g.Seeds = []uint64{3, 3} },
		"dimensions: 0: choose 1 to 16":     func(g *Grid) { g.Dims = []int{5, 0} },
		"shares of the data: 1.5":           func(g *Grid) { g.Data = []float64{1.5} },
		"shares of mislabelled transitions": func(g *Grid) { g.Mislabel = []float64{-0.1} },
		"queries: 0":                        func(g *Grid) { g.Queries = 0 },
		"size of the images: 7":             func(g *Grid) { g.Size = 7 },
	} {
		g := grid()
		change(&g)
		if _, err := g.Jobs(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q in it", err, want)
		}
	}
}

func TestPlanIsNeverReplaced(t *testing.T) {
	f := create(t, grid())
	if again, err := Create(f.Dir, grid()); err != nil || !reflect.DeepEqual(again, f) {
		t.Errorf("the same plan again: %v", err)
	}
	if opened, err := Open(f.Dir); err != nil || !reflect.DeepEqual(opened, f) {
		t.Errorf("open: %v", err)
	}
	other := grid()
	other.Seeds = []uint64{1}
	if _, err := Create(f.Dir, other); !errors.Is(err, ErrSweep) {
		t.Errorf("another plan: %v, want ErrSweep", err)
	}
	if opened, err := Open(f.Dir); err != nil || len(opened.Jobs) != 16 {
		t.Errorf("the first plan is gone: %v", err)
	}
}

func TestPlansThatCannotBeUsed(t *testing.T) {
	if _, err := Open(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no plan: %v", err)
	}
	f := create(t, grid())
	whole, err := os.ReadFile(planPath(f.Dir))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"cut short":       string(whole[:len(whole)/2]),
		"empty":           "",
		"another job":     strings.Replace(string(whole), `"dims": 7`, `"dims": 6`, 1),
		"path for a name": strings.Replace(string(whole), "BlocksWorld", "../..", 1),
	} {
		if err := os.WriteFile(planPath(f.Dir), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(f.Dir); !errors.Is(err, ErrSweep) {
			t.Errorf("%s: %v, want ErrSweep", name, err)
		}
	}
}

func TestJobsByNumber(t *testing.T) {
	f := create(t, grid())
	for _, index := range []int{-1, 16} {
		if _, err := f.Job(index); !errors.Is(err, ErrSweep) {
			t.Errorf("job %d: %v, want ErrSweep", index, err)
		}
	}
	if j, err := f.Job(3); err != nil || j.Index != 3 {
		t.Errorf("job 3: %+v, %v", j, err)
	}
}

// finish writes a result for a job: of so many states, with these losses.
func finish(t testing.TB, f Folder, j Job, states int, loss float64, nondeterminism int) {
	t.Helper()
	text := fmt.Sprintf(`{"transitions": 1, "abstraction": {"true_states": 16, "states": %d, "eta": 2},
		"success": {"2": {"horizon": 2, "queries": 10, "solved_graph": 5}, "1": {"horizon": 1, "queries": 10, "solved_graph": 10}},
		"chosen": {"step": 400, "losses": {"total": %g}, "latent_nondeterminism": %d},
		"seconds": {"stage1": 60, "eval": 2}, "peak_mb": {"stage1": 300, "eval": 90}}`, states, loss, nondeterminism)
	if err := os.MkdirAll(filepath.Dir(f.ResultPath(j)), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.ResultPath(j), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func Example() {
	g := Grid{
		Worlds: []string{"dinnertable"}, Presets: []string{"medium"}, Seeds: []uint64{1},
		Dims: []int{5, 6},
		Data: []float64{1, 0.5}, Mislabel: []float64{0.03}, Size: 128, Nuisance: 1, Queries: 200,
	}
	jobs, err := g.Jobs()
	for _, j := range jobs {
		fmt.Println(j.Name())
	}
	fmt.Println(err)
	// Output:
	// 000-dinnertable-s1-n12000-m0.03-medium-d5
	// 001-dinnertable-s1-n6000-m0.03-medium-d5
	// 002-dinnertable-s1-n12000-m0.03-medium-d6
	// 003-dinnertable-s1-n6000-m0.03-medium-d6
	// <nil>
}
