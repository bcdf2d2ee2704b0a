package align

import (
	"math"

	"stripswm/models/internal/median"
)

// Numbers of the shades.
const (
	// shadeCells a side of an image, and shadeTones of a channel, have gains of their own. What stands
	// in the way of the light must cover half of what is as bright in a quarter of the image to be
	// taken for a shadow.
	shadeCells, shadeTones = 8, 8
	// shadeStep is every how many pixels, in both directions, are looked at.
	shadeStep = 2
	// fewest pixels of a cell and tone that say how light they are.
	fewest = 16
	// mostShade is what a shade leaves of the light at least.
	mostShade = 0.6
)

// shades are the gains of an image in another light. A lamp that burns lower beside light that
// stays changes shadows less than what it falls on, and what is far from it less than what is near.
// What never changes tells how much, by where it is and how bright: both sides of a shadow's edge
// are told apart. (Gains by place and tone: the bilateral grid, Chen, Paris and Durand 2007.)
type shades struct {
	r *Reference
	c *Change
	// looks are the gains by what the reference shows, seen by what the image does: what changes may
	// be in the light or in a shadow that moves.
	looks, seen gains
}

// gains are those of the values of a channel at the corners of the cells.
type gains [shadeCells + 1][shadeCells + 1][3][256]float64

// ratios are the gains of single pixels, for each corner of cells and tones.
type ratios [shadeCells + 1][shadeCells + 1][3][shadeTones + 1][]float64

// tone is which tone a value is of, and how far it is to the next.
func tone(value float64) (int, float64) {
	at := min(value, 255) * shadeTones / 256
	return int(at), at - float64(int(at))
}

func (r *ratios) add(x, y float64, ch int, value, gain float64) {
	t, _ := tone(value)
	row, column := int(y*shadeCells), int(x*shadeCells)
	for k := range 8 {
		to := &r[row+k&1][column+k>>1&1][ch][t+k>>2]
		*to = append(*to, gain)
	}
}

// gains are those of most pixels; where these are few, those of the change.
func (r *ratios) gains(c *Change) (g gains) {
	for row := range r {
		for column := range r[row] {
			for ch, gain := range c.Gain {
				least, most := mostShade*min(gain, 1), max(gain, 1)/mostShade
				var of [shadeTones + 1]float64
				for t, all := range r[row][column][ch] {
					if of[t] = gain; len(all) >= fewest {
						of[t] = min(max(median.Upper(all), least), most)
					}
				}
				for v := range 256 {
					t, off := tone(float64(v))
					g[row][column][ch][v] = (1-off)*of[t] + off*of[t+1]
				}
			}
		}
	}
	return g
}

// most is by how many grey levels they change values otherwise than all of the image changed.
func (s *shades) most() (most float64) {
	for row := range s.looks {
		for column := range s.looks[row] {
			for ch, all := range s.looks[row][column] {
				for v := 0; v < len(all); v += len(all) / shadeTones {
					most = max(most, math.Abs(all[v]-s.c.Gain[ch])*float64(v))
				}
			}
		}
	}
	return most
}

// at is the gain of a value of a channel at a place, 0 to 1 from left to right and from above.
func (g *gains) at(x, y float64, ch int, value uint8) float64 {
	x, y = x*shadeCells, y*shadeCells
	i, j := int(x), int(y)
	x, y = x-float64(i), y-float64(j)
	return (1-y)*((1-x)*g[j][i][ch][value]+x*g[j][i+1][ch][value]) +
		y*((1-x)*g[j+1][i][ch][value]+x*g[j+1][i+1][ch][value])
}

// shades are those of an image that has changed so, but for those by what it shows.
func (r *Reference) shades(p picture, c *Change) *shades {
	s := &shades{r: r, c: c}
	var found ratios
	r.compare(p, c, 0, shadeStep, func(pixel, ch int, look, seen float64) {
		if r.noise[pixel] <= r.calm {
			x, y := r.place(pixel)
			found.add((x+1)/2, (y+1)/2, ch, look, (seen-c.Bias[ch])/look)
		}
	})
	s.looks = found.gains(c)
	return s
}

// bySeen finds the gains by what the image shows, from what the others explain: what is no shade,
// such as a thing that was never there, has tones of its own.
func (s *shades) bySeen(p picture) {
	r, c := s.r, s.c
	var found ratios
	r.compare(p, c, 0, shadeStep, func(pixel, ch int, look, seen float64) {
		x, y := r.place(pixel)
		gain, noise := s.looks.at((x+1)/2, (y+1)/2, ch, uint8(look)), max(r.noise[pixel], minNoise)
		if r.noise[pixel] <= r.calm && math.Abs(gain*look+c.Bias[ch]-seen) < cauchy*noise {
			found.add((x+1)/2, (y+1)/2, ch, seen, gain)
		}
	})
	s.seen = found.gains(c)
}

// relit is a value of a channel in the light of the recording, at a place and a pixel of the
// reference.
func (s *shades) relit(x, y float64, pixel, ch int, value uint8) uint8 {
	gain := s.looks.at(x, y, ch, s.r.look[3*pixel+ch])
	peak := s.r.peak[3*pixel+ch]
	switch {
	// What is clipped may be that of a bright recorded image; what is as bright and was never there
	// cannot be told from it.
	case value > brightest && gain*float64(peak)+s.c.Bias[ch] > brightest:
		return peak
	case s.r.noise[pixel] > s.r.calm:
		gain = s.seen.at(x, y, ch, value)
	}
	return byteOf((float64(value) - s.c.Bias[ch]) / gain)
}
