package eval

import (
	"math"
	"math/rand/v2"

	"stripswm/models/pixels"
)

// Kind is images that show no state.
type Kind struct {
	Name string
	Draw func(rng *rand.Rand, side int) pixels.RGB // side x side pixels
}

type colour [3]float64

// Unrelated lists kinds of images.
func Unrelated() []Kind {
	return []Kind{
		{"one colour", func(rng *rand.Rand, side int) pixels.RGB {
			c := some(rng)
			return fill(side, func(int, int) colour { return c })
		}},
		{"a grey", func(rng *rand.Rand, side int) pixels.RGB {
			v := 255 * rng.Float64()
			return fill(side, func(int, int) colour { return colour{v, v, v} })
		}},
		{"colours that run into each other", func(rng *rand.Rand, side int) pixels.RGB {
			a, b, turn := some(rng), some(rng), 2*math.Pi*rng.Float64()
			return fill(side, func(x, y int) colour {
				along := (float64(x)*math.Cos(turn) + float64(y)*math.Sin(turn)) / float64(side)
				return mix(a, b, 0.5+along/2)
			})
		}},
		{"noise of pixels", func(rng *rand.Rand, side int) pixels.RGB {
			return fill(side, func(int, int) colour { return some(rng) })
		}},
		{"grey noise", func(rng *rand.Rand, side int) pixels.RGB {
			return fill(side, func(int, int) colour { v := 255 * rng.Float64(); return colour{v, v, v} })
		}},
		{"noise of patches", func(rng *rand.Rand, side int) pixels.RGB {
			return patches(rng, side, side/8)
		}},
		{"stripes", func(rng *rand.Rand, side int) pixels.RGB {
			a, b := some(rng), some(rng)
			turn, width := math.Pi*rng.Float64(), float64(side)*(0.03+0.1*rng.Float64())
			return fill(side, func(x, y int) colour {
				if math.Mod(math.Abs(float64(x)*math.Cos(turn)+float64(y)*math.Sin(turn))/width, 2) < 1 {
					return a
				}
				return b
			})
		}},
		{"a chessboard", func(rng *rand.Rand, side int) pixels.RGB {
			a, b, width := some(rng), some(rng), 2+rng.IntN(side/4)
			return fill(side, func(x, y int) colour {
				if (x/width+y/width)%2 == 0 {
					return a
				}
				return b
			})
		}},
		{"discs", func(rng *rand.Rand, side int) pixels.RGB { return things(rng, side, true) }},
		{"boxes", func(rng *rand.Rand, side int) pixels.RGB { return things(rng, side, false) }},
		{"clouds", func(rng *rand.Rand, side int) pixels.RGB {
			return clouds(rng, side, some(rng), some(rng))
		}},
		{"grain of wood", func(rng *rand.Rand, side int) pixels.RGB {
			dark, light, waves := colour{90, 55, 25}, colour{190, 140, 90}, 4+12*rng.Float64()
			bend := clouds(rng, side, colour{}, colour{255, 255, 255})
			return fill(side, func(x, y int) colour {
				v := float64(bend.Pix[3*(y*side+x)]) / 255
				return mix(dark, light, 0.5+0.5*math.Sin(2*math.Pi*waves*(float64(y)/float64(side)+0.4*v)))
			})
		}},
		{"lines of text", func(rng *rand.Rand, side int) pixels.RGB {
			line, ink := 3+side/24, map[[2]int]bool{}
			return fill(side, func(x, y int) colour {
				at := [2]int{x / 2, y / 2}
				if _, drawn := ink[at]; !drawn {
					ink[at] = rng.IntN(2) == 0
				}
				if y%line < line/2 && ink[at] {
					return colour{30, 30, 30}
				}
				return colour{235, 235, 225}
			})
		}},
		{"a face-like figure", func(rng *rand.Rand, side int) pixels.RGB {
			skin, back := colour{150 + 80*rng.Float64(), 110 + 60*rng.Float64(),
				80 + 60*rng.Float64()}, some(rng)
			return fill(side, func(x, y int) colour {
				u, v := (float64(x)/float64(side)-0.5)*2, (float64(y)/float64(side)-0.5)*2
				feature := math.Hypot(math.Abs(u)-0.25, v+0.15) < 0.1 || math.Hypot(u, (v-0.35)*3) < 0.25
				switch {
				case feature:
					return colour{40, 30, 30}
				case math.Hypot(u/0.6, v/0.8) < 1:
					return skin
				}
				return back
			})
		}},
		{"a landscape", func(rng *rand.Rand, side int) pixels.RGB {
			sky, ground := clouds(rng, side, colour{110, 160, 230}, colour{240, 240, 250}), clouds(rng, side,
				colour{40, 90, 30}, colour{150, 140, 60})
			height, waves := 0.4+0.3*rng.Float64(), 1+3*rng.Float64()
			return fill(side, func(x, y int) colour {
				from := &sky
				if float64(y) > float64(side)*(height+0.08*math.Sin(waves*2*math.Pi*float64(x)/float64(side))) {
					from = &ground
				}
				i := 3 * (y*side + x)
				return colour{float64(from.Pix[i]), float64(from.Pix[i+1]), float64(from.Pix[i+2])}
			})
		}},
		{"a screen of tiles", func(rng *rand.Rand, side int) pixels.RGB {
			return patches(rng, side, 2+rng.IntN(5))
		}},
	}
}

