package baselines

import (
	"fmt"

	"stripswm/models/bundle"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/vision"
)

// coder takes pictures to codes.
type coder struct {
	encoder *inference.Network
	fsq     vision.FSQ
}

func openEncoder(b *bundle.Bundle, o inference.Options) (*inference.Network, error) {
	path, err := b.Path(bundle.Encoder)
	if err != nil {
		return nil, err
	}
	return inference.OpenFile(path, o)
}

// newCoder checks that the encoder's latents are of the space q.
func newCoder(encoder *inference.Network, q vision.FSQ) (coder, error) {
	if encoder.Outputs != q.Dims {
		return coder{}, fmt.Errorf("the encoder has %d outputs, the latent space %s", encoder.Outputs, q)
	}
	if encoder.Width != encoder.Height {
		return coder{}, fmt.Errorf("the encoder takes %dx%d images, want a square", encoder.Width, encoder.Height)
	}
	return coder{encoder, q}, nil
}

// encode returns the code of a picture of any size.
func (c coder) encode(picture pixels.RGB) (vision.Code, error) {
	small, err := picture.Square(c.encoder.Width)
	if err != nil {
		return "", err
	}
	latent, err := c.encoder.Run(small.Pix)
	if err != nil {
		return "", err
	}
	return c.fsq.Code(latent), nil
}

// Close frees the encoder.
func (c coder) Close() error { return c.encoder.Close() }
