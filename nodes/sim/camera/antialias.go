package camera

// borderOffsets are where a border pixel is looked at again: with its centre, five points that
// share no row or column, opposite ones in turn.
var borderOffsets = [...]point{{-0.375, -0.125}, {0.375, 0.125}, {0.125, -0.375}, {-0.125, 0.375}}

// calm is a difference in light, of full scale, that the sensor hides.
const calm = 0.02

// antialias looks again at the pixels that show something else than a neighbour does, and
// averages. Elsewhere one ray a pixel is enough, since textures and light map are smooth.
func (f *frame) antialias() {
	w := f.w
	for j := range f.h {
		for i := range f.w {
			k := j*w + i
			key := f.keys[k]
			if i > 0 && differ(key, f.keys[k-1]) || i+1 < w && differ(key, f.keys[k+1]) ||
				j > 0 && differ(key, f.keys[k-w]) || j+1 < f.h && differ(key, f.keys[k+w]) {
				f.pixels[k] = f.average(float64(i)+0.5, float64(j)+0.5, f.pixels[k], key)
			}
		}
	}
}

// average returns the mean light of a pixel whose centre (x, y) has been traced. It stops halfway
// when two opposite points look like the centre.
func (f *frame) average(x, y float64, centre texel, key uint32) texel {
	sum := centre
	n := float32(1)
	for _, o := range borderOffsets {
		c, _ := f.trace(x+o.x, y+o.y, key, centre[3])
		sum[0], sum[1], sum[2] = sum[0]+c[0], sum[1]+c[1], sum[2]+c[2]
		n++
		if n == 3 && near(sum[0], 3*centre[0]) && near(sum[1], 3*centre[1]) && near(sum[2], 3*centre[2]) {
			break
		}
	}
	return texel{sum[0] / n, sum[1] / n, sum[2] / n, centre[3]}
}

func near(a, b float32) bool { return a-b < calm && b-a < calm }

// Keys of what is not a body; bodies have their index plus one in the top byte.
const (
	bodyMask uint32 = 0xff000000
	floorKey uint32 = 0xff000000
	tableKey uint32 = 0xfe000000
	edgeKey  uint32 = 0xfd000000
	matKey   uint32 = 0xfc000000 // plus the mat's index
)

// surfaceKey packs a normal in the body's frame beside the body's own key.
func surfaceKey(body uint32, x, y, z float64) uint32 {
	return body | uint32(x*100+128)<<16 | uint32(y*100+128)<<8 | uint32(z*100+128)
}

// differ tells whether two keys are of different bodies or of faces that meet at an angle.
func differ(a, b uint32) bool {
	if a == b {
		return false
	}
	if a>>24 != b>>24 {
		return true
	}
	d := gap(a>>16, b>>16) + gap(a>>8, b>>8) + gap(a, b)
	return d > 45
}

func gap(a, b uint32) int {
	d := int(a&0xff) - int(b&0xff)
	return max(d, -d)
}
