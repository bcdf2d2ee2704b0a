package diagnostics_test

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"stripswm/models/dataset"
	"stripswm/models/identity"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/learn"
	"stripswm/nodes/learn/diagnostics"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

// filmed is a policy through a world with the camera's images, and its true states as
// what was learned.
func filmed(t *testing.T, world string, transitions int, seed uint64) diagnostics.Learned {
	t.Helper()
	w := must(sim.New(world))
	dir := filepath.Join(t.TempDir(), "bag")
	must(record.Run(t.Context(), w, dir, record.Options{
		Transitions: transitions, Policy: sim.Uniform, Seed: seed, Size: 64, Quality: 90, Nuisance: 1,
		Workers: 2}))
	r := must(learn.Load(t.Context(), dir, learn.Frame{Side: 64, Fit: pixels.Letterbox},
		w.NumActions(), nil))
	defer r.Close()
	steps := must(sim.RunPolicy(w, sim.Uniform, seed, transitions, sim.Faults{}))
	codes := make([]identity.Code, r.Data.Images())
	succeeded, refused := 0, 0
	for step := range steps {
		if step.OK {
			at := r.Data.Transitions[succeeded]
			codes[at.Before], codes[at.After] = identity.Code(fmt.Sprint(step.State)), identity.Code(
				fmt.Sprint(step.Next))
			succeeded++
			continue
		}
		codes[r.Data.Refused[refused].Before] = identity.Code(fmt.Sprint(step.State))
		refused++
	}
	return learned(r.Data, codes)
}

// learned is what came of data with these codes, nothing repaired.
func learned(d *dataset.Dataset, codes []identity.Code) diagnostics.Learned {
	labels := make([]string, d.Actions)
	for i := range labels {
		labels[i] = fmt.Sprintf("action_%d", i+1)
	}
	graph := must(identity.TaskGraph(d, codes, labels))
	return diagnostics.Learned{Data: d, Graph: graph, Nodes: identity.NewLocator(graph).Nodes(d,
		codes)}
}

// of is the diagnostic of a kind, nil where there is none.
func of(kind diagnostics.Kind, l diagnostics.Learned) *diagnostics.Diagnostic {
	for _, d := range diagnostics.Of(l) {
		if d.Kind == kind {
			return &d
		}
	}
	return nil
}

// TestCameraMoved has the camera moved by two or three of 64 pixels, or the light changed, at any
// static interval of a policy: it has to be noticed, and about when. Nothing may be noticed of a
// steps without that, or of one in which only something within the scene changed for good.
func TestCameraMoved(t *testing.T) {
	const transitions = 600
	changes := map[string]func(before []uint8, size int, pixel, colour int) uint8{
		"moved": func(before []uint8, size, pixel, colour int) uint8 {
			x, y := min(pixel%size+3, size-1), min(pixel/size+2, size-1)
			return before[3*(y*size+x)+colour]
		},
		"darker": func(before []uint8, _, pixel, colour int) uint8 {
			return uint8(float64(before[3*pixel+colour]) * 0.7)
		},
		"something put into a corner": func(before []uint8, size, pixel, colour int) uint8 {
			if pixel%size < size/3 && pixel/size < size/3 {
				return 40
			}
			return before[3*pixel+colour]
		},
	}
	from := regexp.MustCompile(`about transition (\d+)`)
	for _, world := range []string{"dinnertablereal", "keydoor", "slidingpuzzle", "lamps"} {
		if d := of(diagnostics.Moved, filmed(t, world, transitions, 1)); d != nil {
			t.Errorf("%s, untouched: %s", world, d.What)
		}
		l := filmed(t, world, transitions, 2)
		untouched := make([][]uint8, l.Data.Images())
		for image := range untouched {
			untouched[image] = slices.Clone(l.Data.Image(image))
		}
		for what, change := range changes {
			for _, at := range []int{180, 300, 470} {
				for image, img := range untouched {
					copy(l.Data.Image(image), img)
				}
				for image := l.Data.Transitions[at].Before; image < l.Data.Images(); image++ {
					img := l.Data.Image(image)
					for i := range img {
						img[i] = change(untouched[image], l.Data.Size, i/3, i%3)
					}
				}
				d := of(diagnostics.Moved, l)
				if what == "something put into a corner" {
					if d != nil {
						t.Errorf("%s, %s: %s", world, what, d.What)
					}
					continue
				}
				if d == nil {
					t.Errorf("%s, %s at transition %d: not noticed", world, what, at)
					continue
				}
				if said, err := strconv.Atoi(from.FindStringSubmatch(d.What)[1]); err != nil ||
					max(said-at, at-said) > transitions/12 {
					t.Errorf("%s, %s at transition %d: %s", world, what, at, d.What)
				}
				for _, e := range d.Examples {
					if l.Nodes[e.Left] != l.Nodes[e.Right] {
						t.Errorf("%s, %s: an example has states %d and %d", world, what, l.Nodes[e.Left],
							l.Nodes[e.Right])
					}
				}
			}
		}
	}
}

