package eval

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"stripswm/models/appearance"
	"stripswm/models/dataset"
	"stripswm/models/inference/inferencetest"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/scene"
)

func TestEveryImageIsWhole(t *testing.T) {
	draw := func() (all []pixels.RGB) {
		rng := rand.New(rand.NewPCG(4, 0))
		for _, k := range Unrelated() {
			for _, side := range []int{48, 128} {
				p := k.Draw(rng, side)
				if p.Width != side || p.Height != side || len(p.Pix) != 3*side*side {
					t.Errorf("%s: %dx%d, %d bytes", k.Name, p.Width, p.Height, len(p.Pix))
				}
				all = append(all, p)
			}
		}
		base := all[5]
		base.Width, base.Height, base.Pix = 96, 64, all[5].Pix[:3*96*64]
		before := slices.Clone(base.Pix)
		for _, a := range Corrupted() {
			p := a.Corrupt(rng, base)
			if p.Width != 96 || p.Height != 64 || len(p.Pix) != len(base.Pix) {
				t.Errorf("%s: %dx%d, %d bytes", a.Name, p.Width, p.Height, len(p.Pix))
			}
			if slices.Equal(p.Pix, before) || !slices.Equal(base.Pix, before) {
				t.Errorf("%s leaves the image as it is, or spoils the one that it is given", a.Name)
			}
			all = append(all, p)
		}
		return all
	}
	first, again := draw(), draw()
	if len(Unrelated()) < 15 || len(Corrupted()) < 15 {
		t.Errorf("%d kinds and %d alterations", len(Unrelated()), len(Corrupted()))
	}
	for i := range first {
		if !slices.Equal(first[i].Pix, again[i].Pix) {
			t.Errorf("image %d is another the second time", i)
		}
	}
}

// kindsShown are what TestAppearanceRefusesFaultyTables and BenchmarkFaultyTables show.
var kindsShown = append([]scene.Fault{"good", "sent"}, scene.Faults()...)

// TestAppearanceRefusesFaultyTables learns what BlocksWorld's states look like from a
// recording as small as one of the first minutes on a robot.
func TestAppearanceRefusesFaultyTables(t *testing.T) {
	const good, faulty = 200, 60
	shares := acceptedShares(t, "blocksworld", 1, 320, func(k int) int {
		if k < 2 {
			return good
		}
		return faulty
	})
	for k, share := range shares {
		least, most := 0.0, 0.0
		switch {
		case k < 2:
			least, most = 0.98, 1
		case kindsShown[k] == scene.Displaced:
			most = 0.15
		}
		if share < least || share > most {
			t.Errorf("%s: %.1f %% accepted, want %.0f to %.0f", kindsShown[k], 100*share, 100*least,
				100*most)
		}
	}
}

// BenchmarkFaultyTables has the shares of good images refused and of faulty ones accepted, in
// percent, by what states look like alone and with the true states: the recognition check
// without its networks, of a recording of 2,000 transitions of each world.
func BenchmarkFaultyTables(b *testing.B) {
	for _, world := range []string{"blocksworld", "boxstacking", "dinnertable", "dinnertablereal",
		"keydoor", "lamps", "slidingpuzzle"} {
		b.Run(world, func(b *testing.B) {
			for b.Loop() {
				for k, share := range acceptedShares(b, world, 1, 2000, func(int) int { return 200 }) {
					if k < 2 {
						share = 1 - share
					}
					b.ReportMetric(100*share, "%"+strings.ReplaceAll(string(kindsShown[k]), " ", "-"))
				}
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// acceptedShares follows a policy in a world, learns what its states look like, and shows asked(k)
// images of each kind.
func acceptedShares(t testing.TB, name string, seed uint64, transitions int,
	asked func(k int) int,
) (shares []float64) {
	const size = 64
	w := must(sim.New(name))
	truth := must(sim.Explored(w, seed))
	from, states := allOf(truth, Options{Size: 2 * size, Nuisance: 1, Seed: seed}), truth.States()
	square := func(p pixels.RGB, err error) []uint8 {
		if err != nil {
			t.Fatal(err)
		}
		small := must(p.Square(size, pixels.Letterbox))
		return small.Pix
	}
	d := dataset.New(size, w.NumActions(), 2*transitions)
	var nodes []strips.StateID
	for step := range truth.RunPolicy(sim.Balanced, seed, transitions, sim.Faults{}) {
		if !step.OK {
			continue
		}
		d.Transitions = append(d.Transitions, dataset.Transition{Before: len(nodes),
			After: len(nodes) + 1, Action: step.Action})
		for _, s := range []sim.State{step.State, step.Next} {
			must(d.AddImage(square(from.image(s, 1<<40+uint64(len(nodes)), 1)())))
			nodes = append(nodes, strips.StateID(slices.Index(states, s)))
		}
	}
	a := must(appearance.Learn(d, nodes, len(states)))
	exported := must(a.Export())
	network := inferencetest.Open(t, exported)
	rng, known := rand.New(rand.NewPCG(seed, 2)), []int{}
	for i := range states {
		if slices.Contains(nodes, strips.StateID(i)) {
			known = append(known, i)
		}
	}
	for k := range kindsShown {
		accepted := 0
		for i := range asked(k) {
			_, taken, _, err := from.faultyOf(table{kind: k}, known, uint64(1000*k+i), rng)
			distances, runErr := network.Run(square(taken, err))
			if runErr != nil {
				t.Fatal(runErr)
			}
			if slices.Min(distances) <= 1 {
				accepted++
			}
		}
		shares = append(shares, float64(accepted)/float64(asked(k)))
	}
	return shares
}
