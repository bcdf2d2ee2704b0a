package inference

import (
	"fmt"

	ort "github.com/yalue/onnxruntime_go"
)

// CodeName is the name that exported dynamics and decoders give their input; the output's is
// OutputName.
const CodeName = "code"

// Dynamics is exported dynamics over latent codes: float32 [1, Dims] in level
// units in, float32 [Actions, Dims] out, the successor that each action is
// predicted to lead to, not yet rounded. It is not safe for concurrent use.
type Dynamics struct {
	Dims, Actions int
	*latentSession
}

// OpenDynamics opens dynamics from the bytes of an ONNX file.
func OpenDynamics(model []byte, o Options) (*Dynamics, error) {
	in, out, err := inspect(model, "dynamics",
		end{CodeName, ort.TensorElementDataTypeFloat, "float32 [1, dims]", []int64{1, some}},
		end{OutputName, ort.TensorElementDataTypeFloat, "float32 [actions, dims]", []int64{some, some}})
	if err != nil {
		return nil, err
	}
	if out[1] != in[1] {
		return nil, fmt.Errorf("%w: dynamics lead from %d numbers to %d", ErrNetwork, in[1], out[1])
	}
	session, err := openLatent("dynamics", model, in[1], out, o)
	if err != nil {
		return nil, err
	}
	return &Dynamics{Dims: int(in[1]), Actions: int(out[0]), latentSession: session}, nil
}

// Successors predicts where each action leads from a code of Dims numbers. The
// result, Dims numbers an action, is valid until the next call.
func (d *Dynamics) Successors(code []float32) ([]float32, error) { return d.run(code) }

// Decoder is an exported decoder: latent vectors float32 [n, Dims] in, images
// [n, Side, Side, 3] of values from 0 to 255 out. It is not safe for concurrent use.
type Decoder struct {
	Dims, Side int
	*latentSession
}

// OpenDecoder opens a decoder from the bytes of an ONNX file.
func OpenDecoder(model []byte, o Options) (*Decoder, error) {
	in, out, err := inspect(model, "a decoder",
		end{CodeName, ort.TensorElementDataTypeFloat, "float32 [n, dims]", []int64{rows, some}},
		end{OutputName, ort.TensorElementDataTypeFloat, "float32 [n, side, side, 3]",
			[]int64{rows, some, some, 3}})
	if err != nil {
		return nil, err
	}
	if out[1] != out[2] {
		return nil, fmt.Errorf("%w: a decoder of %dx%d images, want a square", ErrNetwork, out[1], out[2])
	}
	session, err := openLatent("decoder", model, in[1], append(ort.Shape{1}, out[1:]...), o)
	if err != nil {
		return nil, err
	}
	return &Decoder{Dims: int(in[1]), Side: int(out[1]), latentSession: session}, nil
}

// Draw draws the image of a latent vector of Dims numbers: Side*Side*3 bytes, row by
// row, RGB.
func (d *Decoder) Draw(latent []float32) ([]uint8, error) {
	img, err := d.run(latent)
	if err != nil {
		return nil, err
	}
	pix := make([]uint8, len(img))
	for i, v := range img {
		pix[i] = uint8(min(max(v+0.5, 0), 255))
	}
	return pix, nil
}

// latentSession runs a network of one latent vector, with the memory for both of its ends.
type latentSession struct {
	name    string // of the network, for errors
	session *ort.DynamicAdvancedSession
	in, out *ort.Tensor[float32]
}

// openLatent makes the session of a network that takes dims numbers.
func openLatent(name string, model []byte, dims int64, out ort.Shape, o Options) (s *latentSession,
	err error) {
	s = &latentSession{name: name}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if s.session, _, _, err = NewSession(model, []string{CodeName}, []string{OutputName},
		o); err != nil {
		return nil, err
	}
	if s.in, err = ort.NewEmptyTensor[float32](ort.NewShape(1, dims)); err != nil {
		return nil, err
	}
	s.out, err = ort.NewEmptyTensor[float32](out)
	return s, err
}

// run gives what the network makes of a vector, valid until the next call.
func (s *latentSession) run(latent []float32) ([]float32, error) {
	if dims := len(s.in.GetData()); len(latent) != dims {
		return nil, fmt.Errorf("run %s: a vector of %d numbers, want %d", s.name, len(latent), dims)
	}
	copy(s.in.GetData(), latent)
	if err := s.session.Run([]ort.Value{s.in}, []ort.Value{s.out}); err != nil {
		return nil, fmt.Errorf("run %s: %w", s.name, err)
	}
	return s.out.GetData(), nil
}

// Close frees the session and its memory.
func (s *latentSession) Close() error {
	for _, t := range []*ort.Tensor[float32]{s.in, s.out} {
		if t != nil {
			t.Destroy()
		}
	}
	if s.session == nil {
		return nil
	}
	if err := s.session.Destroy(); err != nil {
		return fmt.Errorf("close %s: %w", s.name, err)
	}
	return nil
}
