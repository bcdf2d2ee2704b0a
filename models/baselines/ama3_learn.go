package baselines

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"stripswm/models/baselines/autoencoder"
	"stripswm/models/bundle"
	"stripswm/models/dataset"
	"stripswm/models/inference"
	"stripswm/models/networks"
	"stripswm/models/strips"
)

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

// String is the summary in lines.
func (s AMA3Summary) String() string {
	return fmt.Sprintf("codes         %d steps, prior %g, reconstruction %.2f; %d of %d bits used, "+
		"%d codes of %d images; %d of %d static intervals with one code\n"+
		"effects       foresee %d of %d transitions; %d operators", s.Steps, s.Prior,
		s.Reconstruction, s.Used, s.Bits, s.Codes, s.Images, s.Stable, s.Intervals, s.Foreseen,
		s.Transitions, s.Operators)
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

// learnDistinct reduces the prior's share where it leaves one code.
const priorRetries, priorReduction = 3, 4

// learnDistinct learns again with a quarter of the prior's share, at most priorRetries times, as
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
	trained, err := autoencoder.Train(ctx, d, a,
		autoencoder.Options{Seed: o.Seed, Threads: o.Threads,
			Progress: func(step, steps int) { o.report("ama3: autoencoder", step, steps) }})
	if err != nil {
		return nil, err
	}
	encoder, err := trained.Export()
	if err != nil {
		return nil, err
	}
	decoder, err := trained.ExportDecoder()
	if err != nil {
		return nil, err
	}
	codes, err := bitsOf(ctx, encoder, d, o)
	if err != nil {
		return nil, err
	}
	effects, err := trained.Effects(d, codes)
	if err != nil {
		return nil, err
	}
	model := ama3Model(o.label, codes[0].Len(), coded(d, codes), effects)
	var operators bytes.Buffer
	if err := model.WriteJSON(&operators); err != nil {
		return nil, err
	}
	curve, err := json.MarshalIndent(trained.History, "", " ")
	if err != nil {
		return nil, err
	}
	s := summarizeAMA3(d, codes, effects)
	s.Operators = len(model.Operators)
	last := trained.History[len(trained.History)-1]
	s.Steps, s.Reconstruction, s.Prior = last.Step, last.Losses["reconstruction"],
		a.Latent.(autoencoder.CubeSpace).PriorShare
	from := map[bundle.Role]string{AMA3Encoder: ""}
	return &Learned{Summary: s, Parts: []File{
		{bundle.Part{Role: AMA3Encoder, File: "encoder.onnx"}, encoder},
		{bundle.Part{Role: AMA3Decoder, File: "decoder.onnx", From: from}, decoder},
		{bundle.Part{Role: bundle.Model, File: "model.json", From: from}, operators.Bytes()},
		{bundle.Part{Role: AMA3Curve, File: "curve.json"}, curve},
	}}, nil
}

// bitsOf is the code of each image of the data, each bit as it is likelier.
func bitsOf(ctx context.Context, encoder []byte, d *dataset.Dataset,
	o LearnOptions) ([]strips.State, error) {
	network, err := inference.Open(encoder, inference.Options{Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	defer network.Close()
	codes := make([]strips.State, d.Images())
	for i := range codes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		likely, err := network.Run(d.Image(i))
		if err != nil {
			return nil, fmt.Errorf("image %d: %w", i, err)
		}
		codes[i] = strips.Likelier(likely)
		o.report("ama3: codes", i+1, len(codes))
	}
	return codes, nil
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
