package eval

import (
	"context"
	"fmt"
	"math/rand/v2"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/eval/strange"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/record"
)

// Strangers is what a planner makes of one kind of pictures that it should not plan
// from, or only from the state that was shown before they were altered.
type Strangers struct {
	Kind     string `json:"kind"`
	Pictures int    `json:"pictures"`
	Right    int    `json:"right"` // taken for the state that the altered picture showed
	Wrong    int    `json:"wrong"` // taken for a state, another one or any
	// Mirror marks an alteration that may show another state of the world as it is.
	Mirror  bool                      `json:"mirror,omitempty"`
	Refused map[imageplan.Refusal]int `json:"refused,omitempty"` // by reason
	// Example is a picture that is taken for a wrong state, or else one for the right, or
	// else one that is refused.
	Example Sample `json:"-"`
}

// Sample is a picture and what it is taken for.
type Sample struct {
	Picture pixels.RGB
	imageplan.Recognition
	worth int
}

// Pictures of each kind of strangers, and altered ones.
const (
	foreignPictures = 40
	alteredPictures = 60
)

// foreign has the planner look at pictures that show no state, those of other worlds
// included.
func foreign(ctx context.Context, p *imageplan.Planner, from source, o Options) ([]Strangers, error) {
	const side = 128
	rng := rand.New(rand.NewPCG(o.Seed, 0xf04e))
	kinds := strange.Foreign()
	worlds, err := otherWorlds(from.truth().World(), o)
	if err != nil {
		return nil, err
	}
	var all []Strangers
	for i, k := range append(kinds, worlds...) {
		s := Strangers{Kind: k.Name, Refused: map[imageplan.Refusal]int{}}
		for range foreignPictures {
			if err := s.show(ctx, p, k.Draw(rng, side), strips.State{}); err != nil {
				return nil, err
			}
		}
		all = append(all, s)
		o.report("show foreign pictures", i+1, len(kinds)+len(worlds))
	}
	return all, nil
}

// otherWorlds are kinds of pictures: those of our worlds but for the one evaluated, if
// that is one of them.
func otherWorlds(here sim.World, o Options) ([]strange.Kind, error) {
	var kinds []strange.Kind
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
		kinds = append(kinds, strange.Kind{Name: "another world: " + name, Draw: func(rng *rand.Rand, side int) pixels.RGB {
			states := g.States()
			img, err := camera.New(side, side).Render(w, states[rng.IntN(len(states))], record.EvaluationSeed(o.Seed, rng.Uint64()))
			if err != nil {
				panic(fmt.Sprintf("camera: %v", err)) // of sizes that it does not take
			}
			return pixels.FromImage(img)
		}})
	}
	return kinds, nil
}

// altered has the planner look at pictures of known states that were tampered with.
func altered(ctx context.Context, p *imageplan.Planner, from source, s *stateRecognitions, o Options) ([]Strangers, error) {
	rng := rand.New(rand.NewPCG(o.Seed, 0xa17e))
	fresh := from.fresh(0)
	var orders []order
	var shown []strips.State
	for range alteredPictures {
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
	var all []Strangers
	for i, a := range strange.Altered() {
		k := Strangers{Kind: a.Name, Mirror: a.Mirror, Refused: map[imageplan.Refusal]int{}}
		for j, picture := range base {
			if err := k.show(ctx, p, a.Alter(rng, picture), shown[j]); err != nil {
				return nil, err
			}
		}
		all = append(all, k)
		o.report("show altered pictures", i+1, len(strange.Altered()))
	}
	return all, nil
}

// show counts what a picture is taken for; the zero State stands for none.
func (s *Strangers) show(ctx context.Context, p *imageplan.Planner, picture pixels.RGB, is strips.State) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r, err := p.Recognize(picture)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Kind, err)
	}
	s.Pictures++
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
		s.Example = Sample{picture, r, worth}
	}
	return nil
}
