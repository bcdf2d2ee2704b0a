package endtoend

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/nodes/sim"
	"stripswm/test/internal/process"
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
		Choice struct{ Method, Why string }
		Traces struct{ Facts, Derived, Unexplained, Cut int }
	}
	parse(t, mustRun(t, "learn", "--bag", bag, "--out", out, "--steps", "900", "--json"), &learned)
	if l := learned.Traces; l.Facts < 35 || l.Facts > 36 || l.Derived == 0 || l.Unexplained > 0 ||
		l.Cut > 0 {
		t.Errorf("learned %+v, want a fact for each of 5 objects at 7 places", l)
	}
	if learned.Choice.Method != "traces" {
		t.Errorf("auto took %+v", learned.Choice)
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
	parse(t, mustRun(t, "eval", "--bundle", filepath.Join(out, "bundle"), "--images", "1",
		"--queries", "8", "--quick", "--json"), &evaluated)
	queries, solved, wrong := 0, 0, 0
	for _, h := range evaluated.Horizons {
		queries, solved, wrong = queries+h.Queries, solved+h.SolvedGraph, wrong+h.WrongPlan
	}
	t.Logf("%d of 6720 states recorded; %d of %d queries solved, %d wrong plans", recorded.States,
		solved, queries, wrong)
	if recorded.States > 6720/4 || queries < 100 || solved < queries*8/10 || wrong > 0 {
		t.Error("want few states recorded, and 80 % of the queries solved without a wrong plan")
	}
	wanted(t, filepath.Join(out, "bundle"))
}

// wanted plans from an image of a state to facts that hold in no recorded state together, and to
// facts that exclude each other.
func wanted(t *testing.T, bundle string) {
	t.Helper()
	table := must(sim.New("dinnertable"))
	img := tableImage(table, 4321, 77)
	now := save(t, img)
	strict := must(imageplan.Open(bundle, imageplan.Options{
		Thresholds: imageplan.Thresholds{Distance: 0.01}}))
	defer strict.Close()
	if seen, err := strict.Recognize(pixels.FromImage(img)); err != nil ||
		seen.Refusal == imageplan.Accepted {
		t.Errorf("with a hundredth of the distance: %+v, %v", seen, err)
	}
	strange(t, bundle, table)
	driven(t, bundle, table, covered(t, bundle, table))
	ask := func(want string) process.Result {
		return run(t, "plan", "--bundle", bundle, "--start", now, "--want", want)
	}
	r := ask("after_place_mug_3,after_place_fork_6")
	state := follow(t, table, 4321, r.Stdout)
	if says := table.Describe(state); r.Code != 0 || !strings.Contains(says, "mug front far left") ||
		!strings.Contains(says, "fork front far right") {
		t.Errorf("exit %d, %s%s; ends in %s", r.Code, r.Stdout, r.Stderr, says)
	}
	if r := ask("after_place_mug_3,after_place_fork_3"); r.Code != 11 ||
		!strings.Contains(r.Stderr, "never hold together: after_place_mug_3, after_place_fork_3") {
		t.Errorf("exit %d, %s", r.Code, r.Stderr)
	}
}

func parse(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
}
