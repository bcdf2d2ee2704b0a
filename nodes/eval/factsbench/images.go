package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"

	"github.com/sourcegraph/conc/iter"

	"stripswm/models/facts"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/eval/ood"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/record"
	"stripswm/nodes/sim/scene"
)

// see photographs states and recognizes them; stream makes the images others than those of another
// call.
func (b *bench) see(ctx context.Context, states []sim.State, stream uint64) ([]facts.Recognition,
	error) {
	index := make([]int, len(states))
	for i := range index {
		index[i] = i
	}
	images, err := iter.Mapper[int, pixels.RGB]{MaxGoroutines: 2}.MapErr(index,
		func(i *int) (pixels.RGB, error) {
			img, err := camera.New(side, side).Render(b.truth.World(), states[*i],
				record.EvaluationSeed(b.seed, stream<<20|uint64(*i)))
			if err != nil {
				return pixels.RGB{}, err
			}
			return pixels.FromImage(img), nil
		})
	if err != nil {
		return nil, err
	}
	return b.recognizeAll(ctx, images)
}

func (b *bench) recognizeAll(ctx context.Context, images []pixels.RGB) ([]facts.Recognition,
	error) {
	frame := pixels.Frame{Side: b.data.Size, Fit: pixels.Letterbox}
	var packed []uint8
	for _, p := range images {
		small, err := frame.Of(p)
		if err != nil {
			return nil, err
		}
		packed = append(packed, small.Pix...)
	}
	return b.recognizer.Recognize(ctx, packed)
}

// recognize prints how well never-recorded states are recognized.
func (b *bench) recognize(ctx context.Context) error {
	const images = 1000
	states := make([]sim.State, images)
	for i := range states {
		states[i] = b.asked[b.rng.IntN(len(b.asked))]
	}
	seen, err := b.see(ctx, states, 1)
	if err != nil {
		return err
	}
	var raw, decoded, refused, inconsistent, wrong int
	for i, r := range seen {
		is := b.vectors[states[i]]
		if strips.StateOf(r.Raw) == is {
			raw++
		}
		right := r.Values != nil && strips.StateOf(r.Values) == is
		if right {
			decoded++
		}
		if r.Refusal != "" {
			refused++
		} else if !right {
			wrong++
		}
		if r.Refusal == facts.Inconsistent {
			inconsistent++
		}
	}
	fmt.Printf("%d images of the states asked about: %.1f %% exact by each output, %.1f %% decoded; "+
		"%.1f %% refused (%.1f inconsistent), %.2f %% accepted as another\n", images,
		percent(raw, images), percent(decoded, images), percent(refused, images),
		percent(inconsistent, images), percent(wrong, images))
	return nil
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// unrelated prints how many images are accepted that show no state.
func (b *bench) unrelated(ctx context.Context) error {
	const each = 100
	for _, k := range append(ood.Unrelated(), b.otherWorlds()...) {
		var images []pixels.RGB
		for range each / 4 {
			images = append(images, k.Draw(b.rng, side))
		}
		if err := b.accepted(ctx, k.Name, images); err != nil {
			return err
		}
	}
	for _, f := range scene.Faults() {
		var images []pixels.RGB
		for n := uint64(0); len(images) < each; n++ {
			s := b.asked[b.rng.IntN(len(b.asked))]
			img, err := b.faulty(s, f, record.EvaluationSeed(b.seed, 9<<30|n))
			if errors.Is(err, errUnseen) {
				continue
			}
			if err != nil {
				return err
			}
			images = append(images, img)
		}
		if err := b.accepted(ctx, string(f), images); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) accepted(ctx context.Context, name string, images []pixels.RGB) error {
	seen, err := b.recognizeAll(ctx, images)
	if err != nil {
		return err
	}
	accepted := 0
	for _, r := range seen {
		if r.Refusal == "" {
			accepted++
		}
	}
	n := len(seen)
	fmt.Printf("%s, %d images: %.1f %% accepted\n", name, n, percent(accepted, n))
	return nil
}

func (b *bench) otherWorlds() (kinds []ood.Kind) {
	for _, name := range sim.Tables() {
		w, err := sim.New(name)
		if err != nil || name == b.world {
			continue
		}
		kinds = append(kinds, ood.Kind{Name: "another world: " + name,
			Draw: func(rng *rand.Rand, side int) pixels.RGB {
				img, err := camera.New(side, side).Render(w, w.Initial(), rng.Uint64())
				if err != nil {
					panic(fmt.Sprintf("camera: %v", err)) // the size is one that it takes
				}
				return pixels.FromImage(img)
			}})
	}
	return kinds
}

// errUnseen: the fault is hidden, or there is no place for it.
var errUnseen = errors.New("the fault cannot be seen")

// faulty is an image of a state with a fault that can be seen.
func (b *bench) faulty(s sim.State, f scene.Fault, seed uint64) (pixels.RGB, error) {
	good, err := camera.New(side, side).Render(b.truth.World(), s, seed)
	if err != nil {
		return pixels.RGB{}, err
	}
	sc, err := sim.Faulty(b.truth.World(), s, f, b.rng, seed, 1)
	if errors.Is(err, sim.ErrNoPlace) {
		return pixels.RGB{}, errUnseen
	} else if err != nil {
		return pixels.RGB{}, err
	}
	img := image.NewRGBA(image.Rect(0, 0, side, side))
	if err := camera.New(side, side).Draw(img, sc, seed); err != nil {
		return pixels.RGB{}, err
	}
	is := pixels.FromImage(img)
	if !ood.Visible(pixels.FromImage(good), is) {
		return pixels.RGB{}, errUnseen
	}
	return is, nil
}
