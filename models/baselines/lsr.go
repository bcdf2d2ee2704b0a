package baselines

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"stripswm/models/baselines/roadmap"
	"stripswm/models/bundle"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/vision"
)

// The parts of LSR's bundle.
const (
	LSREncoder bundle.Role = "lsr-encoder" // image -> latent, ONNX
	LSRDecoder bundle.Role = "lsr-decoder" // latent -> image, ONNX
	LSRRoadmap bundle.Role = "lsr-roadmap" // roadmap.Roadmap, JSON
	LSRCurve   bundle.Role = "lsr-curve"   // []vision.AutoencoderPoint, JSON
)

func init() {
	register(Baseline{ID: "lsr", Name: "LSR", Needs: []bundle.Role{LSREncoder, LSRRoadmap},
		Open: func(b *bundle.Bundle, o inference.Options) (Planner, error) { return OpenLSR(b, o) }})
	registerLearner(Learner{ID: "lsr", Side: lsrDefaults.Autoencoder.Decoder.Size, Learn: lsrDefaults.learn})
}

// LSRSettings are all that LSR is learned with; doc.go says where they differ from the paper's.
type LSRSettings struct {
	Autoencoder vision.Autoencoder // Steps 0: by the recording
	Components  int                // c_max
	// Clustered is the most points to cluster; others belong to the cluster of the point that is
	// nearest to them.
	Clustered int
}

var lsrDefaults = LSRSettings{
	Autoencoder: vision.Autoencoder{
		Backbone:  vision.Small().Backbone,
		Decoder:   vision.Decoder{Size: 64, Patch: 8, Dim: 32, Depth: 1, Kernel: 3, Expand: 4, Hidden: 128},
		Latent:    vision.Continuous{Dims: 12, Beta: 2, BetaSteps: 0.8, Gamma: 100, Margin: 0.1, MarginSteps: 100},
		Optimizer: vision.Optimizer{LearningRate: 2e-3, Warmup: 50, Beta1: 0.9, Beta2: 0.99},
		Batch:     64, Augment: true,
	},
	Components: 20, Clustered: 10_000,
}

// lsrSteps is how many steps of training a recording wants: as long as our own method takes.
func lsrSteps(d *vision.Dataset) int { return max(1500, len(d.Transitions)/2) }

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

// String is the summary in lines.
func (s LSRSummary) String() string {
	return fmt.Sprintf("latent space  %d steps, reconstruction %.2f; L1 distance of a transition's pictures %.2f, of one moment's %.2f (d_m %.1f)\n"+
		"roadmap       %d nodes, %d edges, %d components of %d points at tau %.3g",
		s.Steps, s.Reconstruction, s.ActionDistance, s.StateDistance, s.Margin, s.Nodes, s.Edges, s.Components, s.Points, s.Threshold)
}

func (c LSRSettings) learn(ctx context.Context, d *vision.Dataset, o LearnOptions) (*Learned, error) {
	if c.Autoencoder.Steps = o.Steps; o.Steps == 0 {
		c.Autoencoder.Steps = lsrSteps(d)
	}
	trained, err := vision.TrainAutoencoder(ctx, d, c.Autoencoder, vision.Options{Seed: o.Seed, Threads: o.Threads,
		Progress: func(step, steps int, _ *vision.Evaluation) { o.report("lsr: autoencoder", step, steps) }})
	if err != nil {
		return nil, fmt.Errorf("lsr: %w", err)
	}
	encoder, err := trained.Export()
	if err != nil {
		return nil, fmt.Errorf("lsr: %w", err)
	}
	decoder, err := trained.ExportDecoder()
	if err != nil {
		return nil, fmt.Errorf("lsr: %w", err)
	}
	points, err := c.encode(ctx, encoder, d, o)
	if err != nil {
		return nil, fmt.Errorf("lsr: %w", err)
	}
	o.report("lsr: roadmap", 0, 1)
	r, threshold := c.roadmap(points, d)
	o.report("lsr: roadmap", 1, 1)
	last := trained.History[len(trained.History)-1]
	s := LSRSummary{Steps: last.Step, Reconstruction: last.Losses["reconstruction"], ActionDistance: last.Losses["action distance"],
		StateDistance: last.Losses["state distance"], Margin: last.Losses["margin"],
		Points: points.Len(), Threshold: float64(threshold), Nodes: len(r.Nodes), Edges: len(r.Edges), Components: r.Components()}
	if len(r.Edges) == 0 {
		return nil, fmt.Errorf("lsr: no threshold leaves a roadmap with edges: the latent space tells nothing apart; record more, or train longer")
	}
	graph, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("lsr: %w", err)
	}
	curve, err := json.MarshalIndent(trained.History, "", " ")
	if err != nil {
		return nil, fmt.Errorf("lsr: %w", err)
	}
	from := map[bundle.Role]string{LSREncoder: ""}
	return &Learned{Summary: s, Parts: []File{
		{bundle.Part{Role: LSREncoder, File: "encoder.onnx"}, encoder},
		{bundle.Part{Role: LSRDecoder, File: "decoder.onnx", From: from}, decoder},
		{bundle.Part{Role: LSRRoadmap, File: "roadmap.json", From: from}, graph},
		{bundle.Part{Role: LSRCurve, File: "curve.json"}, curve},
	}}, nil
}

