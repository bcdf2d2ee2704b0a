package sweep

import (
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestGatherPartialResults: what is done is gathered, what is missing is named.
func TestGatherPartialResults(t *testing.T) {
	f := create(t, grid())
	finish(t, f, f.Jobs[0], 16, 0.5, 3)
	// the same but for the latent space: comparable loss, less nondeterminism
	finish(t, f, f.Jobs[8], 18, 0.6, 1)
	finish(t, f, f.Jobs[1], 16, 0.1, 9)
	finish(t, f, f.Jobs[9], 16, 0.5, 0) // no comparable loss
	finish(t, f, f.Jobs[2], 40, 0.5, 0)
	if err := os.MkdirAll(f.JobDir(f.Jobs[3]), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := f.Fail(f.Jobs[3], errors.New("stage 2: one state")); err != nil {
		t.Fatal(err)
	}
	results, missing, err := f.Gather()
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != 5 || len(missing) != 11 || missing[0].Job.Index != 3 ||
		missing[0].Reason != "stage 2: one state" || missing[1].Reason != "" {
		t.Errorf("%d results; missing %+v", len(results), missing)
	}
	var selected []int
	for _, r := range results {
		if r.Selected {
			selected = append(selected, r.Index)
		}
	}
	if want := []int{1, 2, 8}; !slices.Equal(selected, want) {
		t.Errorf("selected %v, want %v", selected, want)
	}
	r := results[0]
	if r.Transitions != 5000 || r.Abstraction.States != 16 || r.Solved() != 0.75 || r.Time() != 62 ||
		r.Peak() != 300 || r.Success[1].Horizon != 2 {
		t.Errorf("%+v", r)
	}

	dir, err := f.Write(results, missing)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(filepath.Join(dir, "results.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) != 6 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for column, want := range map[string]string{"job": "8", "dims": "7", "selected": "true",
		"states": "18", "success": "0.75", "success_2": "0.5", "checkpoint_nondeterminism": "1",
		"peak_mb": "300"} {
		if i := slices.Index(rows[0], column); i < 0 || rows[4][i] != want {
			t.Errorf("%s of job 8: want %s in %v", column, want, rows[4])
		}
	}
	for _, name := range []string{"results.json", "coverage-blocksworld-small.svg",
		"coverage-blocksworld-small.png", "mislabelled-success-blocksworld-small.svg",
		"mislabelled-states-blocksworld-small.svg"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() < 500 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGatherNothing(t *testing.T) {
	f := create(t, grid())
	results, missing, err := f.Gather()
	if err != nil || len(results) != 0 || len(missing) != 16 {
		t.Fatalf("%d results, %d missing, %v", len(results), len(missing), err)
	}
	if _, err := f.Write(results, missing); err != nil {
		t.Error(err)
	}
}

func TestDamagedResultIsNamed(t *testing.T) {
	f := create(t, grid())
	finish(t, f, f.Jobs[5], 16, 1, 0)
	if err := os.WriteFile(f.ResultPath(f.Jobs[5]), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Gather(); !errors.Is(err, ErrSweep) {
		t.Errorf("%v, want ErrSweep", err)
	}
}

// TestFiguresAreMeansOverSeeds looks at the points behind the curves.
func TestFiguresAreMeansOverSeeds(t *testing.T) {
	g := grid()
	g.Dims = []int{5}
	f := create(t, g)
	for i, j := range f.Jobs {
		finish(t, f, j, 16+i, 1, 0)
	}
	results, _, err := f.Gather()
	if err != nil {
		t.Fatal(err)
	}
	// Jobs 0 and 4 are the two seeds on all data with right labels, 1 and 5 with 3 % wrong ones.
	states := counts(results).Curves[1].Points
	if len(states) != 2 || states[0].X != 0 || states[0].Y != 18 || states[1].X != 3 ||
		states[1].Y != 19 {
		t.Errorf("states over wrong labels: %v", states)
	}
	c := coverage(results).Curves
	if len(c) != 2 || c[0].Name != "100 % of data" || len(c[1].Points) != 2 ||
		c[1].Points[0].Y != 100 || c[1].Points[1].Y != 50 {
		t.Errorf("coverage: %+v", c)
	}
}
