package learn

import (
	"context"
	"encoding/binary"
	"fmt"

	"stripswm/models/bundle"
	"stripswm/models/vision"
)

// encoder is what stage 1 sees with, and what was learned with it, as parts of a bundle.
type encoder struct {
	parts map[bundle.Role][]byte
	space vision.FSQ // of its codes
}

// encoder takes that of another bundle, or trains one. A training that was interrupted gives none:
// its checkpoint keeps it.
func (r *run) encoder(ctx context.Context) (encoder, error) {
	if r.reused != nil {
		return reused(r.reused, len(r.labels()))
	}
	learned, err := r.train(ctx)
	if err != nil {
		return encoder{}, err
	}
	r.result.World = learned
	e, err := exported(learned)
	if err != nil {
		return encoder{}, err
	}
	if r.result.EncoderDifference, err = learned.Difference(ctx, e.parts[bundle.Encoder],
		r.result.Recording.Data); err != nil {
		return encoder{}, err
	}
	return e, nil
}

// exported is the encoder of a training.
func exported(l *vision.Learned) (encoder, error) {
	network, err := l.Export()
	if err != nil {
		return encoder{}, err
	}
	dynamics, err := l.ExportDynamics()
	if err != nil {
		return encoder{}, err
	}
	backbone, err := binary.Append(nil, binary.LittleEndian, l.Backbone())
	return encoder{map[bundle.Role][]byte{bundle.Encoder: network, bundle.Dynamics: dynamics,
		BackboneRole: backbone}, l.Model.FSQ}, err
}

// reused is the encoder of a bundle, for a recording of so many actions.
func reused(b *bundle.Bundle, actions int) (encoder, error) {
	g, err := b.TaskGraph()
	if err != nil {
		return encoder{}, err
	}
	if n := g.NumActions(); n != actions {
		return encoder{},
			fmt.Errorf("bundle %s was learned of %d actions, the recording has %d: train an encoder", b.Dir,
				n, actions)
	}
	e := encoder{map[bundle.Role][]byte{}, vision.FSQ(*b.Manifest.Codes)}
	for _, role := range []bundle.Role{bundle.Encoder, bundle.Dynamics, BackboneRole} {
		if _, ok := b.Part(role); !ok && role != bundle.Encoder { // bundles had none once
			continue
		}
		if e.parts[role], err = b.Read(role); err != nil {
			return encoder{}, err
		}
	}
	return e, nil
}

// openReused has stage 1 see with the encoder of another bundle, and images be shown to it as they
// were.
func (r *run) openReused() (err error) {
	if r.reused, err = bundle.Open(r.Encoder); err != nil {
		return err
	}
	if r.reused.Manifest.Codes == nil {
		return fmt.Errorf("bundle %s has no encoder", r.reused.Dir)
	}
	r.frame, err = FrameOf(r.reused)
	return err
}
