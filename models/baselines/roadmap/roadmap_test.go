package roadmap

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/strips"
)

// street is three places on a line, at 0, 5 and 10, of which each step has two images of its own.
// Action 1 leads right and 2 left; once somebody wrote 2 for a 1. The last step is between two
// places far away.
func street() (Points, []Step) {
	var p Points
	var steps []Step
	for i, s := range []struct {
		from, to float32
		action   strips.ActionID
	}{{0, 5, 1}, {0, 5, 1}, {0, 5, 2}, {5, 10, 1}, {5, 10, 1}, {5, 10, 1}, {10, 5, 2}, {5, 0, 2},
		{30, 35, 3}, {35, 30, 3}} {
		steps = append(steps, Step{2 * i, 2*i + 1, s.action})
		jitter := 0.02 * float32(i)
		p.Dims, p.values = 1, append(p.values, s.from+jitter, s.to-jitter)
	}
	return p, steps
}

// places are the clusters of street's points.
var places = []int{0, 1, 0, 1, 0, 1, 1, 2, 1, 2, 1, 2, 2, 1, 1, 0, 3, 4, 4, 3}

func TestBuildLabelsEdgesByMajority(t *testing.T) {
	p, steps := street()
	r := Build(p, places, steps)
	want := []Edge{{0, 1, 1, 2, 3}, {1, 2, 1, 3, 3}, {1, 0, 2, 1, 1}, {2, 1, 2, 1, 1}, {3, 4, 3, 1, 1},
		{4, 3, 3, 1, 1}}
	if !slices.Equal(r.Edges, want) || len(r.Nodes) != 5 || r.Components() != 2 {
		t.Fatalf("%d nodes, %d components, edges %v, want %v", len(r.Nodes), r.Components(), r.Edges,
			want)
	}
	if n := r.Nodes[0]; n.Points != 4 || math.Abs(float64(n.Centre[0])-(0.02+0.04-0.14)/4) > 1e-5 {
		t.Errorf("the left is %+v", n)
	}
	noise := slices.Clone(places)
	noise[16], noise[19] = -1, -1
	if lone := Build(p, noise, steps); len(lone.Nodes) != 3 || len(lone.Edges) != 4 {
		t.Errorf(
			"%d nodes and %d edges: want no edge from what is in no cluster, and no node without one",
			len(lone.Nodes), len(lone.Edges))
	}
}

func TestPlanTakesTheNearestNodes(t *testing.T) {
	p, steps := street()
	r := Build(p, places, steps)
	for _, c := range []struct {
		start, goal float32
		plan        []strips.ActionID
		found       bool
	}{
		{0.4, 9, []strips.ActionID{1, 1}, true}, {14, -3, []strips.ActionID{2, 2}, true},
		{4, 6, nil, true},
		{0, 30, nil, false}, {35, 0, nil, false},
	} {
		if plan, found := r.Plan([]float32{c.start}, []float32{c.goal}); found != c.found ||
			!slices.Equal(plan, c.plan) {
			t.Errorf("from %g to %g: %v %v, want %v %v", c.start, c.goal, found, plan, c.found, c.plan)
		}
	}
	if _, found := (&Roadmap{Dims: 1}).Plan([]float32{0}, []float32{0}); found {
		t.Error("an empty roadmap has a plan")
	}
}

// TestOptimiseFindsTheStates cuts between places, and not finer than it takes to connect them.
func TestOptimiseFindsTheStates(t *testing.T) {
	p, steps := street()
	for name, linkage := range map[string]func(Points) Dendrogram{"single": Single,
		"average": Average} {
		labels, threshold := Optimise(linkage(p), steps, 2)
		if r := Build(p, labels, steps); r.Components() != 2 || !within(labels, places) ||
			len(groups(labels)) > 7 || threshold > 1 {
			t.Errorf("%s: clusters %v at %g, want parts of %v", name, labels, threshold, places)
		}
		if labels, threshold := Optimise(linkage(p), steps, 1); Build(p, labels,
			steps).Components() > 1 || threshold < 4 {
			t.Errorf("%s: clusters %v at %g: want all in one component", name, labels, threshold)
		}
	}
}

// within says whether each cluster is part of one of the coarse ones.
func within(labels, wider []int) bool {
	return !slices.ContainsFunc(groups(labels), func(group []int) bool {
		return slices.ContainsFunc(group, func(i int) bool { return wider[i] != wider[group[0]] })
	})
}

