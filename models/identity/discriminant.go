package identity

import (
	"stripswm/models/dataset"
	"stripswm/models/pixels"
)

func thumbnailOf(d *dataset.Dataset, image int) pixels.Thumbnail {
	return pixels.NewThumbnail(d.Image(image), d.Size)
}

// sums are the sums of thumbnails and of their squares.
type sums struct {
	n            int
	sum, squares []float64
}

func newSums(size int) *sums {
	return &sums{sum: make([]float64, size), squares: make([]float64, size)}
}

func sumsOf(thumbnails []pixels.Thumbnail) *sums {
	p := newSums(len(thumbnails[0]))
	for _, l := range thumbnails {
		p.n++
		for i, x := range l {
			p.sum[i] += float64(x)
			p.squares[i] += float64(x) * float64(x)
		}
	}
	return p
}

func (p *sums) add(other *sums) {
	p.n += other.n
	for i, x := range other.sum {
		p.sum[i] += x
		p.squares[i] += other.squares[i]
	}
}

// discriminant separates two sets of thumbnails: Fisher's linear discriminant for pixels that vary
// independently. The average variance of all pixels is added to each.
type discriminant struct {
	weights []float64
	bias    float64
}

// newDiscriminant separates two sets, which together have more than two thumbnails.
func newDiscriminant(one, other *sums) *discriminant {
	n := len(one.sum)
	variance, average := make([]float64, n), 0.0
	for _, p := range []*sums{one, other} {
		for i, x := range p.sum {
			v := (p.squares[i] - x*x/float64(p.n)) / float64(one.n+other.n-2)
			variance[i] += v
			average += v / float64(n)
		}
	}
	d := &discriminant{weights: make([]float64, n)}
	const minVariance = 1e-9
	for i, v := range variance {
		a, b := one.sum[i]/float64(one.n), other.sum[i]/float64(other.n)
		d.weights[i] = (b - a) / (v + average + minVariance)
		d.bias -= d.weights[i] * (a + b) / 2
	}
	return d
}

// score is positive for thumbnails of the second set.
func (d *discriminant) score(l pixels.Thumbnail) float64 {
	sum := d.bias
	for i, x := range l {
		sum += d.weights[i] * float64(x)
	}
	return sum
}

// of is the score of thumbnails of one state together.
func (d *discriminant) of(p *sums) float64 {
	sum := float64(p.n) * d.bias
	for i, x := range p.sum {
		sum += d.weights[i] * x
	}
	return sum
}

// negated has the sets the other way round.
func (d *discriminant) negated() *discriminant {
	t := &discriminant{weights: make([]float64, len(d.weights)), bias: -d.bias}
	for i, w := range d.weights {
		t.weights[i] = -w
	}
	return t
}
