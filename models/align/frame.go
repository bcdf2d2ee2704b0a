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

// Of is an image as networks take it, and how it was changed. One that has changed no more than
// recorded images did is as pixels.Frame.Of makes it. Errors wrap pixels.ErrImage.
func (f Frame) Of(p pixels.RGB) (pixels.RGB, Change, error) {
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
	c := r.Estimate(seen.Pix)
	if !c.Moved() && !c.Lit() {
		return small, c, nil
	}
	if c.Moved() {
		if p, err = c.Unmove(p, f.Frame); err != nil {
			return small, c, err
		}
	} else {
		p.Pix = slices.Clone(p.Pix) // may be the caller's
	}
	r.restore(p, c, f.Frame)
	small, err = f.Frame.Of(p)
	return small, c, err
}

// restore takes the light out of an image that was moved back, and shows the reference where it
// was not seen.
func (r *Reference) restore(p pixels.RGB, c Change, f pixels.Frame) {
	x, y, half := f.Place(p.Width, p.Height)
	h := c.matrix()
	seen := func(i, j int) bool {
		u, v := project(&h, (float64(i)-x)/half[0], (float64(j)-y)/half[1])
		u, v = u*half[0]+x, v*half[1]+y
		return !c.Moved() || u >= 0 && v >= 0 && u <= float64(p.Width-1) && v <= float64(p.Height-1)
	}
	look := func(i, j int) []uint8 { // nil outside the square
		u := ((float64(i)-x)/half[0] + 1) / 2 * float64(r.Side)
		v := ((float64(j)-y)/half[1] + 1) / 2 * float64(r.Side)
		if min(u, v) < 0 || max(u, v) >= float64(r.Side) {
			return nil
		}
		at := 3 * (int(v)*r.Side + int(u))
		return r.look[at : at+3]
	}
	var table [3][256]uint8
	for ch := range table {
		for v := range table[ch] {
			table[ch][v] = c.relit(uint8(v), ch, uint8(v))
		}
	}
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
			switch {
			case i < from || i >= to:
				for ch, v := range look(i, j) {
					if !c.Lit() {
						v = byteOf(c.Gain[ch]*float64(v) + c.Bias[ch])
					}
					pix[ch] = v
				}
			case !c.Lit():
			case max(pix[0], pix[1], pix[2]) > brightest || min(pix[0], pix[1], pix[2]) < darkest:
				for ch, v := range look(i, j) {
					pix[ch] = c.relit(pix[ch], ch, v)
				}
			default:
				for ch, v := range pix {
					pix[ch] = table[ch][v]
				}
			}
		}
	}
}

// relit is a value of a channel in the light of the recording. What is clipped may be what the
// reference shows there, if that would be clipped as well.
func (c *Change) relit(v uint8, ch int, look uint8) uint8 {
	expect := c.Gain[ch]*float64(look) + c.Bias[ch]
	if v > brightest && expect > brightest || v < darkest && expect < darkest {
		return look
	}
	return byteOf((float64(v) - c.Bias[ch]) / c.Gain[ch])
}

func byteOf(v float64) uint8 { return uint8(min(max(math.Round(v), 0), 255)) }
