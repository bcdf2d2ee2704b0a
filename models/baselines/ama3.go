package baselines

import (
	"context"
	"errors"
	"fmt"

	"stripswm/models/bundle"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/vision"
)

// The parts of AMA3's bundle, beside the operators (bundle.Model).
const (
	AMA3Encoder bundle.Role = "ama3-encoder" // image -> how likely each bit holds, ONNX
	AMA3Decoder bundle.Role = "ama3-decoder" // bits -> image, ONNX
	AMA3Curve   bundle.Role = "ama3-curve"   // []autoencoder.Point, JSON
)

func init() {
	register(Baseline{ID: "ama3", Name: "LatPlan-AMA3",
		Needs: []bundle.Role{AMA3Encoder, AMA3Decoder, bundle.Model},
		Open: func(b *bundle.Bundle, o inference.Options) (Planner,
			error) {
			return OpenAMA3(b, o)
		}})
}

// AMA3 plans with operators over the bits of images. Every image has bits, so that none is refused;
// the goal is all bits of its image. It is not safe for concurrent use.
type AMA3 struct {
	encoder *inference.Network
	frame   pixels.Frame
	labels  *strips.Model     // each operator an action of its own
	actions []strips.ActionID // of the labels, by label-1
	search  *planner.Planner  // of labels
	decoder string            // its file
	options inference.Options
}

// OpenAMA3 loads encoder and operators of a bundle.
func OpenAMA3(b *bundle.Bundle, o inference.Options) (*AMA3, error) {
	path, err := b.Path(AMA3Encoder)
	if err != nil {
		return nil, err
	}
	decoder, err := b.Path(AMA3Decoder)
	if err != nil {
		return nil, err
	}
	frame, err := vision.FrameOf(b)
	if err != nil {
		return nil, err
	}
	model, err := b.Operators()
	if err != nil {
		return nil, err
	}
	labels, actions := eachAnAction(model)
	search, err := planner.New(labels)
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %w", b.Dir, err)
	}
	encoder, err := inference.OpenFile(path, o)
	if err != nil {
		return nil, err
	}
	if encoder.Outputs != model.Predicates {
		err := fmt.Errorf("bundle %s: the encoder has %d bits, the operators %d: learn again",
			b.Dir, encoder.Outputs, model.Predicates)
		return nil, errors.Join(err, encoder.Close())
	}
	return &AMA3{encoder, frame, labels, actions, search, decoder, o}, nil
}

// Labels is the operators, each an action of its own, and the action of each.
func (a *AMA3) Labels() (labels *strips.Model, actions []strips.ActionID) {
	return a.labels,
		a.actions
}

// Bits are those of an image of any size, each as it is likelier.
func (a *AMA3) Bits(image pixels.RGB) (strips.State, error) {
	small, err := a.frame.Of(image)
	if err != nil {
		return strips.State{}, err
	}
	likely, err := a.encoder.Run(small.Pix)
	if err != nil {
		return strips.State{}, err
	}
	return strips.Likelier(likely), nil
}

// Plan is a shortest plan between the bits of two images, found and replayed by our planner;
// found is false where there is none among the first MaxCodes states.
func (a *AMA3) Plan(ctx context.Context, start, goal pixels.RGB) (plan []strips.ActionID,
	found bool, err error) {
	_, labels, found, err := a.find(ctx, start, goal)
	for _, l := range labels {
		plan = append(plan, a.actions[l-1])
	}
	return plan, found, err
}

// find is a plan of labels, and the bits where it starts.
func (a *AMA3) find(ctx context.Context, start, goal pixels.RGB) (from strips.State,
	labels []strips.ActionID, found bool, err error) {
	from, to, err := ends(a.Bits, start, goal)
	if err != nil {
		return from, nil, false, err
	}
	r, err := a.search.Find(ctx, from, to, planner.AStar, planner.Limits{States: MaxCodes})
	return from, r.Plan, r.Outcome == planner.Found, err
}

// Imagine draws what the operators say of each step of the plan: the decoder's image of the
// bits after it.
func (a *AMA3) Imagine(ctx context.Context, start, goal pixels.RGB) ([]Imagined, bool, error) {
	bits, plan, found, err := a.find(ctx, start, goal)
	if err != nil || !found {
		return nil, false, err
	}
	decoder, err := inference.OpenDecoderFile(a.decoder, a.options)
	if err != nil {
		return nil, false, err
	}
	defer decoder.Close()
	var steps []Imagined
	for _, l := range plan {
		bits, _ = a.labels.Successor(bits, l)
		values := make([]float32, bits.Len())
		for p, holds := range bits.Bools() {
			if holds {
				values[p] = 1
			}
		}
		pix, err := decoder.Draw(values)
		if err != nil {
			return nil, false, err
		}
		steps = append(steps, Imagined{a.actions[l-1], a.labels.Label(l),
			pixels.RGB{Width: decoder.Side, Height: decoder.Side, Pix: pix}})
	}
	return steps, true, nil
}

// Close frees the encoder.
func (a *AMA3) Close() error { return a.encoder.Close() }
