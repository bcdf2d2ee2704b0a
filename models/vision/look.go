package vision

// lookSide is the greatest side of a look, pixels.
const lookSide = 32

// look is an image made small by averages, relative to its mean brightness, so that the
// strength of the light does not count and its colour does: side x side x 3.
type look []float32

// lookShape is the side of a look of images of a size, and how many pixels of these
// are one of its; what is left over at the right and below is cut off.
func lookShape(size int) (side, pool int) {
	pool = (size + lookSide - 1) / lookSide
	return size / pool, pool
}

func lookOf(d *Dataset, image int) look { return lookOfPixels(d.Image(image), d.Size) }

// lookOfPixels is that of an image of size x size pixels.
func lookOfPixels(pixels []uint8, size int) look {
	side, pool := lookShape(size)
	l, sum := make(look, side*side*3), float32(0)
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

// pile adds looks up.
type pile struct {
	n            int
	sum, squares []float64
}

func newPile(size int) *pile {
	return &pile{sum: make([]float64, size), squares: make([]float64, size)}
}

func pileOf(looks []look) *pile {
	p := newPile(len(looks[0]))
	for _, l := range looks {
		p.n++
		for i, x := range l {
			p.sum[i] += float64(x)
			p.squares[i] += float64(x) * float64(x)
		}
	}
	return p
}

func (p *pile) add(other *pile) {
	p.n += other.n
	for i, x := range other.sum {
		p.sum[i] += x
		p.squares[i] += other.squares[i]
	}
}

// divider tells two kinds of looks apart: Fisher's linear discriminant for pixels that
// vary each by itself, with as much added to each variance as pixels have on average.
type divider struct {
	weights []float64
	bias    float64
}

// newDivider tells the looks of one pile from those of another; together they have to
// have more than two.
func newDivider(one, other *pile) *divider {
	n := len(one.sum)
	variance, average := make([]float64, n), 0.0
	for _, p := range []*pile{one, other} {
		for i, x := range p.sum {
			v := (p.squares[i] - x*x/float64(p.n)) / float64(one.n+other.n-2)
			variance[i] += v
			average += v / float64(n)
		}
	}
	d := &divider{weights: make([]float64, n)}
	const least = 1e-9
	for i, v := range variance {
		a, b := one.sum[i]/float64(one.n), other.sum[i]/float64(other.n)
		d.weights[i] = (b - a) / (v + average + least)
		d.bias -= d.weights[i] * (a + b) / 2
	}
	return d
}

// score is positive for looks of the other kind.
func (d *divider) score(l look) float64 {
	sum := d.bias
	for i, x := range l {
		sum += d.weights[i] * float64(x)
	}
	return sum
}

// of is the score of a pile of looks of one thing.
func (d *divider) of(p *pile) float64 {
	sum := float64(p.n) * d.bias
	for i, x := range p.sum {
		sum += d.weights[i] * x
	}
	return sum
}

// turned has the kinds the other way round.
func (d *divider) turned() *divider {
	t := &divider{weights: make([]float64, len(d.weights)), bias: -d.bias}
	for i, w := range d.weights {
		t.weights[i] = -w
	}
	return t
}