// corridor is a policy between rooms in a row, to the right (1) and to the left (2).
func corridor(rooms ...int) diagnostics.Learned {
	d := dataset.New(1, 2, 0)
	var codes []identity.Code
	show := func(room int) int {
		image := must(d.AddImage([]uint8{0, 0, 0}))
		codes = append(codes, identity.Code(fmt.Sprint("room", room)))
		return image
	}
	for i, room := range rooms[:len(rooms)-1] {
		tr := dataset.Transition{Before: show(room), Action: 1, After: show(rooms[i+1]), Follows: i > 0}
		if rooms[i+1] < room {
			tr.Action = 2
		}
		must(0, d.AddTransition(tr))
	}
	return learned(d, codes)
}

func TestRareStates(t *testing.T) {
	tests := []struct {
		name  string
		steps []int
		want  []string
	}{
		{"each often enough", []int{1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3}, nil},
		{"one once", []int{1, 2, 1, 2, 1, 2, 3}, []string{"state 2, seen at 1 static interval"}},
		{"two twice", []int{1, 2, 3, 2, 1, 2, 3, 2}, []string{"state 0, seen at 2 static intervals",
			"state 2, seen at 2 static intervals"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var words []string
			if d := of(diagnostics.Rare, corridor(test.steps...)); d != nil {
				for _, e := range d.Examples {
					words = append(words, e.Words)
				}
			}
			if !slices.Equal(words, test.want) {
				t.Errorf("got %q, want %q", words, test.want)
			}
		})
	}
}

// TestLabels gives transitions that the graph does not have, as repair leaves them.
func TestLabels(t *testing.T) {
	l := corridor(1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3)
	if d := of(diagnostics.Labels, l); d != nil {
		t.Errorf("of a graph that explains all: %+v", d)
	}
	l.Graph.Edges = slices.DeleteFunc(l.Graph.Edges, func(e taskgraph.Edge) bool {
		return e.Source == 2 && e.Target == 1
	})
	d := of(diagnostics.Labels, l)
	if d == nil || len(d.Examples) != 2 {
		t.Fatalf("of a graph without 2 of 10 transitions: %+v", d)
	}
	for _, e := range d.Examples {
		if l.Nodes[e.Left] != 2 || l.Nodes[e.Right] != 1 {
			t.Errorf("example of %d to %d, want 2 to 1", l.Nodes[e.Left], l.Nodes[e.Right])
		}
	}
	for share, want := range map[float64]bool{0: false, 0.5: true, 0.99: false} {
		named := corridor(1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3)
		named.Named = share
		if got := of(diagnostics.Labels, named) != nil; got != want {
			t.Errorf("%g of the actions named: diagnostic %t, want %t", share, got, want)
		}
	}
}

// TestWrongLabelsAreNoNews has the last transitions under a label that the graph leaves out.
func TestWrongLabelsAreNoNews(t *testing.T) {
	l := corridor(1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 1)
	l.Data.Transitions[9].Action = 1 // from room 2 to 1, where 2 leads
	if share := diagnostics.NextNew(l); share != 0 {
		t.Errorf("%g of the last tenth is new", share)
	}
}

// TestAliased has a classifier that confuses some of a state's own images with another's.
func TestAliased(t *testing.T) {
	l := corridor(1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3)
	of2 := 0
	for taken, want := range []bool{false, false, true, true} { // one image is not enough
		l.Read, of2 = map[int]strips.StateID{}, 0
		for image, node := range l.Nodes {
			l.Read[image] = node
			if node == 2 && of2 < taken {
				l.Read[image] = 0
				of2++
			}
		}
		if got := of(diagnostics.Confused, l); (got != nil) != want || want &&
			(l.Nodes[got.Examples[0].Left] != 2 || l.Nodes[got.Examples[0].Right] != 0) {
			t.Errorf("%d images classified as another state's: %+v", taken, got)
		}
	}
}

// paint has each image show its node and nothing else.
func paint(l diagnostics.Learned) {
	for image, node := range l.Nodes {
		for i := range l.Data.Image(image) {
			l.Data.Image(image)[i] = uint8(40 * node)
		}
	}
}