func some(rng *rand.Rand) colour {
	return colour{255 * rng.Float64(), 255 * rng.Float64(), 255 * rng.Float64()}
}

func mix(a, b colour, share float64) (c colour) {
	for i := range c {
		c[i] = a[i] + (b[i]-a[i])*min(1, max(0, share))
	}
	return c
}

func fill(side int, of func(x, y int) colour) pixels.RGB {
	p := pixels.RGB{Width: side, Height: side, Pix: make([]uint8, 0, 3*side*side)}
	for i := range side * side {
		for _, v := range of(i%side, i/side) {
			p.Pix = append(p.Pix, uint8(min(255, max(0, v))))
		}
	}
	return p
}

// patches is an image of so many squares a side, each of a colour.
func patches(rng *rand.Rand, side, n int) pixels.RGB {
	colours := make([]colour, n*n)
	for i := range colours {
		colours[i] = some(rng)
	}
	return fill(side, func(x, y int) colour { return colours[y*n/side*n+x*n/side] })
}

// things is discs or boxes in front of a colour.
func things(rng *rand.Rand, side int, round bool) pixels.RGB {
	type thing struct {
		x, y, w, h float64
		c          colour
	}
	var all []thing
	for range 3 + rng.IntN(12) {
		all = append(all, thing{rng.Float64(), rng.Float64(), 0.03 + 0.2*rng.Float64(),
			0.03 + 0.2*rng.Float64(), some(rng)})
	}
	back := some(rng)
	return fill(side, func(x, y int) colour {
		c := back
		for _, t := range all {
			u, v := (float64(x)/float64(side)-t.x)/t.w, (float64(y)/float64(side)-t.y)/t.h
			if round && math.Hypot(u, v) < 1 || !round && max(math.Abs(u), math.Abs(v)) < 1 {
				c = t.c
			}
		}
		return c
	})
}

// clouds is noise of every scale between two colours.
func clouds(rng *rand.Rand, side int, a, b colour) pixels.RGB {
	sum, weights := make([]float64, side*side), 0.0
	for cells, weight := 2, 1.0; cells <= side/2; cells, weight = 2*cells, weight*0.6 {
		lattice := make([]float64, (cells+1)*(cells+1))
		for i := range lattice {
			lattice[i] = rng.Float64()
		}
		for i := range sum {
			perPixel := float64(cells) / float64(side)
			x, y := float64(i%side)*perPixel, float64(i/side)*perPixel
			u, v := x-math.Floor(x), y-math.Floor(y)
			at := int(y)*(cells+1) + int(x)
			top := lattice[at]*(1-u) + lattice[at+1]*u
			bottom := lattice[at+cells+1]*(1-u) + lattice[at+cells+2]*u
			sum[i] += weight * (top*(1-v) + bottom*v)
		}
		weights += weight
	}
	return fill(side, func(x, y int) colour { return mix(a, b, 0.5+2*(sum[y*side+x]/weights-0.5)) })
}

// Corruption makes another image of one that shows a state.
type Corruption struct {
	Name    string
	Corrupt func(rng *rand.Rand, p pixels.RGB) pixels.RGB
	// Mirror says that the corrupted image may be a true image of another state.
	Mirror bool
	// Hides says that something comes into view.
	Hides bool
}

