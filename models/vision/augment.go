package vision

import (
	"math/rand/v2"
)

// augment writes a mild variation of an image to dst, for L_aug: a shift of up
// to two pixels, brightness and colour, and noise; what a camera does between
// two pictures of one scene.
func augment(dst, src []uint8, size int, rng *rand.Rand) {
	const shift, gain, tint, noise = 2, 0.15, 0.05, 3.0
	dx, dy := rng.IntN(2*shift+1)-shift, rng.IntN(2*shift+1)-shift
	var scale [3]float64
	base := 1 + gain*(2*rng.Float64()-1)
	for c := range scale {
		scale[c] = base * (1 + tint*(2*rng.Float64()-1))
	}
	for y := range size {
		sy := min(max(y+dy, 0), size-1)
		for x := range size {
			sx := min(max(x+dx, 0), size-1)
			for c := range 3 {
				v := float64(src[(sy*size+sx)*3+c])*scale[c] + noise*rng.NormFloat64()
				dst[(y*size+x)*3+c] = uint8(min(max(v+0.5, 0), 255))
			}
		}
	}
}
