package augment

import "math/rand/v2"

// What a new set-up of a scene changes.
const (
	// cells of a grid over the image, each way; between nodes it is interpolated
	warpNodes = 6
	warpShift = 1.0 / 20 // share of the side, each way, at a node
	warpShade = 0.2      // share of the brightness, at a node
)

// asScene writes an image to dst as it may be after the scene was set up again: each part a little
// elsewhere, and a little brighter or darker than its neighbours (elastic distortion: Simard et al.
// 2003).
func asScene(dst, src []uint8, size int, rng *rand.Rand) {
	var right, down, shade grid
	for _, g := range []struct {
		*grid
		limit float32
	}{{&right, warpShift * float32(size)}, {&down, warpShift * float32(size)},
		{&shade, warpShade}} {
		for i := range g.grid {
			for k := range g.grid[i] {
				g.grid[i][k] = g.limit * (2*rng.Float32() - 1)
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
			upper, lower, to := src[at:at+6], src[at+3*size:at+3*size+6],
				dst[3*(y*size+x):3*(y*size+x)+3]
			for c := range 3 {
				above := float32(upper[c]) + partX*(float32(upper[3+c])-float32(upper[c]))
				below := float32(lower[c]) + partX*(float32(lower[3+c])-float32(lower[c]))
				to[c] = uint8(min(gain*(above+partY*(below-above))+0.5, 255))
			}
		}
	}
}

// grid has values that change gently over an image.
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
