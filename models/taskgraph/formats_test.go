package taskgraph_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stripswm/models/taskgraph"
)

func TestReadsSampleGraphs(t *testing.T) {
	for name, want := range map[string]taskgraph.Stats{
		"blocksworld":     {States: 16, Actions: 18, Edges: 36, Pairs: 36},
		"hanoi_3x3":       {States: 27, Actions: 36, Edges: 78, Pairs: 78},
		"arrow_4":         {States: 8, Actions: 4, Edges: 24, Pairs: 18, Nondeterministic: 4},
		"gripper3ops_2x0": {States: 28, Actions: 3, Edges: 76, Pairs: 62, Nondeterministic: 10},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("testdata", name+".dfa")
			g, err := taskgraph.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := g.Stats()
			got = taskgraph.Stats{States: got.States, Actions: got.Actions, Edges: got.Edges,
				Pairs: got.Pairs, Nondeterministic: got.Nondeterministic}
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := g.WriteDFA(&out); err != nil {
				t.Fatal(err)
			}
			if again, err := taskgraph.ReadDFA(&out); err != nil || cmp.Diff(g, again) != "" {
				t.Errorf("reading %d bytes back: %v %s", len(text), err, cmp.Diff(g, again))
			}
		})
	}
}

func TestMalformedDFA(t *testing.T) {
	for name, text := range map[string]string{
		"empty":            "",
		"header":           "nfa 1 -1\n1 a\n1 0\n0\n",
		"huge":             "dfa 99999999999 -1\n1 a\n1 0\n",
		"negative":         "dfa -1 -1\n",
		"missing label":    "dfa 1 -1\n2 a\n1 0\n0\n",
		"repeated label":   "dfa 1 -1\n2 a a\n1 0\n0\n",
		"initial":          "dfa 1 -1\n1 a\n1 1\n0\n",
		"missing node":     "dfa 2 -1\n1 a\n1 0\n0\n",
		"missing target":   "dfa 1 -1\n1 a\n1 0\n1 a\n",
		"undeclared label": "dfa 1 -1\n1 a\n1 0\n1 b 0\n",
		"target outside":   "dfa 1 -1\n1 a\n1 0\n1 a 1\n",
		"text after":       "dfa 1 -1\n1 a\n1 0\n0\n0\n",
	} {
		if _, err := taskgraph.ReadDFA(strings.NewReader(text)); err == nil {
			t.Errorf("%s: no error", name)
		} else if !strings.HasPrefix(err.Error(), "dfa: line ") {
			t.Errorf("%s: error without its place: %v", name, err)
		}
	}
}

// formats are the ways to write and read a graph.
var formats = map[string]struct {
	write func(*taskgraph.Graph, io.Writer) error
	read  func(io.Reader) (*taskgraph.Graph, error)
}{
	"dfa":  {(*taskgraph.Graph).WriteDFA, taskgraph.ReadDFA},
	"json": {(*taskgraph.Graph).WriteJSON, taskgraph.ReadJSON},
	"dot":  {(*taskgraph.Graph).WriteDOT, taskgraph.ReadDOT},
}

// A file that is cut off anywhere before its last character is refused, however
// much like a smaller graph it looks.
func TestCutFilesAreRefused(t *testing.T) {
	for name, format := range formats {
		var text bytes.Buffer
		if err := format.write(door(), &text); err != nil {
			t.Fatal(err)
		}
		whole := strings.TrimSpace(text.String())
		for n := range len(whole) {
			if g, err := format.read(strings.NewReader(whole[:n])); err == nil {
				t.Fatalf("%s: cut after %d of %d bytes it is %d nodes and %d edges:\n%s", name, n, len(whole),
					len(g.Nodes), len(g.Edges), whole[:n])
			}
		}
	}
}

// otherDOT is Graphviz of another program.
const otherDOT = "digraph G {\n  a -> b [label=\"x\"];\n}\n"

func TestMalformedDOT(t *testing.T) {
	var text bytes.Buffer
	if err := door().WriteDOT(&text); err != nil {
		t.Fatal(err)
	}
	whole := text.String()
	change := func(from, to string) string {
		if !strings.Contains(whole, from) {
			t.Fatalf("no %q in\n%s", from, whole)
		}
		return strings.Replace(whole, from, to, 1)
	}
	for name, c := range map[string]struct{ text, says string }{
		"empty":             {"", "line 1"},
		"other program":     {otherDOT, "line 1"},
		"nothing in it":     {"digraph G {}\n", "line 1"},
		"cut":               {change("}\n", ""), "line 10: the file ends"},
		"text after":        {whole + "a -> b;\n", "line 11"},
		"twice":             {whole + whole, "line 11"},
		"another node":      {change("  1 [support", "  2 [support"), "line 6: node 2: want node 1"},
		"attribute cut":     {change(", penwidth", " //"), "line 7"},
		"another label":     {change(`action=1, support=2, label="open"`, `action=2, support=2, label="open"`), "line 7: edge: action 2"},
		"refused elsewhere": {change("1 -> 1 [refused", "1 -> 0 [refused"), "line 9"},
		"never seen":        {change("action=1, support=2", "action=1, support=0"), "line 7"},
		"too large to number": {change("action=1, support=2", "action=1, support=99999999999999999999"),
			"line 7"},
		"unknown target":    {change("0 -> 1 [action", "0 -> 5 [action"), "nodes 0..1"},
		"malformed aliases": {change(`code="shut"`, `code="shut", aliases="x"`), "line 5"},
	} {
		if _, err := taskgraph.ReadDOT(strings.NewReader(c.text)); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v does not say %q", name, err, c.says)
		}
	}
}

