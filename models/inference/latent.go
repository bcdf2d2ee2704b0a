package inference

import (
	"fmt"

	ort "github.com/yalue/onnxruntime_go"
)

// latentSession runs a network of one latent vector, with the memory for both of its ends.
type latentSession struct {
	name    string // of the network, for errors
	session *ort.DynamicAdvancedSession
	in, out *ort.Tensor[float32]
}

// openLatent makes the session of a network that takes dims numbers.
func openLatent(name string, model []byte, dims int, out ort.Shape,
	o Options,
) (s *latentSession, err error) {
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
	if s.in, err = ort.NewEmptyTensor[float32](ort.NewShape(1, int64(dims))); err != nil {
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
