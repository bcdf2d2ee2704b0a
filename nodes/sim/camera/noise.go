package camera

import "math"

// hash mixes lattice coordinates and a seed into 64 well-spread bits (splitmix64's finaliser).
func hash(x, y int, seed uint64) uint64 {
	h := uint64(x)*0x9e3779b97f4a7c15 ^ uint64(y)*0xc2b2ae3d27d4eb4f ^ seed*0x165667b19e3779f9
	h ^= h >> 30
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 27
	h *= 0x94d049bb133111eb
	return h ^ h>>31
}

// lattice returns a value in [-1, 1] for each lattice point.
func lattice(x, y int, seed uint64) float64 {
	return float64(int64(hash(x, y, seed)>>11))/(1<<52) - 1
}

// valueNoise is smooth noise in [-1, 1] with features about one unit wide.
func valueNoise(x, y float64, seed uint64) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	ix, iy := int(fx), int(fy)
	u, v := fade(x-fx), fade(y-fy)
	a, b := lattice(ix, iy, seed), lattice(ix+1, iy, seed)
	c, d := lattice(ix, iy+1, seed), lattice(ix+1, iy+1, seed)
	a += (b - a) * u
	c += (d - c) * u
	return a + (c-a)*v
}

func fade(t float64) float64 { return t * t * (3 - 2*t) }

// smoothstep rises from 0 at lo to 1 at hi without corners.
func smoothstep(lo, hi, x float64) float64 {
	return fade(min(1, max(0, (x-lo)/(hi-lo))))
}

// fractal sums octaves of value noise, each twice as fine and half as strong.
func fractal(x, y float64, octaves int, seed uint64) float64 {
	sum, amplitude := 0.0, 0.5
	for o := range octaves {
		sum += amplitude * valueNoise(x, y, seed+uint64(o))
		x, y, amplitude = 2*x+17.3, 2*y-5.1, amplitude/2
	}
	return sum
}
