package baselines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"stripswm/models/baselines/autoencoder"
	"stripswm/models/baselines/roadmap"
	"stripswm/models/bundle"
	"stripswm/models/dataset"
	"stripswm/models/inference"
	"stripswm/models/networks"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/vision"
)

// The parts of LSR's bundle.
const (
	LSREncoder bundle.Role = "lsr-encoder" // image -> latent, ONNX
	LSRDecoder bundle.Role = "lsr-decoder" // latent -> image, ONNX
	LSRRoadmap bundle.Role = "lsr-roadmap" // roadmap.Roadmap, JSON
	LSRCurve   bundle.Role = "lsr-curve"   // []autoencoder.Point, JSON
)

func init() {
	bundle.Understand(LSRRoadmap, func(r io.Reader) (map[string]int64, error) {
		_, err := roadmap.Read(r)
		return nil, err
	})
	register(Baseline{ID: "lsr", Name: "LSR", Needs: []bundle.Role{LSREncoder, LSRRoadmap},
		Open: func(b *bundle.Bundle, o inference.Options) (Planner, error) {
			return OpenLSR(b, o)
		}})
}

// LSR plans on a roadmap of the latent space. An image is always classified as the nearest node, as
// in the paper. It is not safe for concurrent use.
type LSR struct {
	eye
	roadmap *roadmap.Roadmap
}

// OpenLSR loads encoder and roadmap of a bundle.
func OpenLSR(b *bundle.Bundle, o inference.Options) (*LSR, error) {
	r, err := bundle.Decode(b, LSRRoadmap, roadmap.Read)
	if err != nil {
		return nil, err
	}
	e, err := openEye(b, LSREncoder, o)
	if err != nil {
		return nil, err
	}
	if n := e.encoder.Outputs; n != r.Dims {
		err := fmt.Errorf("%d numbers a node, the encoder's latents have %d", r.Dims, n)
		return nil, errors.Join(b.Unusable(LSRRoadmap, err), e.Close())
	}
	return &LSR{e, r}, nil
}

// Plan is the actions of a shortest path between the nodes nearest to two images.
func (l *LSR) Plan(_ context.Context, start, goal pixels.RGB) (plan []strips.ActionID, found bool,
	err error) {
	from, to, err := ends(l.see, start, goal)
	if err != nil {
		return nil, false, err
	}
	plan, found = l.roadmap.Plan(from, to)
	return plan, found, nil
}

func init() {
	for _, c := range []lsrSettings{lsrBy("lsr", byAverage), lsrBy("lsr-single", bySingle),
		lsrBy("lsr-hdbscan", byDensity)} {
		registerLearner(Learner{ID: c.id, Side: c.Autoencoder.Decoder.Size, Learn: c.learn})
	}
}

// lsrSettings are all that LSR is learned with. docs/research/baselines.md says where they differ
// from the paper's.
type lsrSettings struct {
	id          string
	Autoencoder autoencoder.Settings // Steps 0: by the recording
	cluster     clustering
	// Clustered is the most points to cluster; others belong to the cluster of the point that is
	// nearest to them.
	Clustered int
}

// perPixel is the share of our pixels in those of the paper's images of 256x256: the loss of the
// reconstruction is a sum over pixels, and the other losses have to weigh as much beside it.
const perPixel = 64 * 64 / (256.0 * 256.0)

// lsrBy are the settings of all variants.
func lsrBy(id string, cluster clustering) lsrSettings {
	return lsrSettings{
		id: id,
		Autoencoder: autoencoder.Settings{
			Backbone: vision.Small().Backbone,
			Decoder: autoencoder.Decoder{Size: 64, Patch: 8, Dim: 32, Depth: 1, Kernel: 3,
				Expand: 4, Hidden: 128},
			Latent: autoencoder.Continuous{Dims: 12, Beta: 2 * perPixel, BetaSteps: 0.8,
				Gamma: 100 * perPixel, Margin: 0.1, MarginSteps: 100},
			Optimizer: networks.Optimizer{LearningRate: 2e-3, Warmup: 50, Beta1: 0.9, Beta2: 0.99},
			Batch:     64, Augment: true,
		},
		cluster: cluster, Clustered: 10_000,
	}
}