// Corrupted lists the corruptions.
func Corrupted() []Corruption {
	return []Corruption{
		{Name: "left and right exchanged", Mirror: true,
			Corrupt: moved(func(u, v float64) (float64, float64) { return -u, v })},
		{Name: "upside down", Corrupt: moved(func(u, v float64) (float64, float64) { return -u, -v })},
		{Name: "a quarter turn", Corrupt: moved(func(u, v float64) (float64, float64) { return v, -u })},
		{Name: "turned by 15 degrees", Corrupt: moved(turned(15))},
		{Name: "seen from nearer", Corrupt: moved(func(u, v float64) (float64, float64) {
			return u / 1.4, v / 1.4
		})},
		{Name: "seen from farther", Corrupt: moved(func(u, v float64) (float64, float64) {
			return u * 1.4, v * 1.4
		})},
		{Name: "the camera knocked aside", Corrupt: moved(func(u, v float64) (float64, float64) {
			return u + 0.3, v + 0.1
		})},
		{Name: "half of it covered", Corrupt: func(rng *rand.Rand, p pixels.RGB) pixels.RGB {
			turn, c := 2*math.Pi*rng.Float64(), some(rng)
			return painted(p, func(u, v float64, now colour) colour {
				if u*math.Cos(turn)+v*math.Sin(turn) > 0 {
					return c
				}
				return now
			})
		}},
		{Name: "a hand in view", Hides: true, Corrupt: hand},
		{Name: "a forearm of the colour of the table", Hides: true, Corrupt: forearm},
		{Name: "a thing that does not belong", Hides: true, Corrupt: func(rng *rand.Rand,
			p pixels.RGB) pixels.RGB {
			x, y, size, c := 1.4*rng.Float64()-0.7, 1.4*rng.Float64()-0.7, 0.1+0.15*rng.Float64(), some(rng)
			return painted(p, func(u, v float64, now colour) colour {
				if math.Hypot(u-x, v-y) < size {
					return c
				}
				return now
			})
		}},
		{Name: "nearly dark", Corrupt: lit(0.08, 0)},
		{Name: "half the light", Corrupt: lit(0.5, 0)},
		{Name: "overexposed", Corrupt: lit(2.2, 0)},
		{Name: "fog", Corrupt: lit(0.35, 140)},
		{Name: "a negative", Corrupt: lit(-1, 255)},
		{Name: "red and blue exchanged",
			Corrupt: recoloured(func(c colour) colour { return colour{c[2], c[1], c[0]} })},
		{Name: "without colours",
			Corrupt: recoloured(func(c colour) colour {
				v := (c[0] + c[1] + c[2]) / 3
				return colour{v, v, v}
			})},
		{Name: "a channel dead",
			Corrupt: recoloured(func(c colour) colour { return colour{c[0], 0, c[2]} })},
		{Name: "tiles in another order", Corrupt: shuffled},
		{Name: "every third pixel lost", Corrupt: func(rng *rand.Rand, p pixels.RGB) pixels.RGB {
			return painted(p, func(_, _ float64, now colour) colour {
				if rng.IntN(3) == 0 {
					return colour{}
				}
				return now
			})
		}},
	}
}

// painted gives each pixel the colour that of returns for its place, -1..1 from left to right and
// from the top down, and its colour now.
func painted(p pixels.RGB, of func(u, v float64, now colour) colour) pixels.RGB {
	out := pixels.RGB{Width: p.Width, Height: p.Height, Pix: make([]uint8, 0, len(p.Pix))}
	for i := range p.Width * p.Height {
		now := colour{float64(p.Pix[3*i]), float64(p.Pix[3*i+1]), float64(p.Pix[3*i+2])}
		u, v := 2*float64(i%p.Width)/float64(p.Width)-1, 2*float64(i/p.Width)/float64(p.Height)-1
		for _, x := range of(u, v, now) {
			out.Pix = append(out.Pix, uint8(min(255, max(0, x))))
		}
	}
	return out
}

