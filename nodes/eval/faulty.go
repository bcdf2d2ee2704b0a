package eval

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/jpeg"
	"math/rand/v2"
	"slices"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/eval/ood"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
	"stripswm/nodes/sim/scene"
)

// faultyImages are how many images of each fault are shown.
const faultyImages = 200

// Faulty is how the recognition check does: it must accept good images, and refuse tables
// that show no state.
type Faulty struct {
	// Good are new images of known states, as they are and compressed again. Right are
	// accepted as their state, Wrong as another.
	Good []OutOfDistribution `json:"good"`
	// Faults are images of tables on which something is wrong. Right are accepted as the
	// state that the table had before, Wrong as another; both should be none.
	Faults []OutOfDistribution `json:"faults"`
	// Changed are good images of a camera that was bumped, or in other light, and ChangedFaults what
	// must be refused there as well.
	Changed       []OutOfDistribution `json:"changed,omitempty"`
	ChangedFaults []OutOfDistribution `json:"changed_faults,omitempty"`
}

// table is a kind of images: of a table that is good (0), one whose image is compressed again (1),
// or one with a fault (from 2 on), by a camera and in a light that may have changed, and what comes
// into view then.
type table struct {
	name   string
	kind   int
	change ood.Change
	hides  func(rng *rand.Rand, p pixels.RGB) pixels.RGB
}

// tables lists those of Good, Faults, Changed and ChangedFaults.
func tables() (all [4][]table) {
	all[0] = []table{{name: "as it is"}, {name: "compressed again, JPEG quality 75", kind: 1}}
	for k, f := range scene.Faults() {
		all[1] = append(all[1], table{name: string(f), kind: k + 2})
		all[3] = append(all[3], table{name: string(f), kind: k + 2, change: ood.Both()})
	}
	for _, c := range ood.Changes() {
		all[2] = append(all[2], table{name: c.Name, change: c})
	}
	for _, c := range ood.Corrupted() {
		if c.Hides {
			all[3] = append(all[3], table{name: c.Name, change: ood.Both(), hides: c.Corrupt})
		}
	}
	return all
}

// faulty measures the recognition check. Only simulated worlds have faulty tables.
func faulty(ctx context.Context, p *imageplan.Planner, from source, s *stateRecognitions,
	o Options,
) (*Faulty, error) {
	w, ok := from.(*simulated)
	if !ok {
		return nil, nil
	}
	var known []int // states of the graph that the model knows
	for i, code := range s.majority {
		if code != (strips.State{}) {
			known = append(known, i)
		}
	}
	if len(known) == 0 {
		return nil, nil
	}
	rng := rand.New(rand.NewPCG(o.Seed, streamFaulty))
	var f Faulty
	lists, done, shown := tables(), 0, 0
	all := len(slices.Concat(lists[:]...))
	for l, to := range []*[]OutOfDistribution{&f.Good, &f.Faults, &f.Changed, &f.ChangedFaults} {
		for _, t := range lists[l] {
			kind := OutOfDistribution{Kind: t.name, Refused: map[imageplan.Refusal]int{}}
			for range faultyImages {
				at, img, err := w.faultyOf(t, known, uint64(shown), rng)
				if err != nil {
					return nil, err
				}
				shown++
				if err := kind.show(ctx, p, img, s.majority[at]); err != nil {
					return nil, err
				}
			}
			*to = append(*to, kind)
			done++
			o.report("show faulty tables", done, all)
		}
	}
	return &f, nil
}

// faultyOf draws an image of a table in one of the known states, by index. In some states a fault
// cannot be seen: then another state is drawn.
func (w *simulated) faultyOf(t table, known []int, number uint64,
	rng *rand.Rand,
) (at int, _ pixels.RGB, err error) {
	const tries = 20
	for range tries {
		at = known[rng.IntN(len(known))]
		img, visible, err := w.faulty(t, w.graph.States()[at], number, rng)
		if err == nil && visible && t.hides != nil {
			img = t.hides(rng, img)
		}
		if err != nil || visible {
			return at, img, err
		}
	}
	return 0, pixels.RGB{}, fmt.Errorf("%s: %s: cannot be seen in %d states", w.graph.World().Name(),
		t.name, tries)
}

// faulty draws an image of a table. A fault that is hardly seen, since something stands in front of
// it, is none: then another is drawn, and visible is false where that does not help.
func (w *simulated) faulty(t table, s sim.State, number uint64,
	rng *rand.Rand,
) (_ pixels.RGB, visible bool, _ error) {
	world, seed := w.graph.World(), record.EvaluationSeed(w.options.Seed, 1<<34+number)
	sc, err := world.Scene(s, scene.NewJitter(seed, w.options.Nuisance))
	if err != nil {
		return pixels.RGB{}, false, err
	}
	var change ood.Drawn
	if t.change != (ood.Change{}) {
		change = t.change.Draw(rng)
	}
	good, err := w.draw(sc, seed, change)
	if err != nil {
		return good, false, err
	}
	switch t.kind {
	case 0:
		return good, true, nil
	case 1:
		sent, err := recompressed(good)
		return sent, true, err
	}
	const tries = 20
	for range tries {
		sc, err := sim.Faulty(world, s, scene.Faults()[t.kind-2], rng, seed, w.options.Nuisance)
		if errors.Is(err, sim.ErrNoPlace) {
			return good, false, nil
		}
		if err != nil {
			return good, false, err
		}
		bad, err := w.draw(sc, seed, change)
		if err != nil {
			return good, false, err
		}
		if ood.Visible(good, bad) {
			return bad, true, nil
		}
	}
	return good, false, nil
}

func recompressed(p pixels.RGB) (pixels.RGB, error) {
	var b bytes.Buffer
	err := jpeg.Encode(&b, p.Image(), &jpeg.Options{Quality: 75})
	img, decodeErr := jpeg.Decode(&b)
	if err := errors.Join(err, decodeErr); err != nil {
		return p, err
	}
	return pixels.FromImage(img), nil
}
