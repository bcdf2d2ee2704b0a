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