func TestMalformedJSON(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"empty":       {"", "byte 0 of 0"},
		"nothing":     {"{}", "labels, nodes and edges"},
		"null":        {"null", "labels, nodes and edges"},
		"no edges":    {`{"labels":[],"nodes":[]}`, "labels, nodes and edges"},
		"a model":     {`{"predicates":1,"actions":[],"states":[],"exceptions":[],"slack":[]}`, "labels, nodes and edges"},
		"a list":      {`[]`, "byte 1 of 2"},
		"cut":         {`{"labels":["a"],`, "byte 16 of 16"},
		"text after":  {`{"labels":[],"nodes":[],"edges":[]} {}`, "byte 37 of 38"},
		"word":        {`{"labels":["a"],"nodes":"none"}`, "byte 30 of 31"},
		"no such":     {`{"labels":["a"],"nodes":[],"edges":[{"source":0,"action":1,"target":0,"support":1}]}`, "edge 0"},
		"no support":  {`{"labels":["a"],"nodes":[{}],"edges":[{"source":0,"action":1,"target":0}]}`, "edge 0: support 0"},
		"no attempts": {`{"labels":["a"],"nodes":[{}],"edges":[],"refused":[{"state":0,"action":1}]}`, "refused attempt 0: count 0"},
	} {
		if _, err := taskgraph.ReadJSON(strings.NewReader(c.text)); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v does not say %q", name, err, c.says)
		}
	}
}

func TestJSONAndGraphvizKeepEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := graphs().Draw(t, "graph")
		var text, dot, again bytes.Buffer
		if err := g.WriteJSON(&text); err != nil {
			t.Fatal(err)
		}
		if err := g.WriteDOT(&dot); err != nil {
			t.Fatal(err)
		}
		fromJSON, err := taskgraph.ReadJSON(bytes.NewReader(text.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		fromDOT, err := taskgraph.ReadDOT(&dot)
		if err != nil {
			t.Fatal(err)
		}
		if err := fromDOT.WriteJSON(&again); err != nil {
			t.Fatal(err)
		}
		if again.String() != text.String() {
			t.Fatalf("through Graphviz:\n%s\nwant\n%s", again.String(), text.String())
		}
		again.Reset()
		if err := fromJSON.WriteJSON(&again); err != nil {
			t.Fatal(err)
		}
		if again.String() != text.String() {
			t.Fatalf("through JSON:\n%s\nwant\n%s", again.String(), text.String())
		}
	})
}

func FuzzReadDFA(f *testing.F) {
	f.Add("dfa 2 -1\n1 a\n1 0\n1 a 1\n1 a 0\n")
	f.Add("dfa 0 -1\n0\n0\n")
	f.Add("dfa 2 -1\n1 a\n1 0\n1 a 1\n1 a")
	f.Add("dfa 2 -1\n1 a\n1 0\n0\n1 a 1")
	f.Fuzz(func(t *testing.T, text string) {
		roundTrip(t, text, taskgraph.ReadDFA, (*taskgraph.Graph).WriteDFA)
	})
}

func FuzzReadJSON(f *testing.F) {
	f.Add(`{"labels":["a"],"nodes":[{"support":1,"code":"x"}],"edges":[{"source":0,"action":1,"target":0,"support":2}],"refused":[{"state":0,"action":1,"count":1}]}`)
	f.Add(`{}`)
	f.Add(`{"labels":["a"],"nodes":[{"support":1,"code":"x","aliases":["y"]}],"edges":[]}`)
	f.Fuzz(func(t *testing.T, text string) {
		roundTrip(t, text, taskgraph.ReadJSON, (*taskgraph.Graph).WriteJSON)
	})
}

func FuzzReadDOT(f *testing.F) {
	var dot bytes.Buffer
	if err := door().WriteDOT(&dot); err != nil {
		f.Fatal(err)
	}
	f.Add(dot.String())
	f.Add(dot.String()[:strings.Index(dot.String(), "];\n")+3])
	f.Add(otherDOT)
	f.Add("digraph taskgraph {\n0 [support=1, code=\"a\", aliases=\"[\\\"b\\\"]\"];\n}")
	f.Fuzz(func(t *testing.T, text string) {
		roundTrip(t, text, taskgraph.ReadDOT, (*taskgraph.Graph).WriteDOT)
	})
}

// roundTrip checks that what is accepted is valid and survives being written.
func roundTrip(t *testing.T, text string, read func(io.Reader) (*taskgraph.Graph, error),
	write func(*taskgraph.Graph, io.Writer) error,
) {
	g, err := read(strings.NewReader(text))
	if err != nil {
		return
	}
	if err := g.Validate(); err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	if err := write(g, &first); err != nil {
		t.Fatal(err)
	}
	again, err := read(bytes.NewReader(first.Bytes()))
	if err != nil {
		t.Fatalf("cannot read what was written: %v\n%s", err, first.String())
	}
	if err := write(again, &second); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() {
		t.Fatalf("written twice:\n%s\n%s", first.String(), second.String())
	}
}
