package compare

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stripswm/nodes/eval"
)

// evaluation is a report: of the pairs of each horizon so many are solved, by STRIPS-WM and
// by other methods.
func evaluation(transitions, pairs int, ours []int, others ...eval.Method) eval.Report {
	return eval.Report{Abstraction: eval.Abstraction{Transitions: transitions},
		Horizons: horizons(pairs, ours...), Methods: others}
}

func method(name string, pairs int, solved ...int) eval.Method {
	return eval.Method{Name: name, Horizons: horizons(pairs, solved...)}
}

func horizons(pairs int, solved ...int) []eval.Horizon {
	var all []eval.Horizon
	for i, n := range solved {
		all = append(all, eval.Horizon{Horizon: i + 1, Queries: 10 * pairs, Pairs: pairs, SolvedPairs: n})
	}
	return all
}

// keep writes reports as files of a folder, by world and seed.
func keep(t *testing.T, reports map[string]eval.Report) string {
	t.Helper()
	dir := t.TempDir()
	for name, r := range reports {
		data := must(json.Marshal(r))
		must(0, os.WriteFile(filepath.Join(dir, name+"-eval.json"), data, 0o600))
	}
	return dir
}

func compareIn(over Axis, dirs ...string) []World {
	runs := must(Read(dirs...))
	all := must(Compare(runs, nil, over))
	return all
}

// text is a world's methods as words: name, runs, solved of pairs by x.
func text(w World) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %v:", w.Name, w.Seeds)
	for _, m := range w.Methods {
		fmt.Fprintf(&b, " %s", m.Name)
		for _, p := range m.Points {
			fmt.Fprintf(&b, " %d:%d/%d(%d)", p.X, p.Solved, p.Pairs, p.Runs)
		}
	}
	return b.String()
}

func TestSeedsArePooled(t *testing.T) {
	dir := keep(t, map[string]eval.Report{
		"blocks-11": evaluation(50, 4, []int{4, 3}, method("graph search", 4, 4, 1)),
		"blocks-12": evaluation(50, 4, []int{4, 4, 2}, method("graph search", 4, 3, 1, 0),
			method("LSR", 4, 2, 0, 0)),
		"wrong-blocks-7": evaluation(50, 4, []int{0}),
	})
	all := compareIn(Horizon, dir)
	want := []string{
		"blocks [11 12]: STRIPS-WM 1:8/8(2) 2:7/8(2) 3:2/4(1) graph search 1:7/8(2) 2:2/8(2) 3:0/4(1) " +
			"LSR 1:2/4(1) 2:0/4(1) 3:0/4(1)",
		"wrong-blocks [7]: STRIPS-WM 1:0/4(1) graph search LSR",
	}
	for i, w := range all {
		if text(w) != want[i] {
			t.Errorf("%s\nwant %s", text(w), want[i])
		}
	}
	ours := all[0].Methods[0]
	if ours.All.Pairs != 20 || ours.All.Solved != 17 || ours.All.Percent() != 85 {
		t.Errorf("over all horizons %+v", ours.All)
	}
	// Newcombe 1998, table 1: 95 % of 7/8 by the score method is 52.9 to 97.8 %.
	if p := ours.Points[1]; p.Low < 52.8 || p.Low > 53 || p.High < 97.7 || p.High > 97.8 {
		t.Errorf("7 of 8: %+v", p)
	}
}

