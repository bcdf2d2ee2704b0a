package pixels

// thumbnailSide is the greatest side of a look, pixels.
const thumbnailSide = 32

// Thumbnail is a picture made small by averages, relative to its mean brightness, so that the
// strength of the light does not count and its colour does: side x side x 3.
type Thumbnail []float32

// ThumbnailShape is the side of a look of pictures of a size, and how many pixels of these
// are one of its; what is left over at the right and below is cut off.
func ThumbnailShape(size int) (side, pool int) {
	pool = (size + thumbnailSide - 1) / thumbnailSide
	return size / pool, pool
}

// NewThumbnail is that of an image of size x size pixels.
func NewThumbnail(pixels []uint8, size int) Thumbnail {
	side, pool := ThumbnailShape(size)
	l, sum := make(Thumbnail, side*side*3), float32(0)
	for y := range side * pool {
		for x := range side * pool {
			at := 3 * (y/pool*side + x/pool)
			for c := range 3 {
				v := float32(pixels[3*(y*size+x)+c])
				l[at+c] += v
				sum += v
			}
		}
	}
	scale := float32(len(l)) / (sum + float32(len(l)*pool*pool)) // 1 / (mean + 1), for sums
	for i := range l {
		l[i] *= scale
	}
	return l
}

// Distance is the squared distance of looks.
func (l Thumbnail) Distance(other Thumbnail) float64 {
	var sum float32
	for i, v := range l {
		sum += (v - other[i]) * (v - other[i])
	}
	return float64(sum)
}
