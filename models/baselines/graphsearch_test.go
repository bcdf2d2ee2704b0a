package baselines

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/bundle"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/vision"
)

// three is the latent space of the tests: a digit a colour channel.
var three = vision.FSQ{Levels: 3, Dims: 3}

// colour is a picture of one colour.
func colour(r, g, b uint8) pixels.RGB {
	return pixels.RGB{Width: 20, Height: 10, Pix: slices.Repeat([]uint8{r, g, b}, 200)}
}

var (
	black  = colour(0, 0, 0)
	red    = colour(255, 0, 0)
	yellow = colour(255, 255, 0)
	blue   = colour(0, 0, 255)
	grey   = colour(128, 128, 128) // a colour that no node has
)

// paint is a graph of five pictures: action 1 reddens, 2 greens, and 3 washes,
// which sometimes leaves the red. Blue cannot be made, and dark yellow is
// another view of yellow.
func paint(t testing.TB) *taskgraph.Graph {
	t.Helper()
	b := taskgraph.NewBuilder([]string{"redden", "green", "wash"})
	for _, e := range []struct {
		from   string
		action strips.ActionID
		to     string
	}{{"000", 1, "200"}, {"200", 2, "220"}, {"220", 3, "000"}, {"220", 3, "200"}, {"200", 3, "000"}, {"002", 3, "000"}, {"110", 3, "000"}} {
		if err := b.Observe(e.from, e.action, e.to); err != nil {
			t.Fatal(err)
		}
	}
	g := b.Graph()
	codes := g.Codes()
	merged, _ := g.Merge([][]strips.StateID{{codes["220"], codes["110"]}})
	return merged
}

func newSearch(t testing.TB) *GraphSearch {
	t.Helper()
	s, err := NewGraphSearch(paint(t), colourEncoder(t), three)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestPlanFromPictures(t *testing.T) {
	s := newSearch(t)
	for name, c := range map[string]struct {
		start, goal pixels.RGB
		found       bool
		plan        []strips.ActionID
	}{
		"there already":              {red, red, true, nil},
		"two steps":                  {black, yellow, true, []strips.ActionID{1, 2}},
		"by an edge that may fail":   {yellow, red, true, []strips.ActionID{3}},
		"from the other view":        {colour(128, 128, 0), black, true, []strips.ActionID{3}},
		"cannot be made":             {black, blue, false, nil},
		"away from where none leads": {blue, yellow, true, []strips.ActionID{3, 1, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := s.Plan(c.start, c.goal)
			if err != nil || r.Found != c.found || !slices.Equal(r.Plan, c.plan) {
				t.Errorf("%v %v, %v, want %v %v", r.Found, r.Plan, err, c.found, c.plan)
			}
		})
	}
}

func TestUnknownCodeIsNamed(t *testing.T) {
	s := newSearch(t)
	for start, pair := range map[string][2]pixels.RGB{"start": {grey, black}, "goal": {black, grey}} {
		r, err := s.Plan(pair[0], pair[1])
		if !errors.Is(err, ErrUnrecognized) || !strings.HasPrefix(err.Error(), start) || !strings.Contains(err.Error(), "111") {
			t.Errorf("%s: %v, want ErrUnrecognized that names the code", start, err)
		}
		if r.Start.Known() == r.Goal.Known() {
			t.Errorf("%s: sights %+v", start, r)
		}
	}
	if _, err := s.Plan(black, pixels.RGB{Width: 1, Height: 1, Pix: make([]uint8, 3)}); !errors.Is(err, pixels.ErrImage) {
		t.Errorf("a picture smaller than the network's gave %v", err)
	}
}

// TestPathsAreShortest compares with distances relaxed edge by edge.
func TestPathsAreShortest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "nodes")
		g := &taskgraph.Graph{Labels: []string{"a", "b"}, Nodes: make([]taskgraph.Node, n)}
		node := rapid.IntRange(0, n-1)
		for range rapid.IntRange(0, 16).Draw(t, "edges") {
			g.Edges = append(g.Edges, taskgraph.Edge{Source: strips.StateID(node.Draw(t, "from")),
				Action: strips.ActionID(rapid.IntRange(1, 2).Draw(t, "action")), Target: strips.StateID(node.Draw(t, "to")), Support: 1})
		}
		slices.SortFunc(g.Edges, taskgraph.CompareEdges)
		from, to := strips.StateID(node.Draw(t, "start")), strips.StateID(node.Draw(t, "goal"))
		distance := make([]int, n)
		for i := range distance {
			distance[i] = n
		}
		distance[from] = 0
		for range n {
			for _, e := range g.Edges {
				distance[e.Target] = min(distance[e.Target], distance[e.Source]+1)
			}
		}
		plan, found := (&GraphSearch{graph: g}).path(from, to)
		if found != (distance[to] < n) || found && len(plan) != distance[to] {
			t.Fatalf("%v, %v: the distance is %d", plan, found, distance[to])
		}
		possible := map[strips.StateID]bool{from: true}
		for _, a := range plan {
			next := map[strips.StateID]bool{}
			for s := range possible {
				for _, target := range g.Targets(s, a) {
					next[target] = true
				}
			}
			possible = next
		}
		if found && !possible[to] {
			t.Fatalf("plan %v does not lead from %d to %d", plan, from, to)
		}
	})
}

func TestOpenFromBundle(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bundle")
	w, err := bundle.Create(dir, bundle.Manifest{Image: &bundle.Image{Height: 4, Width: 4, Encoding: "rgb8", Resize: "area"}})
	if err != nil {
		t.Fatal(err)
	}
	var graph bytes.Buffer
	if err := paint(t).WriteJSON(&graph); err != nil {
		t.Fatal(err)
	}
	if err := w.Add(bundle.Part{Role: bundle.Graph, File: "graph.json"}, graph.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := w.Add(bundle.Part{Role: bundle.Encoder, File: "encoder.onnx"}, colourModel(t)); err != nil {
		t.Fatal(err)
	}
	b, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	s, err := OpenGraphSearch(b, three, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if r, err := s.Plan(black, yellow); err != nil || !slices.Equal(r.Plan, []strips.ActionID{1, 2}) {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := OpenGraphSearch(b, vision.FSQ{Levels: 3, Dims: 5}, inference.Options{}); err == nil {
		t.Error("an encoder of 3 outputs was accepted for a latent space of 5")
	}
}

func ExampleGraphSearch_Plan() {
	t := &testing.T{}
	search, err := NewGraphSearch(paint(t), colourEncoder(t), three)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer search.Close()
	r, err := search.Plan(black, yellow)
	fmt.Println(r.Found, r.Plan, err)
	// Output: true [1 2] <nil>
}