// TestOptimiseIsTheBest compares with all thresholds (the paper's equation 8).
func TestOptimiseIsTheBest(t *testing.T) {
	for name, linkage := range map[string]func(Points) Dendrogram{"single": Single,
		"average": Average} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := drawn(t)
				point := rapid.IntRange(0, p.Len()-1)
				var steps []Step
				for range rapid.IntRange(0, 12).Draw(t, "steps") {
					steps = append(steps, Step{point.Draw(t, "from"), point.Draw(t, "to"),
						strips.ActionID(rapid.IntRange(1, 3).Draw(t, "action"))})
				}
				components := rapid.IntRange(0, 4).Draw(t, "components")
				d := linkage(p)
				best := -1
				for _, threshold := range append([]float32{0}, heights(d)...) {
					if r := Build(p, d.Cut(threshold), steps); r.Components() <= components {
						best = max(best, len(r.Edges))
					}
				}
				labels, _ := Optimise(d, steps, components)
				if r := Build(p, labels, steps); r.Components() > components || len(r.Edges) != best {
					t.Fatalf("%d edges in %d components, want %d edges in at most %d", len(r.Edges),
						r.Components(), best, components)
				}
			})
		})
	}
}

func heights(d Dendrogram) []float32 {
	var all []float32
	for _, m := range d.merges {
		all = append(all, m.height)
	}
	return all
}

// TestSampleStandsForAll spreads clusters of a few points over all.
func TestSampleStandsForAll(t *testing.T) {
	p, steps := street()
	chosen, nearest := p.Sample(19)
	if chosen.Len() != 19 || len(nearest) != p.Len() {
		t.Fatalf("%d points chosen, %v", chosen.Len(), nearest)
	}
	for i, j := range nearest {
		if best := chosen.Nearest(p.At(i)); distance(chosen.At(j), p.At(i)) > distance(chosen.At(best),
			p.At(i)) {
			t.Errorf("point %d is nearer to %d than to %d", i, best, j)
		}
	}
	labels, _ := Optimise(Average(chosen), Between(steps, nearest), 2)
	if all := Spread(labels, nearest); !within(all, places) {
		t.Errorf("clusters %v, want parts of %v", all, places)
	}
}

func TestFileRefusesWhatMakesNoSense(t *testing.T) {
	p, steps := street()
	var whole bytes.Buffer
	r := Build(p, places, steps)
	if err := json.NewEncoder(&whole).Encode(r); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(bytes.NewReader(whole.Bytes())); err != nil ||
		!slices.Equal(got.Edges, r.Edges) || len(got.Nodes) != len(r.Nodes) {
		t.Fatalf("read back %+v, %v", got, err)
	}
	for name, replace := range map[string][2]string{
		"a node beyond all": {`"to":1`, `"to":7`}, "a negative node": {`"from":0`, `"from":-1`}, "no action": {`"action":1`, `"action":0`},
		"edges out of order": {`"from":0`, `"from":2`}, "centres of two numbers": {`"centre":[`, `"centre":[1,`},
		"no dimensions": {`"dims":1`, `"dims":0`}, "an unknown field": {`"dims"`, `"dim"`}, "half a file": {`"edges"`, ""},
	} {
		if _, err := Read(strings.NewReader(strings.Replace(whole.String(), replace[0], replace[1],
			1))); !errors.Is(err, ErrFile) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewPoints(2, make([]float32, 3)); err == nil {
		t.Error("three numbers are vectors of two")
	}
}

func FuzzRead(f *testing.F) {
	p, steps := street()
	whole, err := json.Marshal(Build(p, places, steps))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(`{"dims":1,"nodes":[{"centre":[0],"points":1}],"edges":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for i := range r.Nodes {
			r.Path(0, i)
			r.Plan(r.Nodes[i].Centre, r.Nodes[0].Centre)
		}
	})
}

func ExampleOptimise() {
	points, steps := street()
	labels, threshold := Optimise(Average(points), steps, 2)
	r := Build(points, labels, steps)
	fmt.Printf("%d nodes at %.2f\n", len(r.Nodes), threshold)
	fmt.Println(r.Plan([]float32{0}, []float32{10}))
	// Output:
	// 5 nodes at 0.34
	// [1 1] true
}
