package baselines

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"stripswm/models/baselines/autoencoder"
	"stripswm/models/bundle"
	"stripswm/models/dataset"
	"stripswm/models/inference"
	"stripswm/models/networks"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
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
		Open: func(b *bundle.Bundle, o inference.Options) (Planner, error) {
			return OpenAMA3(b, o)
		}})
}

// AMA3 plans with operators over the bits of images. Every image has bits, so that none is refused;
// the goal is all bits of its image. It is not safe for concurrent use.
type AMA3 struct {
	eye
	labels  *strips.Model     // each operator an action of its own
	actions []strips.ActionID // of the labels, by label-1
	search  *planner.Planner  // of labels
	bundle  *bundle.Bundle    // has the decoder
	options inference.Options
}

// OpenAMA3 loads encoder and operators of a bundle.
func OpenAMA3(b *bundle.Bundle, o inference.Options) (*AMA3, error) {
	model, err := b.Operators()
	if err != nil {
		return nil, err
	}
	labels, actions := eachAnAction(model)
	search, err := planner.New(labels)
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %w", b.Dir, err)
	}
	e, err := openEye(b, AMA3Encoder, o)
	if err != nil {
		return nil, err
	}
	if n := e.encoder.Outputs; n != model.Predicates {
		err := fmt.Errorf("bundle %s: the encoder has %d bits, the operators %d: learn again", b.Dir, n,
			model.Predicates)
		return nil, errors.Join(err, e.Close())
	}
	return &AMA3{e, labels, actions, search, b, o}, nil
}

// Labels is the operators, each an action of its own, and the action of each.
func (a *AMA3) Labels() (labels *strips.Model, actions []strips.ActionID) {
	return a.labels, a.actions
}

// Bits are those of an image of any size, each as it is likelier.
func (a *AMA3) Bits(image pixels.RGB) (strips.State, error) {
	likely, err := a.see(image)
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
	r, err := a.search.Find(ctx, from, to, planner.LandmarkCut, planner.Limits{States: MaxCodes})
	return from, r.Plan, r.Outcome == planner.Found, err
}

