package endtoend

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStatesThatWereNeverRecorded records a part of the 6,720 states of DinnerTable, learns facts
// from the order of the attempts, and plans from and to images of any state.
func TestStatesThatWereNeverRecorded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bag, out := filepath.Join(dir, "bag"), filepath.Join(dir, "run")
	var recorded struct{ States int }
	parse(t, mustRun(t, "record", "--world", "dinnertable", "--states", "all", "--transitions", "1800",
		"--out", bag, "--json"), &recorded)
	var learned struct {
		Traces struct{ Facts, Derived, Unexplained, Cut int }
	}
	parse(t, mustRun(t, "learn", "--bag", bag, "--out", out, "--method", "traces", "--steps", "900",
		"--json"), &learned)
	if l := learned.Traces; l.Facts < 35 || l.Facts > 36 || l.Derived == 0 || l.Unexplained > 0 ||
		l.Cut > 0 {
		t.Errorf("learned %+v, want a fact for each of 5 objects at 7 places", l)
	}
	table, err := os.ReadFile(filepath.Join(out, "report/facts.txt"))
	if err != nil || !strings.Contains(string(table), "after_place_mug_3") {
		t.Errorf("facts.txt: %v\n%.500s", err, table)
	}
	var evaluated struct {
		Horizons []struct {
			Queries      int
			SolvedGraph  int `json:"solved_graph"`
			WrongPlan    int `json:"wrong_plan"`
			Unrecognized int
		}
	}
	parse(t, mustRun(t, "eval", "--bundle", filepath.Join(out, "bundle"), "--states", "all", "--images",
		"1", "--queries", "8", "--quick", "--json"), &evaluated)
	queries, solved, wrong := 0, 0, 0
	for _, h := range evaluated.Horizons {
		queries, solved, wrong = queries+h.Queries, solved+h.SolvedGraph, wrong+h.WrongPlan
	}
	t.Logf("%d of 6720 states recorded; %d of %d queries solved, %d wrong plans", recorded.States,
		solved, queries, wrong)
	if recorded.States > 6720/4 || queries < 100 || solved < queries*8/10 || wrong > 0 {
		t.Error("want few states recorded, and 80 % of the queries solved without a wrong plan")
	}
}

func parse(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
}
