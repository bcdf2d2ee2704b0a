package camera

import (
	"stripswm/bags/pairing"
	"stripswm/models/pixels"
	"stripswm/msgs"
	"stripswm/nodes/cvbridge"
)

// View is an image message in small, by which rest is told from motion: what the camera's region
// shows.
func View(m msgs.Message, c pixels.Camera) (pairing.View, error) {
	p, err := cvbridge.Part(m, c)
	if err != nil {
		return pairing.View{}, err
	}
	return pairing.ViewOf(p.Pix, p.Width, p.Height), nil
}

// RGB is the image of a message, as [Image.RGB] is.
func RGB(m msgs.Message, bits int) (pixels.RGB, error) { return cvbridge.RGB(m, bits) }

// View is that of the image.
func (i Image) View(c pixels.Camera) (pairing.View, error) { return View(i.message, c) }
