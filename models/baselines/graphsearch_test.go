package baselines

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stripswm/models/bundle"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/taskgraph/graphtest"
	"stripswm/models/vision"
)

// three is the latent space of the tests: a digit a colour channel.
var three = vision.FSQ{Levels: 3, Dims: 3}

// colour is an image of one colour.
func colour(r, g, b uint8) pixels.RGB {
	return pixels.RGB{Width: 20, Height: 20, Pix: slices.Repeat([]uint8{r, g, b}, 400)}
}

var (
	black  = colour(0, 0, 0)
	red    = colour(255, 0, 0)
	yellow = colour(255, 255, 0)
	blue   = colour(0, 0, 255)
	grey   = colour(128, 128, 128) // a colour that no node has
)

// paint is a graph of five images: action 1 reddens, 2 greens, and 3 washes,
// which sometimes leaves the red. Blue cannot be made, and dark yellow is
// another view of yellow.
func paint() *taskgraph.Graph {
	g := graphtest.Of([]string{"redden", "green", "wash"}, "000 1 200", "200 2 220", "220 3 000",
		"220 3 200", "200 3 000", "002 3 000", "110 3 000")
	codes := g.Codes()
	merged, _ := g.Merge([][]strips.StateID{{codes["220"], codes["110"]}})
	return merged
}

func newSearch(t testing.TB) *GraphSearch {
	t.Helper()
	s := NewGraphSearch(paint(), colourCoder())
	t.Cleanup(func() { s.Close() })
	return s
}

func TestPlanFromImages(t *testing.T) {
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
			plan, found, err := s.Plan(t.Context(), c.start, c.goal)
			if err != nil || found != c.found || !slices.Equal(plan, c.plan) {
				t.Errorf("%v %v, %v, want %v %v", found, plan, err, c.found, c.plan)
			}
		})
	}
}

func TestUnknownCode(t *testing.T) {
	s := newSearch(t)
	for start, pair := range map[string][2]pixels.RGB{"start": {grey, black},
		"goal": {black, grey}} {
		_, found, err := s.Plan(t.Context(), pair[0], pair[1])
		if found || !errors.Is(err, ErrUnrecognized) || !strings.HasPrefix(err.Error(), start) ||
			!strings.Contains(err.Error(), "111") {
			t.Errorf("%s: %v, want ErrUnrecognized that names the code", start, err)
		}
	}
	if _, _, err := s.Plan(t.Context(), black,
		pixels.RGB{Width: 1, Height: 1, Pix: make([]uint8, 2)}); !errors.Is(err, pixels.ErrImage) {
		t.Errorf("an image with missing bytes gave %v", err)
	}
}

// TestCodeOfAliasedStates has two states with red images: from the one seen more
// often green leads to yellow, from the other to blue.
func TestCodeOfAliasedStates(t *testing.T) {
	s := NewGraphSearch(graphtest.Of([]string{"redden", "green", "fade"}, "200.0 2 220 2",
		"000 1 200.0", "002 1 200.1", "200.1 2 002", "200.1 3 022"), colourCoder())
	defer s.Close()
	if r, err := s.Recognize(red); err != nil || r.Code != "200" || len(r.Nodes) != 2 {
		t.Fatalf("red is %+v, %v: want both states", r, err)
	}
	for name, c := range map[string]struct {
		start, goal pixels.RGB
		plan        []strips.ActionID
	}{
		"the more frequent": {red, yellow, []strips.ActionID{2}},
		"the other":         {red, shade("022"), []strips.ActionID{3}},
		"to either":         {blue, red, []strips.ActionID{1}},
	} {
		if plan, found, err := s.Plan(t.Context(), c.start, c.goal); err != nil || !found ||
			!slices.Equal(plan, c.plan) {
			t.Errorf("%s: %v %v, %v: want %v", name, found, plan, err, c.plan)
		}
	}
}

// written is a bundle of the task graph and the networks, with the given space of codes.
func written(t testing.TB, codes *bundle.Codes, leave ...bundle.Role) *bundle.Bundle {
	t.Helper()
	w, err := bundle.Create(filepath.Join(t.TempDir(), "bundle"), bundle.Manifest{Codes: codes,
		Image: &bundle.Image{Height: 4, Width: 4, Encoding: "rgb8", Resize: "area"}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	var graph bytes.Buffer
	g := paint()
	g.Labels = append(g.Labels, "darken", "thin", "fade", "keep") // the dynamics' actions
	if err := g.WriteJSON(&graph); err != nil {
		t.Fatal(err)
	}
	for _, p := range []struct {
		part bundle.Part
		data []byte
	}{
		{bundle.Part{Role: bundle.Graph, File: "graph.json"}, graph.Bytes()},
		{bundle.Part{Role: bundle.Encoder, File: "encoder.onnx"}, colourModel()},
		{bundle.Part{Role: bundle.Dynamics, File: "dynamics.onnx",
			From: map[bundle.Role]string{bundle.Encoder: ""}}, brushModel(3)},
	} {
		if slices.Contains(leave, p.part.Role) {
			continue
		}
		if err := w.Add(p.part, p.data); err != nil {
			t.Fatal(err)
		}
	}
	b, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestBaselinesOfABundle opens all that a bundle has the parts for.
func TestBaselinesOfABundle(t *testing.T) {
	b := written(t, &bundle.Codes{Levels: 3, Dims: 3})
	var names []string
	for _, l := range In(b) {
		names = append(names, l.Name)
		p, err := l.Open(b, inference.Options{})
		if err != nil {
			t.Fatalf("%s: %v", l.Name, err)
		}
		if plan, found, err := p.Plan(t.Context(), black, red); err != nil || !found ||
			len(plan) == 0 {
			t.Errorf("%s: %v, %v, %v", l.Name, plan, found, err)
		}
		if err := p.Close(); err != nil {
			t.Errorf("%s: %v", l.Name, err)
		}
	}
	if want := []string{"graph search", "WM-BFS", "WM-Rollout"}; !slices.Equal(names, want) {
		t.Errorf("baselines %v of %d, want %v", names, len(All()), want)
	}
	if some := In(written(t, &bundle.Codes{Levels: 3, Dims: 3}, bundle.Dynamics)); len(some) != 1 {
		t.Errorf("without dynamics: %v", some)
	}
	old := written(t, &bundle.Codes{Levels: 3, Dims: 3})
	old.Manifest.Codes = nil // as one of format 1 that was put together from parts
	if _, err := OpenGraphSearch(old, inference.Options{}); err == nil ||
		!strings.Contains(err.Error(), "learn again") || len(In(old)) != 0 {
		t.Errorf("without a space of codes: %v, and %v", err, In(old))
	}
	even := written(t, &bundle.Codes{Levels: 4, Dims: 3})
	for _, l := range In(even) {
		if _, err := l.Open(even, inference.Options{}); err == nil ||
			!strings.Contains(err.Error(), even.Dir) {
			t.Errorf("%s took codes of 4 levels: %v", l.Name, err)
		}
	}
}

func ExampleGraphSearch_Plan() {
	search := NewGraphSearch(paint(), colourCoder())
	defer search.Close()
	fmt.Println(search.Plan(context.Background(), black, yellow))
	// Output: [1 2] true <nil>
}