// clustering numbers the cluster of each point, -1 for none, and says at which threshold.
type clustering func(p roadmap.Points, steps []roadmap.Step) (labels []int, threshold float32)

// componentsBound is c_max, the paper's for tasks with outliers.
const componentsBound = 20

func byAverage(p roadmap.Points, steps []roadmap.Step) ([]int, float32) {
	return roadmap.Optimise(roadmap.Average(p), steps, componentsBound)
}

func bySingle(p roadmap.Points, steps []roadmap.Step) ([]int, float32) {
	return roadmap.Optimise(roadmap.Single(p), steps, componentsBound)
}

// byDensity makes clusters of at least as many points as make a state.
func byDensity(p roadmap.Points, _ []roadmap.Step) ([]int, float32) {
	const minPoints = 5
	return roadmap.Density(p, minPoints), 0
}

// lsrSteps is how many steps of training a recording wants: about as long as our own method takes.
func lsrSteps(d *dataset.Dataset) int { return max(4000, len(d.Transitions)/2) }

// LSRSummary is what came of learning.
type LSRSummary struct {
	Steps          int     `json:"steps"`
	Reconstruction float64 `json:"reconstruction"`
	ActionDistance float64 `json:"action_distance"` // L1, mean of the last steps
	StateDistance  float64 `json:"state_distance"`
	Margin         float64 `json:"margin"` // d_m
	Points         int     `json:"points"`
	Threshold      float64 `json:"threshold"` // tau
	Nodes          int     `json:"nodes"`
	Edges          int     `json:"edges"`
	Components     int     `json:"components"`
}

func (c lsrSettings) learn(ctx context.Context, d *dataset.Dataset, o LearnOptions) (*Learned,
	error) {
	if c.Autoencoder.Steps = o.Steps; o.Steps == 0 {
		c.Autoencoder.Steps = lsrSteps(d)
	}
	e, err := o.train(ctx, "lsr", d, c.Autoencoder, LSREncoder, LSRDecoder, LSRCurve)
	if err != nil {
		return nil, fmt.Errorf("lsr: %w", err)
	}
	points, err := roadmap.NewPoints(len(e.outputs[0]), slices.Concat(e.outputs...))
	if err != nil {
		return nil, fmt.Errorf("lsr: %w", err)
	}
	o.report("lsr: roadmap", 0, 1)
	r, threshold := c.roadmap(points, d)
	o.report("lsr: roadmap", 1, 1)
	last := e.last()
	s := LSRSummary{Steps: last.Step, Reconstruction: last.Losses["reconstruction"],
		ActionDistance: last.Losses["action distance"],
		StateDistance:  last.Losses["state distance"], Margin: last.Losses["margin"],
		Points: points.Len(), Threshold: float64(threshold), Nodes: len(r.Nodes),
		Edges: len(r.Edges), Components: r.Components()}
	if len(r.Edges) == 0 {
		return nil, errors.New("lsr: no threshold leaves a roadmap with edges: " +
			"no states are separated; record more, or train longer")
	}
	graph, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("lsr: %w", err)
	}
	part := bundle.Part{Role: LSRRoadmap, File: "roadmap.json",
		From: map[bundle.Role]string{LSREncoder: ""}}
	return &Learned{Summary: s, Parts: append(e.parts, File{part, graph})}, nil
}

// roadmap clusters the points and connects the clusters.
func (c lsrSettings) roadmap(points roadmap.Points, d *dataset.Dataset) (*roadmap.Roadmap,
	float32) {
	steps := make([]roadmap.Step, len(d.Transitions))
	for i, t := range d.Transitions {
		steps[i] = roadmap.Step{From: t.Before, To: t.After, Action: t.Action}
	}
	chosen, nearest := points.Sample(c.Clustered)
	labels, threshold := c.cluster(chosen, roadmap.Between(steps, nearest))
	return roadmap.Build(points, roadmap.Spread(labels, nearest), steps), threshold
}
