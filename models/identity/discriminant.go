package identity

import (
	"stripswm/models/dataset"
	"stripswm/models/pixels"
)

func thumbnailOf(d *dataset.Dataset, image int) pixels.Thumbnail {
	return pixels.NewThumbnail(d.Image(image), d.Size)
}

// sums adds looks up.
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

// discriminant tells two kinds of looks apart: Fisher's linear discriminant for pixels that
// vary each by itself, with as much added to each variance as pixels have on average.
type discriminant struct {
	weights []float64
	bias    float64
}

// newDiscriminant tells the looks of one pile from those of another; together they have to
// have more than two.
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
	const least = 1e-9
	for i, v := range variance {
		a, b := one.sum[i]/float64(one.n), other.sum[i]/float64(other.n)
		d.weights[i] = (b - a) / (v + average + least)
		d.bias -= d.weights[i] * (a + b) / 2
	}
	return d
}

// score is positive for looks of the other kind.
func (d *discriminant) score(l pixels.Thumbnail) float64 {
	sum := d.bias
	for i, x := range l {
		sum += d.weights[i] * float64(x)
	}
	return sum
}

// of is the score of a pile of looks of one thing.
func (d *discriminant) of(p *sums) float64 {
	sum := float64(p.n) * d.bias
	for i, x := range p.sum {
		sum += d.weights[i] * x
	}
	return sum
}

// negated has the kinds the other way round.
func (d *discriminant) negated() *discriminant {
	t := &discriminant{weights: make([]float64, len(d.weights)), bias: -d.bias}
	for i, w := range d.weights {
		t.weights[i] = -w
	}
	return t
}
