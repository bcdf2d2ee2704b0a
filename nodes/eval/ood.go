package eval

import (
	"context"
	"fmt"
	"math/rand/v2"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/eval/ood"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/record"
)

// OutOfDistribution is what a planner makes of one kind of images that it should not plan
// from, or only from the state that was shown before they were corrupted.
type OutOfDistribution struct {
	Kind   string `json:"kind"`
	Images int    `json:"images"`
	Right  int    `json:"right"` // classified as the state that the corrupted image showed
	Wrong  int    `json:"wrong"` // classified as a state, another one or any
	// Mirror marks an alteration that may show another state of the world as it is.
	Mirror  bool                      `json:"mirror,omitempty"`
	Refused map[imageplan.Refusal]int `json:"refused,omitempty"` // by reason
	// Example is an image that is classified as a wrong state, or else one for the right, or
	// else one that is refused.
	Example Sample `json:"-"`
}

// Sample is an image and what it is classified as.
type Sample struct {
	Image pixels.RGB
	imageplan.Recognition
	worth int
}

// Images of each kind of out-of-distribution images, and corrupted ones.
const (
	unrelatedImages = 40
	corruptedImages = 60
)

// unrelated has the planner look at images that show no state, those of other worlds
// included.
func unrelated(ctx context.Context, p *imageplan.Planner, from source,
	o Options,
) ([]OutOfDistribution, error) {
	const side = 128
	rng := rand.New(rand.NewPCG(o.Seed, streamUnrelated))
	kinds := ood.Unrelated()
	worlds, err := otherWorlds(from.truth().World(), o)
	if err != nil {
		return nil, err
	}
	var all []OutOfDistribution
	for i, k := range append(kinds, worlds...) {
		s := OutOfDistribution{Kind: k.Name, Refused: map[imageplan.Refusal]int{}}
		for range unrelatedImages {
			if err := s.show(ctx, p, k.Draw(rng, side), strips.State{}); err != nil {
				return nil, err
			}
		}
		all = append(all, s)
		o.report("show unrelated images", i+1, len(kinds)+len(worlds))
	}
	return all, nil
}

// otherWorlds are kinds of images: those of our worlds but for the one evaluated, if
// that is one of them.
func otherWorlds(here sim.World, o Options) ([]ood.Kind, error) {
	var kinds []ood.Kind
	for _, name := range sim.Tables() {
		if here != nil && name == sim.Table(here).Name() {
			continue
		}
		w, err := sim.New(name)
		if err != nil {
			return nil, err
		}
		g, err := sim.Explored(w, o.Seed)
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, ood.Kind{Name: "another world: " + name, Draw: func(rng *rand.Rand,
			side int) pixels.RGB {
			states := g.States()
			img, err := camera.New(side, side).Render(w, states[rng.IntN(len(states))],
				record.EvaluationSeed(o.Seed, rng.Uint64()))
			if err != nil {
				panic(fmt.Sprintf("camera: %v", err)) // of sizes that it does not take
			}
			return pixels.FromImage(img)
		}})
	}
	return kinds, nil
}

// corrupted has the planner look at images of known states that were tampered with.
func corrupted(ctx context.Context, p *imageplan.Planner, from source, s *stateRecognitions,
	o Options,
) ([]OutOfDistribution, error) {
	rng := rand.New(rand.NewPCG(o.Seed, streamCorrupted))
	fresh := from.fresh(0)
	var orders []order
	var shown []strips.State
	for range corruptedImages {
		i := rng.IntN(len(fresh))
		if len(fresh[i]) > 0 && s.majority[i] != (strips.State{}) {
			orders = append(orders, order{fresh[i][rng.IntN(len(fresh[i]))]})
			shown = append(shown, s.majority[i])
		}
	}
	var base []pixels.RGB
	if err := photograph(ctx, orders, o.Workers, func(taken shot) error {
		base = append(base, taken[0])
		return nil
	}); err != nil {
		return nil, err
	}
	var all []OutOfDistribution
	for i, a := range ood.Corrupted() {
		k := OutOfDistribution{Kind: a.Name, Mirror: a.Mirror, Refused: map[imageplan.Refusal]int{}}
		for j, img := range base {
			if err := k.show(ctx, p, a.Corrupt(rng, img), shown[j]); err != nil {
				return nil, err
			}
		}
		all = append(all, k)
		o.report("show corrupted images", i+1, len(ood.Corrupted()))
	}
	return all, nil
}

// show counts what an image is classified as; the zero State stands for none.
func (s *OutOfDistribution) show(ctx context.Context, p *imageplan.Planner, img pixels.RGB,
	is strips.State,
) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r, err := p.Recognize(img)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Kind, err)
	}
	s.Images++
	worth := 1 // as an example
	switch {
	case !r.Known():
		s.Refused[r.Refusal]++
	case is != (strips.State{}) && r.Code == is:
		s.Right++
		worth = 2
	default:
		s.Wrong++
		worth = 3
	}
	if worth > s.Example.worth {
		s.Example = Sample{img, r, worth}
	}
	return nil
}
