package eval

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"math/rand/v2"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/eval/ood"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
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
	kinds := []OutOfDistribution{{Kind: "as it is"}, {Kind: "compressed again, JPEG quality 75"}}
	for _, f := range scene.Faults() {
		kinds = append(kinds, OutOfDistribution{Kind: string(f)})
	}
	for k := range kinds {
		kinds[k].Refused = map[imageplan.Refusal]int{}
		for i := range faultyImages {
			at, img, err := w.faultyOf(k, known, uint64(faultyImages*k+i), rng)
			if err != nil {
				return nil, err
			}
			if err := kinds[k].show(ctx, p, img, s.majority[at]); err != nil {
				return nil, err
			}
		}
		o.report("show faulty tables", k+1, len(kinds))
	}
	return &Faulty{Good: kinds[:2], Faults: kinds[2:]}, nil
}

// faultyOf draws an image of the k-th kind of one of the known states, by index. In some
// states a fault cannot be seen: then another state is drawn.
func (w *simulated) faultyOf(k int, known []int, number uint64,
	rng *rand.Rand,
) (at int, _ pixels.RGB, err error) {
	const tries = 20
	for range tries {
		at = known[rng.IntN(len(known))]
		img, visible, err := w.faulty(k, w.graph.States()[at], number, rng)
		if err != nil || visible {
			return at, img, err
		}
	}
	return 0, pixels.RGB{}, fmt.Errorf("%s: %s: cannot be seen in %d states", w.graph.World().Name(),
		scene.Faults()[k-2], tries)
}

// faulty draws an image of the k-th kind. A fault that is hardly seen, since something
// stands in front of it, is none: then another is drawn, and visible is false where that
// does not help.
func (w *simulated) faulty(k int, s sim.State, number uint64,
	rng *rand.Rand,
) (_ pixels.RGB, visible bool, _ error) {
	good, err := w.image(s, 1<<34+number, 1)()
	if err != nil {
		return good, false, err
	}
	switch k {
	case 0:
		return good, true, nil
	case 1:
		sent, err := recompressed(good)
		return sent, true, err
	}
	const tries = 20
	world, seed := w.graph.World(), record.EvaluationSeed(w.options.Seed, 1<<34+number)
	cam := camera.New(w.options.Size, w.options.Size)
	cam.Strength = w.options.Nuisance
	for range tries {
		sc, err := sim.Faulty(world, s, scene.Faults()[k-2], rng, seed, cam.Strength)
		if errors.Is(err, sim.ErrNoPlace) {
			return good, false, nil
		}
		if err != nil {
			return good, false, err
		}
		img := image.NewRGBA(image.Rect(0, 0, cam.Width, cam.Height))
		if err := cam.Draw(img, sc, seed); err != nil {
			return good, false, err
		}
		if bad := pixels.FromImage(img); ood.Visible(good, bad) {
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
