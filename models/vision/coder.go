package vision

import (
	"fmt"

	"stripswm/models/inference"
	"stripswm/models/pixels"
)

// Coder takes camera pictures to codes with an exported encoder. It is not safe
// for concurrent use.
type Coder struct {
	encoder *inference.Network
	fsq     FSQ
}

// NewCoder checks that the encoder's latents are of the space q, and takes the
// network over.
func NewCoder(encoder *inference.Network, q FSQ) (Coder, error) {
	if encoder.Outputs != q.Dims {
		return Coder{}, fmt.Errorf("the encoder has %d outputs, the latent space %s", encoder.Outputs, q)
	}
	if encoder.Width != encoder.Height {
		return Coder{}, fmt.Errorf("the encoder takes %dx%d images, want a square", encoder.Width, encoder.Height)
	}
	return Coder{encoder, q}, nil
}

// Code returns the code of a picture of any size.
func (c Coder) Code(picture pixels.RGB) (Code, error) {
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
func (c Coder) Close() error { return c.encoder.Close() }
