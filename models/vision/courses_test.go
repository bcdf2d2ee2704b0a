package vision

import (
	"slices"
	"testing"

	"stripswm/models/taskgraph"
)

// TestDisputed has attempts at two nodes come out as most did, or not.
func TestDisputed(t *testing.T) {
	for name, c := range map[string]struct {
		succeeded, refused []string // nodes at which action 1 did
		want               float64
	}{
		"nothing":               {nil, nil, 0},
		"each as it is":         {[]string{"a", "a"}, []string{"b", "b"}, 0},
		"one of four otherwise": {[]string{"a", "a", "a"}, []string{"a"}, 0.25},
		"half of them":          {[]string{"a", "b"}, []string{"a", "b"}, 0.5},
	} {
		b := taskgraph.NewBuilder([]string{"go"})
		for _, node := range c.succeeded {
			if err := b.Observe(node, 1, "c"); err != nil {
				t.Fatal(err)
			}
		}
		for _, node := range c.refused {
			if err := b.Refuse(node, 1); err != nil {
				t.Fatal(err)
			}
		}
		if got := disputed(b.Graph()); got != c.want {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}

// TestBetter compares what two courses came to, of 100 transitions.
func TestBetter(t *testing.T) {
	learned := func(settled bool, codes, conflicts int) *Learned {
		return &Learned{Settled: settled, Chosen: Evaluation{Codes: codes, Conflicts: conflicts}}
	}
	for name, c := range map[string]struct {
		second, first *Learned
		want          bool
	}{
		"it settled":                         {learned(true, 20, 0), learned(false, 20, 0), true},
		"it settled, by heart":               {learned(true, 80, 0), learned(true, 20, 0), false},
		"neither, and it has less conflicts": {learned(false, 30, 1), learned(false, 20, 2), true},
		"neither, and it has as many":        {learned(false, 30, 2), learned(false, 20, 2), false},
		"the first settled, though disputed": {learned(false, 30, 0), learned(true, 20, 1), false},
	} {
		if got := c.second.better(c.first, 100); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestConvinces asks of a course that is believed up to a tenth of disputes and 20 visits whether another is to be tried.
func TestConvinces(t *testing.T) {
	c := course{disputed: 0.1, visits: 20}
	for name, k := range map[string]struct {
		settled     bool
		disputed    float64
		transitions int
		want        bool
	}{
		"few visits":    {true, 0.05, 200, true},
		"many":          {true, 0.05, 201, false},
		"disputes":      {true, 0.2, 100, false},
		"never settled": {false, 0, 100, false},
	} {
		l := &Learned{Settled: k.settled, Chosen: Evaluation{Codes: 10, Disputed: k.disputed}}
		if got := c.convinces(l, k.transitions); got != k.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestCourses asks what auto would try.
func TestCourses(t *testing.T) {
	for name, c := range map[string]struct {
		lasts       bool
		transitions int
		want        []string
	}{
		"what is no state changes from picture to picture": {false, 30, []string{"", Mild}},
		"it lasts, and hardly a state was seen often":      {true, 30, []string{Few}},
		"it lasts, and some may have been":                 {true, 300, []string{Few, Lasting}},
	} {
		var names []string
		for _, course := range Auto().courses(c.lasts, c.transitions) {
			names = append(names, course.name)
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%s: %q, want %q", name, names, c.want)
		}
	}
}
