package pixels

import (
	"math"

	"stripswm/models/internal/median"
)

// thumbnailSide is the greatest side of a thumbnail, pixels.
const thumbnailSide = 32

// Thumbnail is a small image, side x side x 3, of averages relative to the mean brightness: the
// strength of the light does not count, its colour does.
type Thumbnail []float32

// ThumbnailShape is the side of the thumbnails of square images, and the side of the square of
// pixels that each average is of. The rest of the image, at the right and below, is cut off.
func ThumbnailShape(size int) (side, pool int) { return Shape(size, thumbnailSide) }

// Shape is ThumbnailShape of thumbnails of at most so many pixels a side.
func Shape(size, most int) (side, pool int) {
	pool = (size + most - 1) / most
	return size / pool, pool
}

// NewThumbnail makes the thumbnail of an image of size x size RGB pixels.
func NewThumbnail(rgb []uint8, size int) Thumbnail { return Shrink(rgb, size, thumbnailSide) }

// Shrink makes a thumbnail of at most so many pixels a side.
func Shrink(rgb []uint8, size, most int) Thumbnail {
	side, pool := Shape(size, most)
	t, sum := make(Thumbnail, side*side*3), float32(0)
	for y := range side * pool {
		for x := range side * pool {
			at := 3 * (y/pool*side + x/pool)
			for c := range 3 {
				v := float32(rgb[3*(y*size+x)+c])
				t[at+c] += v
				sum += v
			}
		}
	}
	scale := float32(len(t)) / (sum + float32(len(t)*pool*pool)) // 1 / (mean + 1), for sums
	for i := range t {
		t[i] *= scale
	}
	return t
}

// Side is how many averages a side has.
func (t Thumbnail) Side() int { return int(math.Sqrt(float64(len(t) / 3))) }

// Distance is the squared distance of two thumbnails of one shape.
func (t Thumbnail) Distance(other Thumbnail) float64 {
	var sum float32
	for i, v := range t {
		sum += (v - other[i]) * (v - other[i])
	}
	return float64(sum)
}

// Difference is t less another thumbnail [side*side*3], if half of the image is the same but for
// the strength of the light: so a lamp in one corner changes nothing in the others.
func (t Thumbnail) Difference(other Thumbnail, into []float64) {
	ratios := make([]float32, 0, len(t)/3)
	for i := 0; i < len(t); i += 3 {
		if sum := other[i] + other[i+1] + other[i+2]; sum > 0 {
			ratios = append(ratios, (t[i]+t[i+1]+t[i+2])/sum)
		}
	}
	gain := float32(1)
	if len(ratios) > 0 {
		gain = median.Upper(ratios)
	}
	for i := range into {
		into[i] = float64(t[i] - gain*other[i])
	}
}