// TestConfusedThoughImagesDiffer has a classifier confuse states whose images differ: that is no
// fault of the camera.
func TestConfusedThoughImagesDiffer(t *testing.T) {
	l := corridor(1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3)
	paint(l)
	l.Read = map[int]strips.StateID{}
	for image, node := range l.Nodes {
		l.Read[image] = min(node, 1)
	}
	d := of(diagnostics.Confused, l)
	if d == nil || strings.Contains(d.What, "do not show") || strings.Contains(d.Do, "camera") {
		t.Errorf("states 1 and 2 confused: %+v", d)
	}
}

// TestMerged merges two states that images without noise show to be two, two states that an
// action leads from to different ones, and one where an action applies with one where it does
// not; states as they are, with the images of cameras, are no reason to warn.
func TestMerged(t *testing.T) {
	for _, world := range []string{"dinnertablereal", "keydoor"} {
		if d := of(diagnostics.Merged, filmed(t, world, 600, 1)); d != nil {
			t.Errorf("%s: %+v", world, d)
		}
	}
	steps := []int{1, 2, 3, 4, 3, 2, 1, 2, 3, 4, 3, 2, 1, 2, 3, 4, 3, 2, 1, 2, 3, 4}
	merge := func(l diagnostics.Learned, one, other int) diagnostics.Learned {
		codes := make([]identity.Code, len(l.Nodes))
		for image, node := range l.Nodes {
			if codes[image] = identity.Code(fmt.Sprint(node)); int(node) == other {
				codes[image] = identity.Code(fmt.Sprint(one))
			}
		}
		return learned(l.Data, codes)
	}
	l := corridor(steps...)
	if d := of(diagnostics.Merged, l); d != nil {
		t.Errorf("nothing merged: %+v", d)
	}
	if d := of(diagnostics.Merged, merge(l, 1, 2)); d == nil {
		t.Error("no action leads to one state from rooms 2 and 3, and nothing is said of it")
	}
	if d := of(diagnostics.Merged, merge(l, 0, 3)); d != nil {
		t.Errorf("nothing shows that the ends of the corridor are two: %+v", d)
	}
	for _, at := range l.Data.Transitions { // the door to the left is closed at the left end
		if l.Nodes[at.Before] == 0 {
			l.Data.Refused = append(l.Data.Refused, dataset.Transition{Before: at.Before, After: at.Before,
				Action: 2})
		}
	}
	if d := of(diagnostics.Merged, merge(l, 0, 3)); d == nil {
		t.Error("action 2 is refused at one end only, and nothing is said of it")
	}
	l = corridor(steps...)
	paint(l)
	d := of(diagnostics.Merged, merge(l, 0, 3))
	if d == nil || len(d.Examples) != 1 ||
		l.Nodes[d.Examples[0].Left] == l.Nodes[d.Examples[0].Right] {
		t.Errorf("the ends of the corridor have images of two kinds: %+v", d)
	}
}

// TestUnseen compares the estimate with what there is left to see: the probability that the
// transition after a policy is one of a state and an action that the policy did not have.
func TestUnseen(t *testing.T) {
	for _, world := range []string{"dinnertablereal", "keydoor", "slidingpuzzle"} {
		w := must(sim.New(world))
		for _, transitions := range []int{100, 300, 1000, 3000} {
			const policies = 200
			estimate, new := 0.0, 0.0
			for seed := range uint64(policies) {
				steps := must(sim.RunPolicy(w, sim.Uniform, seed+1, transitions+1, sim.Faults{}))
				d := dataset.New(1, w.NumActions(), 0)
				var codes []identity.Code
				known := map[[2]string]bool{}
				for s := range steps {
					if !s.OK {
						continue
					}
					pair := [2]string{fmt.Sprint(s.State), fmt.Sprint(s.Action)}
					if len(d.Transitions) == transitions {
						if !known[pair] {
							new++
						}
						break
					}
					known[pair] = true
					codes = append(codes, identity.Code(fmt.Sprint(s.State)), identity.Code(fmt.Sprint(s.Next)))
					d.Transitions = append(d.Transitions, dataset.Transition{Before: len(codes) - 2,
						Action: s.Action, After: len(codes) - 1})
				}
				estimate += diagnostics.NextNew(learned(d, codes)) / policies
			}
			t.Logf("%s, %d transitions: estimate %.3f, new %.3f", world, transitions, estimate, new/policies)
			if off := estimate - new/policies; max(off, -off) > 0.02+3*math.Sqrt(new)/policies {
				t.Errorf("%s, %d transitions: estimate %.3f, new %.3f", world, transitions, estimate,
					new/policies)
			}
		}
	}
}

// must is for what fails in no test.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