// TestBaselinesAloneJoinTheirRun has what was asked of them in a file beside the run's.
func TestBaselinesAloneJoinTheirRun(t *testing.T) {
	dir := keep(t, map[string]eval.Report{"blocks-11": evaluation(50, 4, []int{4, 3},
		method("graph search", 4, 4, 1))})
	beside := func(r any) {
		data := must(json.Marshal(r))
		must(0, os.WriteFile(filepath.Join(dir, "blocks-11-baselines.json"), data, 0o600))
	}
	beside(map[string]any{"run": map[string]any{"seed": 11}, "methods": []eval.Method{
		method("LSR", 4, 2, 0)}})
	if all, want := compareIn(Horizon,
		dir), "blocks [11]: STRIPS-WM 1:4/4(1) 2:3/4(1) graph search 1:4/4(1) 2:1/4(1) LSR 1:2/4(1) "+
		"2:0/4(1)"; text(all[0]) != want {
		t.Errorf("%s\nwant %s", text(all[0]), want)
	}
	for what, r := range map[string]any{
		"a method twice": map[string]any{"methods": []eval.Method{method("graph search", 4, 2, 0)}},
		"no methods":     map[string]any{},
		"no object":      "methods",
	} {
		beside(r)
		if _, err := Read(dir); !errors.Is(err, ErrRuns) || !strings.Contains(err.Error(), "blocks-11") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestSharesOfARecordingAreAnAxis(t *testing.T) {
	whole := keep(t, map[string]eval.Report{"blocks-11": evaluation(400, 4, []int{4, 3}),
		"blocks-12": evaluation(400, 4, []int{3, 3})})
	half := keep(t, map[string]eval.Report{"blocks-11": evaluation(200, 4, []int{2, 0})})
	all := compareIn(Transitions, whole, half)
	if want := "blocks [11 12]: STRIPS-WM 200:2/8(1) 400:13/16(2)"; len(all) != 1 ||
		text(all[0]) != want {
		t.Errorf("%v, want %s", all, want)
	}
}

func TestFigureHasAPanelForEachWorld(t *testing.T) {
	reports := map[string]eval.Report{}
	for _, name := range []string{"blocks-1", "tiles-1", "blockscoarse-1"} {
		reports[name] = evaluation(50, 4, []int{4, 3}, method("graph search", 4, 4, 1))
	}
	out := filepath.Join(t.TempDir(), "figure")
	must(0, Draw(out, compareIn(Horizon, keep(t, reports)), Horizon))
	drawing := must(os.ReadFile(filepath.Join(out, "success-by-horizon.svg")))
	for _, name := range []string{"blocks", "tiles", "blockscoarse", "STRIPS-WM", "graph search"} {
		if n := strings.Count(string(drawing), ">"+name+"<"); n != 1 {
			t.Errorf("the drawing says %s %d times", name, n)
		}
	}
	img, err := os.ReadFile(filepath.Join(out, "success-by-horizon.png"))
	if err != nil || len(img) == 0 {
		t.Errorf("%d bytes of PNG, %v", len(img), err)
	}
}

func TestWhatCannotBeComparedIsNamed(t *testing.T) {
	dir := keep(t, map[string]eval.Report{"blocks-1": evaluation(50, 4, []int{4})})
	other := keep(t, map[string]eval.Report{"blocks-01": evaluation(50, 4, []int{4})})
	empty := keep(t, map[string]eval.Report{"blocks-2": {}})
	damaged := t.TempDir()
	must(0, os.WriteFile(filepath.Join(damaged, "blocks-3-eval.json"), []byte("{"),
		0o600))
	for name, dirs := range map[string][]string{
		"two of one run": {dir, other}, "one without horizons": {empty}, "a damaged one": {damaged},
		"a folder without any": {t.TempDir()}, "no folder": {filepath.Join(dir, "nowhere")},
	} {
		if runs, err := Read(dirs...); !errors.Is(err, ErrRuns) {
			t.Errorf("%s: %v, %v", name, runs, err)
		}
	}
	runs := must(Read(dir))
	if _, err := Compare(runs, []string{"tiles"}, Horizon); !errors.Is(err, ErrRuns) ||
		!strings.Contains(err.Error(), "blocks") {
		t.Errorf("a world that is not there: %v", err)
	}
	if names := methodsOf(runs); !slices.Equal(names, []string{ours}) {
		t.Error(names)
	}
}

// must is for what fails in no test.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
