package camera

import (
	"fmt"
	"math/bits"

	"stripswm/nodes/sim/scene"
)

// frame is the working memory of one image. Frames are pooled, so that an image allocates
// little more than its own image.
type frame struct {
	w, h   int
	scene  *scene.Scene
	view   view
	bodies []body
	tiles  []uint64 // which bodies may be seen in each square of tileSize pixels
	tilesX int
	lamp   [rays]scene.Vec
	table  *texture
	levels []int // of the table's texture, a line of pixels
	mats   []mat
	lights lightMap
	pixels []texel  // linear light; the fourth value is the share of the lamp a body sees
	spare  []texel  // for motion blur
	keys   []uint32 // what each pixel shows: body in the top byte, normal in the rest
}

const tileSize = 8

// begin lays out a scene for an image of w by h pixels.
func (f *frame) begin(s *scene.Scene, w, h int) error {
	if len(s.Bodies) > scene.MaxBodies {
		return fmt.Errorf("scene has %d bodies: at most %d can be drawn", len(s.Bodies), scene.MaxBodies)
	}
	if s.View.Eye.Z <= 0 || s.Light.At.Z <= 0 {
		return fmt.Errorf("camera at height %.3f m and lamp at %.3f m: both must be above the table",
			s.View.Eye.Z, s.Light.At.Z)
	}
	f.w, f.h, f.scene = w, h, s
	f.view = newView(s.View, w, h)
	f.table = woodTexture(s.Table)
	f.pixels, f.keys = resize(f.pixels, w*h), resize(f.keys, w*h)
	for i := range f.lamp {
		f.lamp[i] = lampPoint(s.Light, i, rays)
	}
	f.bodies = resize(f.bodies, len(s.Bodies))
	for i := range s.Bodies {
		if !f.bodies[i].prepare(&s.Bodies[i], &f.view, i) {
			return fmt.Errorf("body %d has a shape of type %T, which cannot be drawn", i, s.Bodies[i].Shape)
		}
	}
	f.layMats()
	f.sort()
	f.chooseLevels()
	f.lights.compute(f)
	return nil
}

// sort notes for each tile the bodies whose bounding box may be seen there.
func (f *frame) sort() {
	f.tilesX = (f.w + tileSize - 1) / tileSize
	tilesY := (f.h + tileSize - 1) / tileSize
	f.tiles = resize(f.tiles, f.tilesX*tilesY)
	clear(f.tiles)
	for i := range f.bodies {
		left, top, right, bottom, seen := f.bounds(&f.bodies[i])
		if !seen || f.bodies[i].unseen {
			continue
		}
		for y := max(0, top/tileSize); y <= min(tilesY-1, bottom/tileSize); y++ {
			for x := max(0, left/tileSize); x <= min(f.tilesX-1, right/tileSize); x++ {
				f.tiles[y*f.tilesX+x] |= 1 << i
			}
		}
	}
}

// bounds returns the rectangle of pixels that holds the body, one pixel to spare.
func (f *frame) bounds(b *body) (left, top, right, bottom int, seen bool) {
	x0, y0, x1, y1 := float64(f.w), float64(f.h), 0.0, 0.0
	for _, p := range scene.Corners(b.half) {
		x, y, ok := f.view.project(b.at.Add(b.rot.Apply(p)))
		if !ok {
			return 0, 0, f.w - 1, f.h - 1, true
		}
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
	}
	x0, y0 = max(x0, 0), max(y0, 0)
	x1, y1 = min(x1, float64(f.w)), min(y1, float64(f.h))
	return int(x0) - 1, int(y0) - 1, int(x1) + 1, int(y1) + 1, x0 <= x1 && y0 <= y1
}

// chooseLevels picks the table texture's resolution for each line of pixels.
func (f *frame) chooseLevels() {
	f.levels = resize(f.levels, f.h)
	for j := range f.levels {
		d := f.view.ray(f.view.cx, float64(j)+0.5)
		if d.Z >= 0 {
			f.levels[j] = len(f.table.levels) - 1
			continue
		}
		// The pixel is as wide as this on the table, and longer along the view.
		f.levels[j] = f.table.level(1.2 * f.view.eye.Z / -d.Z / f.view.focal)
	}
}

// trace returns the light that comes through the image point (x, y) and the key of what is there.
// Where that is the body whose key is known, it need not find out again which share of the lamp
// the body sees.
func (f *frame) trace(x, y float64, known uint32, share float32) (texel, uint32) {
	d := f.view.ray(x, y)
	px, py := min(int(x), f.w-1), min(int(y), f.h-1)
	limit := f.ground(d)
	var best hit
	nearest := -1
	for m := f.tiles[py/tileSize*f.tilesX+px/tileSize]; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		if f.bodies[i].intersect(d, limit, &best) {
			limit, nearest = best.t, i
		}
	}
	if nearest < 0 {
		return f.shadeGround(d, limit, py)
	}
	if f.bodies[nearest].key != known&bodyMask {
		share = unknownShare
	}
	return f.shadeBody(d, &best, nearest, share)
}

// draw traces every pixel once and, where what is seen changes, several times more.
func (f *frame) draw() {
	for j := range f.h {
		for i := range f.w {
			k := j*f.w + i
			f.pixels[k], f.keys[k] = f.trace(float64(i)+0.5, float64(j)+0.5, 0, unknownShare)
		}
	}
	f.antialias()
}