// encode are the latents of all images, by the exported network, the one that will be used.
func (c LSRSettings) encode(ctx context.Context, encoder []byte, d *vision.Dataset, o LearnOptions) (roadmap.Points, error) {
	network, err := inference.Open(encoder, inference.Options{Threads: o.Threads})
	if err != nil {
		return roadmap.Points{}, err
	}
	defer network.Close()
	var values []float32
	for image := range d.Images() {
		if err := ctx.Err(); err != nil {
			return roadmap.Points{}, err
		}
		latent, err := network.Run(d.Image(image))
		if err != nil {
			return roadmap.Points{}, err
		}
		values = append(values, latent...)
		o.report("lsr: latents", image+1, d.Images())
	}
	return roadmap.NewPoints(network.Outputs, values)
}

// roadmap clusters the points and connects the clusters.
func (c LSRSettings) roadmap(points roadmap.Points, d *vision.Dataset) (*roadmap.Roadmap, float32) {
	steps := make([]roadmap.Step, len(d.Transitions))
	for i, t := range d.Transitions {
		steps[i] = roadmap.Step{From: t.Before, To: t.After, Action: t.Action}
	}
	chosen, nearest := points.Sample(c.Clustered)
	labels, threshold := roadmap.Optimise(roadmap.Average(chosen), roadmap.Between(steps, nearest), c.Components)
	return roadmap.Build(points, roadmap.Spread(labels, nearest), steps), threshold
}

// LSR plans on a roadmap of the latent space. A picture is always taken for the node that is
// nearest to it, as in the paper. It is not safe for concurrent use.
type LSR struct {
	encoder *inference.Network
	frame   pixels.Frame
	roadmap *roadmap.Roadmap
}

// OpenLSR loads encoder and roadmap of a bundle.
func OpenLSR(b *bundle.Bundle, o inference.Options) (*LSR, error) {
	path, err := b.Path(LSREncoder)
	if err != nil {
		return nil, err
	}
	frame, err := vision.FrameOf(b)
	if err != nil {
		return nil, err
	}
	data, err := b.Read(LSRRoadmap)
	if err != nil {
		return nil, err
	}
	r, err := roadmap.Read(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %w", b.Dir, err)
	}
	encoder, err := inference.OpenFile(path, o)
	if err != nil {
		return nil, err
	}
	if encoder.Outputs != r.Dims {
		return nil, errors.Join(fmt.Errorf("bundle %s: the encoder's latents have %d numbers, the roadmap's %d: learn again", b.Dir, encoder.Outputs, r.Dims), encoder.Close())
	}
	return &LSR{encoder, frame, r}, nil
}

// Plan is the actions of a shortest path between the nodes nearest to two pictures.
func (l *LSR) Plan(_ context.Context, start, goal pixels.RGB) (plan []strips.ActionID, found bool, err error) {
	from, to, err := ends(l.node, start, goal)
	if err != nil {
		return nil, false, err
	}
	path, found := l.roadmap.Path(from, to)
	for _, e := range path {
		plan = append(plan, e.Action)
	}
	return plan, found, nil
}

func (l *LSR) node(picture pixels.RGB) (int, error) {
	small, err := l.frame.Of(picture)
	if err != nil {
		return 0, err
	}
	latent, err := l.encoder.Run(small.Pix)
	if err != nil {
		return 0, err
	}
	return l.roadmap.Nearest(latent), nil
}

// Close frees the encoder.
func (l *LSR) Close() error { return l.encoder.Close() }
