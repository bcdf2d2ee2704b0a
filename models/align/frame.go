package align

import (
	"math"
	"slices"

	"stripswm/models/pixels"
)

// Frame shows images to networks as a pixels.Frame does, as they would look to the camera of the
// recording, in its light. Without a Reference it takes them as they are.
type Frame struct {
	pixels.Frame
	Reference *Reference
}

// Of is an image as networks take it, and how it was changed. One that has not changed is as
// pixels.Frame.Of makes it. Errors wrap pixels.ErrImage.
func (f Frame) Of(p pixels.RGB) (pixels.RGB, Change, error) { return f.OfPart(p, pixels.Region{}) }

// OfPart is Of an image that shows the world in a part of it only: what is elsewhere, such as a
// cover, says nothing of camera and light.
func (f Frame) OfPart(p pixels.RGB, part pixels.Region) (pixels.RGB, Change, error) {
	small, err := f.Frame.Of(p)
	r := f.Reference
	if err != nil || r == nil {
		return small, unchanged, err
	}
	larger := f.Frame
	larger.Side = r.Side
	seen, err := larger.Of(p)
	if err != nil {
		return small, unchanged, err
	}
	w, some := r.within(f.inside(part, p.Width, p.Height))
	if !some {
		return small, unchanged, nil
	}
	shown := w.picture(seen.Pix)
	c := w.estimate(shown)
	if c.Moved() && r.hidden(f.sees(c, p.Width, p.Height)) > mostHidden {
		c.beyond, c.lit = true, false
	}
	var light *shades
	if !c.beyond && !c.other {
		light = w.shades(shown, &c)
		if c.lit = c.lit || light.most() > r.shade; c.lit {
			light.bySeen(shown)
		} else {
			light = nil
		}
	}
	if !c.Moved() && !c.Lit() {
		return small, c, nil
	}
	if p, err = f.shrink(p); err != nil {
		return small, c, err
	}
	if c.Moved() {
		if p, err = c.Unmove(p, f.Frame); err != nil {
			return small, c, err
		}
	} else {
		p.Pix = slices.Clone(p.Pix) // may be the caller's
	}
	r.restore(p, c, light, f.Frame, f.sees(c, p.Width, p.Height))
	small, err = f.Frame.Of(p)
	return small, c, err
}

// inside is the part of the reference that a region of an image of so many pixels shows.
func (f Frame) inside(part pixels.Region, width, height int) rectangle {
	x, y, half := f.Place(width, height)
	at := func(pixel int, middle, half float64) float64 {
		return float64(f.Reference.Side) * ((float64(pixel)-0.5-middle)/half + 1) / 2
	}
	x0, y0, x1, y1 := part.Bounds(width, height)
	return rectangle{int(math.Ceil(at(x0, x, half[0]))), int(math.Ceil(at(y0, y, half[1]))),
		int(at(x1, x, half[0])), int(at(y1, y, half[1]))}
}

// shrink is an image that has no more than four pixels a side for each of the network's: what is
// moved back is averaged over enough of them, and a large camera costs no more than a small one.
func (f Frame) shrink(p pixels.RGB) (pixels.RGB, error) {
	_, _, half := f.Place(p.Width, p.Height)
	by := 2 * float64(f.Side) / max(half[0], half[1])
	if by >= 1 {
		return p, nil
	}
	return p.Resize(max(1, int(math.Round(by*float64(p.Width)))), max(1,
		int(math.Round(by*float64(p.Height)))))
}

// sees says of places of the reference whether an image of so many pixels shows them.
func (f Frame) sees(c Change, width, height int) func(x, y float64) bool {
	x0, y0, half := f.Place(width, height)
	h := c.matrix()
	return func(x, y float64) bool {
		u, v := project(&h, x, y)
		u, v = u*half[0]+x0, v*half[1]+y0
		return !c.Moved() || u >= 0 && v >= 0 && u <= float64(width-1) && v <= float64(height-1)
	}
}

// Shows says of each pixel of the square that networks take, [Side*Side], whether an image of so
// many pixels shows all of it, though the camera has moved; nil: it shows all.
func (f Frame) Shows(c Change, width, height int) []bool {
	if !c.Moved() {
		return nil
	}
	sees := f.sees(c, width, height)
	corners, n := make([]bool, (f.Side+1)*(f.Side+1)), f.Side+1
	for k := range corners {
		corners[k] = sees(2*float64(k%n)/float64(f.Side)-1, 2*float64(k/n)/float64(f.Side)-1)
	}
	shown := make([]bool, f.Side*f.Side)
	for i := range shown {
		k := i/f.Side*n + i%f.Side
		shown[i] = corners[k] && corners[k+1] && corners[k+n] && corners[k+n+1]
	}
	return shown
}

// mostHidden is the share of what changes that may be out of view: the reference stands for what is
// not seen, and must not stand for an object.
const mostHidden = 0.05

// hidden is the share of what changes that is not seen, by its variance.
func (r *Reference) hidden(sees func(x, y float64) bool) float64 {
	all, hidden := 1e-9, 0.0
	for i, noise := range r.noise {
		if noise <= r.calm {
			continue
		}
		all += noise * noise
		if x, y := r.place(i); !sees(x, y) {
			hidden += noise * noise
		}
	}
	return hidden / all
}

// place is where the middle of a pixel is.
func (r *Reference) place(i int) (x, y float64) {
	side := float64(r.Side)
	return 2*(float64(i%r.Side)+0.5)/side - 1, 2*(float64(i/r.Side)+0.5)/side - 1
}

// restore takes another light, if there is one, out of an image that was moved back, and shows the
// reference where it was not seen.
func (r *Reference) restore(p pixels.RGB, c Change, light *shades, f pixels.Frame,
	sees func(x, y float64) bool,
) {
	x, y, half := f.Place(p.Width, p.Height)
	seen := func(i, j int) bool { return sees((float64(i)-x)/half[0], (float64(j)-y)/half[1]) }
	for j := range p.Height {
		from, to := 0, p.Width // what is seen
		for from < to && !seen(from, j) {
			from++
		}
		for to > from && !seen(to-1, j) {
			to--
		}
		for i := range p.Width {
			pix := p.Pix[3*(j*p.Width+i):][:3]
			unseen := i < from || i >= to
			u, v := ((float64(i)-x)/half[0]+1)/2, ((float64(j)-y)/half[1]+1)/2
			if !unseen && light == nil || min(u, v) < 0 || max(u, v) >= 1 {
				continue
			}
			k := int(v*float64(r.Side))*r.Side + int(u*float64(r.Side))
			for ch, value := range pix {
				switch look := r.look[3*k+ch]; {
				case unseen && light != nil:
					pix[ch] = look
				case unseen:
					pix[ch] = byteOf(c.Gain[ch]*float64(look) + c.Bias[ch])
				default:
					pix[ch] = light.relit(u, v, k, ch, value)
				}
			}
		}
	}
}

// relit is a value of a channel in the light of the recording.
func (c *Change) relit(v uint8, ch int) uint8 {
	return byteOf((float64(v) - c.Bias[ch]) / c.Gain[ch])
}

func byteOf(v float64) uint8 { return uint8(min(max(math.Round(v), 0), 255)) }
