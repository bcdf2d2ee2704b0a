package vision

import (
	"context"
	"errors"
	"fmt"

	"stripswm/models/bundle"
	"stripswm/models/dataset"
	"stripswm/models/identity"
	"stripswm/models/inference"
	"stripswm/models/pixels"
)

// Coder computes the codes of images with the encoder of a bundle. An identity.Locator finds their
// nodes. It is not safe for concurrent use.
type Coder struct {
	encoder *inference.Network
	fsq     FSQ
	frame   pixels.Frame // how an image becomes the encoder's square
}

// OpenCoder opens the encoder of a bundle, whose manifest has the space of codes.
func OpenCoder(b *bundle.Bundle, o inference.Options) (Coder, error) {
	encoder, err := bundle.Use(b, bundle.Encoder, inference.Open, o)
	if err != nil {
		return Coder{}, err
	}
	if b.Manifest.Codes == nil {
		err := fmt.Errorf("bundle %s: %w: no space of codes: learn again", b.Dir, bundle.ErrManifest)
		return Coder{}, errors.Join(err, encoder.Close())
	}
	c, err := NewCoder(encoder, FSQ(*b.Manifest.Codes))
	if err != nil {
		return Coder{}, errors.Join(b.Unusable(bundle.Encoder, err), encoder.Close())
	}
	if c.frame, err = FrameOf(b); err != nil {
		return Coder{}, errors.Join(err, encoder.Close())
	}
	return c, nil
}

// FrameOf is how images are prepared for the networks of a bundle, which has to have some.
func FrameOf(b *bundle.Bundle) (f pixels.Frame, err error) {
	image := b.Manifest.Image
	if image == nil {
		return f, fmt.Errorf("bundle %s has no networks to show images to: %w", b.Dir,
			bundle.ErrNoPart)
	}
	f.Side = image.Width
	if f.Fit, err = pixels.ParseFit(image.Resize); err == nil {
		f.Camera, err = pixels.CameraOf(image.Region, image.Bits)
	}
	if err != nil {
		return f, fmt.Errorf("bundle %s: %w: %w", b.Dir, bundle.ErrManifest, err)
	}
	return f, nil
}

// NewCoder checks that the encoder has latents of the space q, and takes the network over. Images
// are letterboxed.
func NewCoder(encoder *inference.Network, q FSQ) (Coder, error) {
	if err := q.validate(); err != nil {
		return Coder{}, err
	}
	if encoder.Outputs != q.Dims {
		return Coder{}, fmt.Errorf("the encoder has %d outputs, the latent space %s",
			encoder.Outputs, q)
	}
	if encoder.Width != encoder.Height {
		return Coder{}, fmt.Errorf("the encoder takes %dx%d images, want a square", encoder.Width,
			encoder.Height)
	}
	return Coder{encoder, q, pixels.Frame{Side: encoder.Width, Fit: pixels.Letterbox}}, nil
}

// Space is the space of the codes.
func (c Coder) Space() FSQ { return c.fsq }

// Frame is how images are prepared for the encoder.
func (c Coder) Frame() pixels.Frame { return c.frame }

// Code returns the code of an image of any size.
func (c Coder) Code(image pixels.RGB) (identity.Code, error) {
	small, err := c.frame.Of(image)
	if err != nil {
		return "", err
	}
	return c.CodeOf(small)
}

// CodeOf returns the code of an image that Frame.Of made.
func (c Coder) CodeOf(small pixels.RGB) (identity.Code, error) {
	latent, err := c.encoder.Run(small.Pix)
	if err != nil {
		return "", err
	}
	return c.fsq.Code(latent), nil
}

// Codes returns the code of each image of the data.
func (c Coder) Codes(ctx context.Context, d *dataset.Dataset) ([]identity.Code, error) {
	if d.Size != c.encoder.Width {
		return nil, fmt.Errorf("images of %dx%d pixels, the encoder takes %dx%d", d.Size, d.Size,
			c.encoder.Width, c.encoder.Width)
	}
	const batch = 64
	codes := make([]identity.Code, 0, d.Images())
	for begin := 0; begin < d.Images(); begin += batch {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		latents, err := c.encoder.Run(d.Packed(begin, min(begin+batch, d.Images())))
		if err != nil {
			return nil, err
		}
		codes = append(codes, c.fsq.codes(latents)...)
	}
	return codes, nil
}

// Close frees the encoder.
func (c Coder) Close() error { return c.encoder.Close() }
