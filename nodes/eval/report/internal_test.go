package report

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"pgregory.net/rapid"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/taskgraph/graphtest"
	"stripswm/nodes/eval"
)

// graphOf is a graph of n states with the given edges, all by one action.
func graphOf(n int, edges ...[2]int) *taskgraph.Graph {
	g := &taskgraph.Graph{Labels: []string{"go"}, Nodes: make([]taskgraph.Node, n)}
	for _, e := range edges {
		g.Edges = append(g.Edges, taskgraph.Edge{Source: strips.StateID(e[0]), Action: 1,
			Target: strips.StateID(e[1]), Support: 1})
	}
	return g
}

func TestLayoutKeepsDistances(t *testing.T) {
	const n, unit = 12, 100
	var ring [][2]int
	for i := range n {
		ring = append(ring, [2]int{i, (i + 1) % n})
	}
	at := layout(graphOf(n, ring...), unit, point{1, 1})
	for i := range at {
		if d := at[i].sub(at[(i+1)%n]).length(); d < 0.6*unit || d > 1.4*unit {
			t.Errorf("neighbours %d and %d are %.0f apart, want about %d", i, (i+1)%n, d, unit)
		}
	}
	if d := at[0].sub(at[6]).length(); d < 3*unit {
		t.Errorf("opposite states are %.0f apart, want some %d", d, 4*unit)
	}
}

func TestLayoutOfAnyGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "states")
		node := rapid.IntRange(0, n-1)
		var edges [][2]int
		for range rapid.IntRange(0, 40).Draw(t, "edges") {
			edges = append(edges, [2]int{node.Draw(t, "from"), node.Draw(t, "to")})
		}
		box := point{40, 30}
		at := layout(graphOf(n, edges...), 100, box)
		for i, p := range at {
			if math.IsNaN(p.X+p.Y) || math.IsInf(p.X+p.Y, 0) {
				t.Fatalf("state %d is at %v", i, p)
			}
			for j := range i {
				if d := p.sub(at[j]); math.Abs(d.X) < box.X-0.5 && math.Abs(d.Y) < box.Y-0.5 {
					t.Fatalf("states %d and %d overlap: %v apart", i, j, d)
				}
			}
		}
	})
}

func TestCurveParts(t *testing.T) {
	c := curve{{0, 0}, {50, 80}, {100, 0}}
	p := c.part(0.2, 0.7)
	for _, u := range []float64{0, 0.3, 1} {
		want := c.at(0.2 + 0.5*u)
		if d := p.at(u).sub(want).length(); d > 1e-9 {
			t.Errorf("at %.1f the part is %v off the curve", u, d)
		}
	}
	if leave := c.at(c.leave(c[0], point{20, 20}, 0)); math.Max(math.Abs(leave.X),
		math.Abs(leave.Y)) < 10 {
		t.Errorf("the curve leaves the box at %v, which is inside", leave)
	}
}

