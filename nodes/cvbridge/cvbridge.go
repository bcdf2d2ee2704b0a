package cvbridge

import (
	"fmt"

	"stripswm/models/pixels"
	"stripswm/msgs"
)

// RGB decodes a *msgs.Image or *msgs.CompressedImage of a camera that uses so many of 16 bits
// (pixels.Camera.Bits). Errors wrap pixels.ErrImage.
func RGB(m msgs.Message, bits int) (pixels.RGB, error) {
	switch m := m.(type) {
	case *msgs.Image:
		r := raw(m)
		r.Bits = bits
		return r.RGB()
	case *msgs.CompressedImage:
		c := compressed(m)
		c.Bits = bits
		return c.RGB()
	}
	return pixels.RGB{}, noImage(m)
}

// Part is RGB of the camera's region.
func Part(m msgs.Message, c pixels.Camera) (pixels.RGB, error) {
	p, err := RGB(m, c.Bits)
	if err != nil {
		return p, err
	}
	return p.Crop(c.Region)
}

// Check returns what of RGB's errors can be told without looking at the pixels, which takes next to
// no time.
func Check(m msgs.Message) error {
	switch m := m.(type) {
	case *msgs.Image:
		return raw(m).Check()
	case *msgs.CompressedImage:
		return compressed(m).Check()
	}
	return noImage(m)
}

func noImage(m msgs.Message) error {
	return fmt.Errorf("%w: a %s is no image", pixels.ErrImage, m.ROSType())
}

// Describe checks that RGB would decode a message and names size and format:
// "640x480 bgr8". It is what bags.Check asks for.
func Describe(m msgs.Message) (string, error) {
	if m, ok := m.(*msgs.Image); ok { // nothing hides in raw pixels
		return fmt.Sprintf("%dx%d %s", m.Width, m.Height, m.Encoding), raw(m).Check()
	}
	p, err := RGB(m, 0)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%dx%d %s", p.Width, p.Height, m.(*msgs.CompressedImage).Format), nil
}

func raw(m *msgs.Image) pixels.Raw {
	return pixels.Raw{Encoding: m.Encoding, Width: int(m.Width), Height: int(m.Height),
		Step: int(m.Step), BigEndian: m.IsBigendian != 0, Data: m.Data}
}

func compressed(m *msgs.CompressedImage) pixels.Compressed {
	return pixels.Compressed{Format: m.Format, Data: m.Data}
}

// Used is how many of 16 bits the samples of an image use; 0 where they have 8, or it is
// compressed.
func Used(m msgs.Message) int {
	if m, ok := m.(*msgs.Image); ok {
		return raw(m).Used()
	}
	return 0
}
