package vision

import "math/rand/v2"

// Limits of what setting a scene up again does to its image.
const (
	warpNodes = 6        // of a grid over the image, each way, between which all is interpolated
	warpShift = 1.0 / 20 // of the image's side, each way, at a node
	warpShade = 0.2      // of the brightness, at a node
)

// Variation is what training images are varied by.
type Variation int

const (
	Unvaried Variation = iota
	// AsCameras is by what a camera does between two images of one scene (augment).
	AsCameras
	// AsScenes is by what differs between two scenes of one state, too (warp).
	AsScenes
)

// of writes a variation of an image to dst.
func (v Variation) of(dst, src []uint8, size int, rng *rand.Rand) {
	switch v {
	case Unvaried:
		copy(dst, src)
	case AsCameras:
		augment(dst, src, size, rng)
	case AsScenes:
		warped := make([]uint8, len(src))
		warp(warped, src, size, rng)
		augment(dst, warped, size, rng)
	}
}

// where is the variation to use with a recording in which what is no state lasts, or does not: where it does, the few
// scenes that were recorded do not show how far those of one state differ.
func (v Variation) where(lasts bool) Variation {
	if v == AsCameras && lasts {
		return AsScenes
	}
	return v
}

// warp writes an image to dst as it might look if each thing had been put down again, and the light with them: every part
// a little elsewhere and a little brighter or darker than its neighbours (elastic distortion: Simard et al. 2003).
func warp(dst, src []uint8, size int, rng *rand.Rand) {
	var right, down, shade grid
	for _, g := range []struct {
		*grid
		most float32
	}{{&right, warpShift * float32(size)}, {&down, warpShift * float32(size)}, {&shade, warpShade}} {
		for i := range g.grid {
			for k := range g.grid[i] {
				g.grid[i][k] = g.most * (2*rng.Float32() - 1)
			}
		}
	}
	edge := float32(size - 1)
	for y := range size {
		rowRight, rowDown, rowShade := right.row(y, size), down.row(y, size), shade.row(y, size)
		for x := range size {
			fromX := min(max(float32(x)+rowRight.at(x, size), 0), edge)
			fromY := min(max(float32(y)+rowDown.at(x, size), 0), edge)
			left, top := min(int(fromX), size-2), min(int(fromY), size-2)
			partX, partY := fromX-float32(left), fromY-float32(top)
			gain := 1 + rowShade.at(x, size)
			at := 3 * (top*size + left)
			upper, lower, to := src[at:at+6], src[at+3*size:at+3*size+6], dst[3*(y*size+x):3*(y*size+x)+3]
			for c := range 3 {
				above := float32(upper[c]) + partX*(float32(upper[3+c])-float32(upper[c]))
				below := float32(lower[c]) + partX*(float32(lower[3+c])-float32(lower[c]))
				to[c] = uint8(min(gain*(above+partY*(below-above))+0.5, 255))
			}
		}
	}
}

// grid is something that changes gently over an image.
type grid [warpNodes + 1]gridRow

// gridRow is a grid at one height.
type gridRow [warpNodes + 1]float32

func (g *grid) row(y, size int) (r gridRow) {
	at := float32(y*warpNodes) / float32(size)
	above := int(at)
	for k := range r {
		r[k] = g[above][k] + (at-float32(above))*(g[above+1][k]-g[above][k])
	}
	return r
}

func (r *gridRow) at(x, size int) float32 {
	at := float32(x*warpNodes) / float32(size)
	left := int(at)
	return r[left] + (at-float32(left))*(r[left+1]-r[left])
}