// Imagine draws what the operators say of each step of the plan: the decoder's image of the
// bits after it.
func (a *AMA3) Imagine(ctx context.Context, start, goal pixels.RGB) ([]Imagined, bool, error) {
	bits, plan, found, err := a.find(ctx, start, goal)
	if err != nil || !found {
		return nil, false, err
	}
	decoder, err := bundle.Use(a.bundle, AMA3Decoder, inference.OpenDecoder, a.options)
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

// codedTransition is a transition as codes.
type codedTransition struct {
	before, after strips.State
	action        strips.ActionID
}

// ama3Model has an operator for each label of each action. Its preconditions are the bits that have
// one value in all sources of the label. An action that was never seen has one operator without
// preconditions and effects, and so is in no shortest plan.
func ama3Model(name func(strips.ActionID) string, bits int, transitions []codedTransition,
	effects [][]autoencoder.Effect) *strips.Model {
	m := &strips.Model{Predicates: bits}
	for i, learned := range effects {
		a := strips.ActionID(i + 1)
		for _, l := range labels(transitions, a, learned) {
			op := strips.Operator{Action: a, Name: name(a)}
			shared(&op, bits, l.sources)
			for p, e := range l.effects {
				switch e {
				case autoencoder.Adds:
					op.Add = append(op.Add, strips.Predicate(p))
				case autoencoder.Deletes:
					op.Del = append(op.Del, strips.Predicate(p))
				}
			}
			m.Operators = append(m.Operators, op)
		}
	}
	return m
}

// eachAnAction makes each operator of a model an action of its own, a label, and says whose it was:
// where two apply, a plan may choose.
func eachAnAction(m *strips.Model) (labels *strips.Model, actions []strips.ActionID) {
	labels = &strips.Model{Predicates: m.Predicates}
	nth := map[strips.ActionID]int{}
	for i, op := range m.Operators {
		if nth[op.Action]++; nth[op.Action] > 1 {
			op.Name = fmt.Sprintf("%s (%d)", op.Name, nth[op.Action])
		}
		actions = append(actions, op.Action)
		op.Action = strips.ActionID(i + 1)
		labels.Operators = append(labels.Operators, op)
	}
	return labels, actions
}

// ama3Label is transitions of an action with the same effects.
type ama3Label struct {
	effects []autoencoder.Effect
	sources []strips.State
}

// labels are those of an action: one for the learned effects, and one for each set of bits in which
// these were seen to be wrong, with what was seen there. The published method, too, has as many
// labels as there are different effects. An action that was never seen has one without effects.
func labels(transitions []codedTransition, a strips.ActionID,
	effects []autoencoder.Effect) []ama3Label {
	var all []ama3Label
	for _, t := range transitions {
		if t.action != a {
			continue
		}
		seen := seenEffects(t, effects)
		i := slices.IndexFunc(all, func(l ama3Label) bool { return slices.Equal(l.effects, seen) })
		if i < 0 {
			i, all = len(all), append(all, ama3Label{effects: seen})
		}
		all[i].sources = append(all[i].sources, t.before)
	}
	if len(all) == 0 {
		return []ama3Label{{}}
	}
	return all
}

// seenEffects are the given ones, but where they are wrong for the transition, what was seen.
func seenEffects(t codedTransition, effects []autoencoder.Effect) []autoencoder.Effect {
	seen := slices.Clone(effects)
	for p, e := range effects {
		before, after := t.before.Get(strips.Predicate(p)), t.after.Get(strips.Predicate(p))
		if after == (e == autoencoder.Adds || e == autoencoder.Leaves && before) {
			continue
		}
		switch {
		case after == before:
			seen[p] = autoencoder.Leaves
		case after:
			seen[p] = autoencoder.Adds
		default:
			seen[p] = autoencoder.Deletes
		}
	}
	return seen
}

// shared asks for the bits that have one value in all sources.
func shared(op *strips.Operator, bits int, sources []strips.State) {
	for p := range strips.Predicate(bits) {
		held := 0
		for _, s := range sources {
			if s.Get(p) {
				held++
			}
		}
		switch {
		case len(sources) == 0:
		case held == len(sources):
			op.PrePos = append(op.PrePos, p)
		case held == 0:
			op.PreNeg = append(op.PreNeg, p)
		}
	}
}

func init() {
	registerLearner(Learner{ID: "ama3", Side: ama3Network.Decoder.Size, Learn: learnAMA3})
}

// ama3Network is the autoencoder of AMA3. docs/research/baselines.md says where it differs from the
// published one.
var ama3Network = autoencoder.Settings{
	Backbone: networks.Isotropic{Size: 64, Patch: 8, Dim: 32, Depth: 1, Kernel: 7, Expand: 4,
		Reduced: 16, Hidden: 64},
	Decoder: autoencoder.Decoder{Size: 64, Patch: 8, Dim: 32, Depth: 1, Kernel: 3, Expand: 4,
		Hidden: 128},
	Latent: autoencoder.CubeSpace{Bits: 50, Sigma: 0.1, Prior: 0.1, PriorShare: 1,
		Transition: 1000, Slow: 0.01, Hot: 5, Cold: 0.5, Intervals: true},
	Optimizer: networks.Optimizer{LearningRate: 2e-3, Warmup: 50, Beta1: 0.9, Beta2: 0.99},
	Batch:     32, Augment: true,
}

// ama3Steps is how many steps of training a recording wants: as long as our own method takes.
func ama3Steps(d *dataset.Dataset) int { return max(12_000, 2*len(d.Transitions)) }

// AMA3Summary is what came of learning.
type AMA3Summary struct {
	Steps          int     `json:"steps"`
	Prior          float64 `json:"prior_share"` // of the last training
	Reconstruction float64 `json:"reconstruction"`
	Bits           int     `json:"bits"`
	Used           int     `json:"used"` // bits that have both values somewhere
	Codes          int     `json:"codes"`
	Images         int     `json:"images"`
	Intervals      int     `json:"intervals"` // that have two images
	Stable         int     `json:"stable"`    // static intervals whose images have one code
	Transitions    int     `json:"transitions"`
	Foreseen       int     `json:"foreseen"` // whose action's learned effects give the code that was seen after
	Operators      int     `json:"operators"`
}

// learnAMA3 trains the autoencoder and reads the operators off it.
func learnAMA3(ctx context.Context, d *dataset.Dataset, o LearnOptions) (*Learned, error) {
	network, cube := ama3Network, ama3Network.Latent.(autoencoder.CubeSpace)
	cube.Actions, network.Steps = d.Actions, o.Steps
	if network.Latent = cube; o.Steps == 0 {
		network.Steps = ama3Steps(d)
	}
	learned, err := learnDistinct(ctx, d, network, o)
	if err != nil {
		return nil, fmt.Errorf("ama3: %w", err)
	}
	return learned, nil
}

// How often, and how much, learnDistinct reduces the prior's share.
const priorRetries, priorReduction = 3, 4

// learnDistinct learns again with a smaller share of the prior, at most priorRetries times, as
// long as all images have one code: where objects are small in the image, no bit is worth its cost.
func learnDistinct(ctx context.Context, d *dataset.Dataset, a autoencoder.Settings,
	o LearnOptions) (*Learned, error) {
	for again := priorRetries; ; again-- {
		learned, err := learnCubeSpace(ctx, d, a, o)
		if err != nil || again == 0 || learned.Summary.(AMA3Summary).Codes > 1 {
			return learned, err
		}
		cube := a.Latent.(autoencoder.CubeSpace)
		cube.PriorShare /= priorReduction
		a.Latent = cube
	}
}

func learnCubeSpace(ctx context.Context, d *dataset.Dataset, a autoencoder.Settings,
	o LearnOptions) (*Learned, error) {
	e, err := o.train(ctx, "ama3", d, a, AMA3Encoder, AMA3Decoder, AMA3Curve)
	if err != nil {
		return nil, err
	}
	codes := make([]strips.State, len(e.outputs))
	for i, likely := range e.outputs {
		codes[i] = strips.Likelier(likely)
	}
	effects, err := e.Effects(d, codes)
	if err != nil {
		return nil, err
	}
	model := ama3Model(o.label, codes[0].Len(), coded(d, codes), effects)
	var operators bytes.Buffer
	if err := model.WriteJSON(&operators); err != nil {
		return nil, err
	}
	s := summarizeAMA3(d, codes, effects)
	s.Operators = len(model.Operators)
	s.Steps, s.Reconstruction, s.Prior = e.last().Step, e.last().Losses["reconstruction"],
		a.Latent.(autoencoder.CubeSpace).PriorShare
	part := bundle.Part{Role: bundle.Model, File: "model.json",
		From: map[bundle.Role]string{AMA3Encoder: ""}}
	return &Learned{Summary: s, Parts: append(e.parts, File{part, operators.Bytes()})}, nil
}

func coded(d *dataset.Dataset, codes []strips.State) []codedTransition {
	var all []codedTransition
	for _, t := range d.Transitions {
		all = append(all, codedTransition{codes[t.Before], codes[t.After], t.Action})
	}
	return all
}

func summarizeAMA3(d *dataset.Dataset, codes []strips.State,
	effects [][]autoencoder.Effect) AMA3Summary {
	s := AMA3Summary{Bits: codes[0].Len(), Images: len(codes), Transitions: len(d.Transitions)}
	distinct := map[strips.State]bool{}
	for _, c := range codes {
		distinct[c] = true
	}
	s.Codes = len(distinct)
	for p := range strips.Predicate(s.Bits) {
		values := map[bool]bool{}
		for c := range distinct {
			values[c.Get(p)] = true
		}
		if len(values) == 2 {
			s.Used++
		}
	}
	for i, t := range d.Transitions {
		if i > 0 && t.Follows && d.Transitions[i-1].After != t.Before {
			s.Intervals++
			if codes[d.Transitions[i-1].After] == codes[t.Before] {
				s.Stable++
			}
		}
		e := effects[t.Action-1]
		if slices.Equal(seenEffects(codedTransition{before: codes[t.Before], after: codes[t.After]},
			e), e) {
			s.Foreseen++
		}
	}
	return s
}
