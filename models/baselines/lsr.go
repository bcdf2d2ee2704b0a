package baselines

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

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
	LSRCurve   bundle.Role = "lsr-curve"   // []autoencoder.Point, JSON
)

func init() {
	bundle.Understand(LSRRoadmap, func(r io.Reader) (map[string]int64, error) {
		_, err := roadmap.Read(r)
		return nil, err
	})
	register(Baseline{ID: "lsr", Name: "LSR", Needs: []bundle.Role{LSREncoder, LSRRoadmap},
		Open: func(b *bundle.Bundle, o inference.Options) (Planner,
			error) {
			return OpenLSR(b, o)
		}})
}

// LSR plans on a roadmap of the latent space. An image is always classified as the nearest node, as
// in the paper. It is not safe for concurrent use.
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
		return nil, b.Unusable(LSRRoadmap, err)
	}
	encoder, err := inference.OpenFile(path, o)
	if err != nil {
		return nil, err
	}
	if encoder.Outputs != r.Dims {
		err := fmt.Errorf("%d numbers a node, the encoder's latents have %d", r.Dims, encoder.Outputs)
		return nil, errors.Join(b.Unusable(LSRRoadmap, err), encoder.Close())
	}
	return &LSR{encoder, frame, r}, nil
}

// Plan is the actions of a shortest path between the nodes nearest to two images.
func (l *LSR) Plan(_ context.Context, start, goal pixels.RGB) (plan []strips.ActionID, found bool,
	err error) {
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

func (l *LSR) node(image pixels.RGB) (int, error) {
	small, err := l.frame.Of(image)
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