func TestWilson(t *testing.T) {
	for _, tt := range []struct {
		part, all int
		low, high float64
	}{{200, 200, 98.1, 100}, {100, 200, 43.1, 56.9}, {0, 200, 0, 1.9}, {0, 0, 0, 100}} {
		low, high := Wilson(tt.part, tt.all)
		if math.Abs(low-tt.low) > 0.05 || math.Abs(high-tt.high) > 0.05 {
			t.Errorf("%d of %d: %.2f to %.2f, want %.1f to %.1f", tt.part, tt.all, low, high, tt.low,
				tt.high)
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567",
		-1000: "-1,000", -100: "-100"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestThinKeepsTheEnd(t *testing.T) {
	var points []Point
	for i := range 10_000 {
		points = append(points, Point{X: float64(i), Y: 1})
	}
	got := thin(points)
	if len(got) > maxPoints+1 || got[len(got)-1] != points[len(points)-1] {
		t.Errorf("%d points that end at %v", len(got), got[len(got)-1])
	}
	if few := points[:10]; len(thin(few)) != 10 {
		t.Error("few points were thinned")
	}
}

func TestTicks(t *testing.T) {
	labels := func(low, high float64, most float64) (all []string) {
		for _, tick := range (round{most}).Ticks(low, high) {
			all = append(all, tick.Label)
		}
		return all
	}
	for _, tt := range []struct {
		low, high, most float64
		want            string
	}{
		{0, 100, 6, "[0 20 40 60 80 100]"},
		{1, 8, 12, "[1 2 3 4 5 6 7 8]"},
		{100, 1500, 8, "[200 400 600 800 1,000 1,200 1,400]"},
		{0, 1, 6, "[0 1]"},
	} {
		if got := fmt.Sprint(labels(tt.low, tt.high, tt.most)); got != tt.want {
			t.Errorf("%g to %g: %s, want %s", tt.low, tt.high, got, tt.want)
		}
	}
}

func TestOperatorInWords(t *testing.T) {
	for want, o := range map[string]operator{
		"pick: needs p3, ¬p5; adds p2; deletes p3": {Name: "pick", Needs: "p3, ¬p5", Adds: "p2",
			Deletes: "p3"},
		"look: needs p1":                        {Name: "look", Needs: "p1"},
		"wait: applies always, changes nothing": {Name: "wait"},
		"switch: toggles p1":                    {Name: "switch", Toggles: "p1", Variants: 1, Variant: 1},
		"move (2 of 3): needs p0; adds p1": {Name: "move", Needs: "p0", Adds: "p1", Variants: 3,
			Variant: 2},
	} {
		if got := o.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A robot on two cells moves there and back by one skill and switches a lamp by
// another, which may stick.
func TestOperatorsBySkill(t *testing.T) {
	p := func(p ...strips.Predicate) []strips.Predicate { return p }
	m := &strips.Model{Predicates: 2, Operators: []strips.Operator{
		{Action: 1, Name: "move", PreNeg: p(0), Add: p(0)},
		{Action: 1, Name: "move", PrePos: p(0), Del: p(0)},
		{Action: 2, Name: "switch", Toggle: p(1)},
	}, Exceptions: []strips.Exception{{Node: 1, Action: 1}},
		Nondeterministic: []strips.Nondeterminism{
			{Node: 1, Action: 2, Outcomes: []strips.Outcome{{Target: 1, Count: 1}, {Target: 2, Count: 4}}}}}
	g := graphtest.Of([]string{"move", "switch"}, "00 1 10", "10 2 11", "11 1 01", "01 2 00",
		"10 1 00 2", "10 2 10")
	m.States = graphtest.States(g)
	dir := t.TempDir()
	if err := Write(dir, Input{Domain: "cells", Model: m, Graph: g}); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	const words = `move (1 of 2): needs ¬p0; adds p0
move (2 of 2): needs p0; deletes p0
switch: toggles p1
switch in state 1 has no certain outcome: 1 time to state 1, 4 times to state 2
`
	if got := read("operators.txt"); got != words {
		t.Errorf("operators.txt:\n%swant\n%s", got, words)
	}
	page := read("report.html")
	for _, want := range []string{
		"3 operators (2 skills)", "1 (state, action) pair is nondeterministic",
		`<tr><td rowspan="2">1</td><td class="left" rowspan="2">move</td><td class="left">¬p0</td><td class="left">p0</td><td class="left"></td><td class="left"></td><td>1</td><td>1</td><td rowspan="2">1</td></tr>`,
		`<tr><td class="left">p0</td><td class="left"></td><td class="left">p0</td><td class="left"></td><td>2</td><td>3</td></tr>`,
		`<tr><td>2</td><td class="left">switch</td><td class="left"></td><td class="left"></td><td class="left"></td><td class="left">p1</td><td>1</td><td>1</td><td>0</td></tr>`,
		`<tr><td>1</td><td class="left">switch</td><td class="left">1 time to state 1, 4 times to state 2</td></tr>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %s", want)
		}
	}
}

// TestReliabilityIsPooled joins bins of the same tenth, weighed by their images.
func TestReliabilityIsPooled(t *testing.T) {
	got := pooled([]eval.Bin{{Images: 30, Predicted: 0.81, Holds: 0.9},
		{Images: 10, Predicted: 0.85, Holds: 0.5}, {Images: 5, Predicted: 1, Holds: 1}})
	if len(got) != 2 {
		t.Fatalf("%v, want two points", got)
	}
	low, high := Wilson(32, 40)
	if p := got[0]; math.Abs(p.X-82) > 1e-9 || math.Abs(p.Y-80) > 1e-9 || p.Low != low ||
		p.High != high {
		t.Errorf("%v, want 32 of 40 at 82", p)
	}
	if p := got[1]; p.X != 100 || p.Y != 100 {
		t.Errorf("%v, want all at 100", p)
	}
}

func TestChartHasRoomForIntervals(t *testing.T) {
	p, err := mistakesChart(Input{Report: eval.Report{Calibration: []eval.Calibration{
		{Strength: 1, Images: 10}, {Strength: 2, Images: 10, Unrecognized: 3}}}}).plot(&plot.Legend{},
		map[string]bool{})
	if err != nil {
		t.Fatal(err)
	}
	if _, high := Wilson(3, 10); p.Y.Max < high || p.Y.Min != 0 {
		t.Errorf("y goes from %v to %v, the intervals up to %v", p.Y.Min, p.Y.Max, high)
	}
}

// Points with an interval and without may be on one curve.
func TestIntervals(t *testing.T) {
	c := points{{X: 50, Y: 3}, {X: 100, Y: 4, Low: 2, High: 9}, {Low: 0, High: 3}}
	for i, want := range [][2]float64{{0, 0}, {2, 5}, {0, 3}} {
		if below, above := c.YError(i); below != want[0] || above != want[1] {
			t.Errorf("point %d: %v below and %v above, want %v", i, below, above, want)
		}
	}
}
