package eval

import (
	"math/rand/v2"
	"slices"
	"testing"

	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/vision"
	"stripswm/nodes/sim/scene"
)

// TestAppearanceRefusesFaultyTables learns what BlocksWorld's states look like from their
// images alone, and asks all of them about tables that show none.
func TestAppearanceRefusesFaultyTables(t *testing.T) {
	const size, each, asked = 64, 40, 60
	_, truth := blocks(t)
	from := &simulated{truth, Options{Size: 2 * size, Nuisance: 1}}
	square := func(p pixels.RGB) []uint8 {
		small, err := p.Square(size, pixels.Letterbox)
		if err != nil {
			t.Fatal(err)
		}
		return small.Pix
	}
	states := truth.States()
	d := vision.NewDataset(size, 18, 0)
	var nodes []strips.StateID
	for k := range each * len(states) {
		taken, err := from.picture(states[k%len(states)], uint64(k), 1)()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.AddImage(square(taken)); err != nil {
			t.Fatal(err)
		}
		nodes = append(nodes, strips.StateID(k%len(states)))
	}
	for i, s := range states {
		for _, e := range truth.Out(s) {
			d.Transitions = append(d.Transitions, vision.Transition{
				Before: i, After: slices.Index(states, e.To), Action: e.Action,
			})
		}
	}
	a, err := vision.LearnAppearance(d, nodes, len(states))
	if err != nil {
		t.Fatal(err)
	}
	exported, err := a.Export()
	if err != nil {
		t.Fatal(err)
	}
	network, err := inference.Open(exported, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer network.Close()
	rng, known := rand.New(rand.NewPCG(1, 2)), make([]int, len(states))
	for i := range known {
		known[i] = i
	}
	names := []string{"good", "recompressed"}
	for _, f := range scene.Faults() {
		names = append(names, string(f))
	}
	for k, name := range names {
		accepted := 0
		for i := range asked {
			_, taken, err := from.faultyOf(k, known, uint64(asked*k+i), rng)
			if err != nil {
				t.Fatal(err)
			}
			distances, err := network.Run(square(taken))
			if err != nil {
				t.Fatal(err)
			}
			if slices.Min(distances) <= 1 {
				accepted++
			}
		}
		switch good := k < 2; {
		case good && accepted < asked*95/100:
			t.Errorf("%s: %d of %d accepted", name, accepted, asked)
		case !good && scene.Fault(name) != scene.Displaced && accepted > 0,
			!good && accepted > asked/10:
			t.Errorf("%s: %d of %d accepted as some state", name, accepted, asked)
		}
	}
}