// moved takes each pixel from another place, at the border the nearest.
func moved(from func(u, v float64) (float64, float64)) func(*rand.Rand, pixels.RGB) pixels.RGB {
	return func(_ *rand.Rand, p pixels.RGB) pixels.RGB {
		return painted(p, func(u, v float64, _ colour) colour {
			x, y := from(u+1/float64(p.Width), v+1/float64(p.Height))
			i := 3 * (inside(y, p.Height)*p.Width + inside(x, p.Width))
			return colour{float64(p.Pix[i]), float64(p.Pix[i+1]), float64(p.Pix[i+2])}
		})
	}
}

func inside(u float64, n int) int { return min(n-1, max(0, int((u+1)/2*float64(n)))) }

func turned(degrees float64) func(u, v float64) (float64, float64) {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return func(u, v float64) (float64, float64) { return u*cos - v*sin, u*sin + v*cos }
}

func lit(times, plus float64) func(*rand.Rand, pixels.RGB) pixels.RGB {
	return recoloured(func(c colour) colour {
		return colour{c[0]*times + plus, c[1]*times + plus, c[2]*times + plus}
	})
}

func recoloured(of func(colour) colour) func(*rand.Rand, pixels.RGB) pixels.RGB {
	return func(_ *rand.Rand, p pixels.RGB) pixels.RGB {
		return painted(p, func(_, _ float64, now colour) colour { return of(now) })
	}
}

// hand reaches in from below or above, a palm and an arm.
func hand(rng *rand.Rand, p pixels.RGB) pixels.RGB {
	x, y, up := 1.6*rng.Float64()-0.8, 1.2*rng.Float64()-0.6, rng.IntN(2) == 0
	skin := colour{150 + 80*rng.Float64(), 110 + 50*rng.Float64(), 80 + 50*rng.Float64()}
	return painted(p, func(u, v float64, now colour) colour {
		limb := math.Abs(u-x) < 0.18 && (v > y) == up
		if math.Hypot(u-x, (v-y)*0.8) < 0.32 || limb {
			return skin
		}
		return now
	})
}

// forearm reaches in from a side, as bright as most of the image: where it covers nothing but the
// table it is hardly seen.
func forearm(rng *rand.Rand, p pixels.RGB) pixels.RGB {
	x, y, turn := rng.Float64()-0.5, rng.Float64()-0.5, 2*math.Pi*rng.Float64()
	var sleeve colour
	for c := range sleeve {
		var count [256]int
		for i := c; i < len(p.Pix); i += 3 {
			count[p.Pix[i]]++
		}
		for n := 0; n <= p.Width*p.Height/2; sleeve[c]++ {
			n += count[int(sleeve[c])]
		}
	}
	return painted(p, func(u, v float64, now colour) colour {
		along := (u-x)*math.Cos(turn) + (v-y)*math.Sin(turn)
		across := (v-y)*math.Cos(turn) - (u-x)*math.Sin(turn)
		if math.Hypot(min(along, 0), across) > 0.15 {
			return now
		}
		return mix(sleeve, colour{}, across*across*8) // rounder, and so darker, at its edges
	})
}

// shuffled has the sixteen tiles of an image in another order.
func shuffled(rng *rand.Rand, p pixels.RGB) pixels.RGB {
	const n = 4
	order := rng.Perm(n * n)
	return moved(func(u, v float64) (float64, float64) {
		x, y := inside(u, n), inside(v, n)
		to := order[y*n+x]
		return u + 2*float64(to%n-x)/n, v + 2*float64(to/n-y)/n
	})(rng, p)
}

// Visible says whether two images differ clearly in at least one pixel of 200: the sensor's
// noise is the same in both.
func Visible(a, b pixels.RGB) bool {
	const share = 200
	return differing(pixels.Region{}, a, b)*share >= len(a.Pix)/3
}

// differing counts pixels of a region in which two images differ clearly.
func differing(r pixels.Region, a, b pixels.RGB) (n int) {
	const clearly = 30
	x0, y0, x1, y1 := r.Bounds(a.Width, a.Height)
	for y := y0; y < y1; y++ {
		for i := 3 * (y*a.Width + x0); i < 3*(y*a.Width+x1); i += 3 {
			for c := range 3 {
				if d := int(a.Pix[i+c]) - int(b.Pix[i+c]); d > clearly || d < -clearly {
					n++
					break
				}
			}
		}
	}
	return n
}
