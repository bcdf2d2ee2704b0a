package align

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"stripswm/models/internal/median"
)

// Numbers of the estimate.
const (
	// minSide of a level: of 16 pixels, the farthest movement to expect is less than one, which
	// Gauss-Newton steps find.
	minSide = 16
	// cells a side of a level each give their pixels with most texture, so that all of the image says
	// how it turned; and every few pixels in both directions say how light it is.
	cells     = 8
	perCell   = 32
	lightStep = 4
	// texture is how many standard deviations a pixel changes at least where it moves by one: those
	// that change less show noise.
	texture = 0.25
	// coarse pixels to all sides have the mean that detail is beside: light that falls otherwise, and
	// soft shadows, are no detail.
	coarse = 4
	// minNoise of a pixel, grey levels: what rounding and interpolation leave. A tenth of a pixel is
	// what interpolation may be off where grey levels change.
	minNoise      = 1.5
	interpolation = 0.1
	// alike are so many values that count as one: the channels of a pixel are off together, and those
	// of the pixels beside it.
	alike = 3 * 9
	// cauchy is where Cauchy's weights have 95 % of the efficiency of least squares.
	cauchy = 2.385
	// What is darker or brighter may be clipped.
	darkest, brightest = 3, 252
	// parameters of movement: those, and the contrast of each channel.
	parameters = movements + 3
	// fixed is what is expected of a movement that is not free.
	fixed = 1e-6
	// steps of each level at most; a step of less than a hundredth of a pixel is the last.
	steps    = 40
	lastStep = 0.01
)

// An image that is amiss times as far off as most recorded images may have moved far: one in twenty
// of a camera that stands still is. One that is lost times as far off after it was moved back was
// not: of those that were, none was 2.5 times as far off.
const amiss, lost = 2, 4

// How light and contrast change that nothing is known of: a factor, and a bias in grey levels,
// which is what black may be off. With a bias of 5, a lamp that burns lower beside other light was
// taken for one: what is dark on a bright table was then too dark.
const expectedGain, expectedBias = 0.5, 1.5

// level is the detail of a Reference at one size.
type level struct {
	side   int
	pixels []pixel
}

type pixel struct {
	x, y   float64 // -1 to 1
	look   [3]float64
	slope  [3][2]float64 // of the look, by x and y
	weight float64       // one by the noise
}

// information is what a pixel tells of movements, NaN where it may be clipped.
func (p *pixel) information() (sum float64) {
	for _, s := range p.slope {
		sum += s[0]*s[0] + s[1]*s[1]
	}
	return sum * p.weight * p.weight
}

// picture is an image at the size of a level.
type picture struct {
	side int
	pix  []float32 // [side*side*3]
}

// picture is an image in which bars are as what is seen beside them: they would be edges otherwise.
func (r *Reference) picture(pix []uint8) picture {
	p := picture{r.Side, make([]float32, len(pix))}
	for i := range p.pix {
		x, y := i/3%r.Side, i/3/r.Side
		x, y = min(max(x, r.seen[0]), r.seen[2]-1), min(max(y, r.seen[1]), r.seen[3]-1)
		p.pix[i] = float32(pix[3*(y*r.Side+x)+i%3])
	}
	return p
}

// half is a picture of half the size.
func (p picture) half() picture {
	h := picture{p.side / 2, make([]float32, 3*(p.side/2)*(p.side/2))}
	for y := range h.side {
		for x := range h.side {
			from := 3 * (2*y*p.side + 2*x)
			for c := range 3 {
				h.pix[3*(y*h.side+x)+c] = (p.pix[from+c] + p.pix[from+3+c] + p.pix[from+3*p.side+c] +
					p.pix[from+3*p.side+3+c]) / 4
			}
		}
	}
	return h
}

// detail is a picture less its mean over squares; NaN where it may be clipped. The squares move
// with the pixel: a mean over tiles would be a pattern that stands still.
func (p picture) detail() picture {
	d := picture{p.side, make([]float32, len(p.pix))}
	mean := boxes(boxes(p.pix, p.side, 3, 3*p.side), p.side, 3*p.side, 3)
	for i, v := range p.pix {
		d.pix[i] = v - mean[i]
		if v < darkest || v > brightest {
			d.pix[i] = float32(math.NaN())
		}
	}
	return d
}

// boxes are the means of coarse pixels to both sides along lines; at the ends the last pixel counts
// for those beyond.
func boxes(from []float32, side, step, line int) []float32 {
	to := make([]float32, len(from))
	for k := range side {
		for c := range 3 {
			at := func(i int) int { return k*line + min(max(i, 0), side-1)*step + c }
			sum := float32(0)
			for i := -coarse; i <= coarse; i++ {
				sum += from[at(i)]
			}
			for i := range side {
				to[at(i)] = sum / (2*coarse + 1)
				sum += from[at(i+coarse+1)] - from[at(i-coarse)]
			}
		}
	}
	return to
}

// setUp sets what follows from look and noise.
func (r *Reference) setUp() {
	const few = 0.05
	for ch := range 3 {
		var count [256]int
		for y := r.seen[1]; y < r.seen[3]; y++ {
			for x := r.seen[0]; x < r.seen[2]; x++ {
				count[r.look[3*(y*r.Side+x)+ch]]++
			}
		}
		n := (r.seen[2] - r.seen[0]) * (r.seen[3] - r.seen[1])
		r.dark[ch], r.bright[ch] = quantile(count, n, few), quantile(count, n, 1-few)
	}
	const changes = 3 // times as much noise as most of the image has
	var noises []float64
	for y := r.seen[1]; y < r.seen[3]; y++ {
		noises = append(noises, r.noise[y*r.Side+r.seen[0]:y*r.Side+r.seen[2]]...)
	}
	r.calm = max(changes*median.Upper(noises), minNoise)
	r.levels = nil
	look := r.picture(r.look)
	noise := picture{r.Side, make([]float32, 3*r.Side*r.Side)}
	for i := range noise.pix {
		noise.pix[i] = float32(r.detail[i/3])
	}
	for ; look.side >= minSide; look, noise = look.half(), noise.half() {
		r.levels = append(r.levels, r.level(look.detail(), noise))
	}
}

// seenAt is the first and the last place that is seen, to all sides, less half a pixel of a level.
func (r *Reference) seenAt(side int) (x0, y0, x1, y1 float64) {
	at := func(v, margin int) float64 {
		return 2*float64(v)/float64(r.Side) - 1 + float64(margin)/float64(side)
	}
	return at(r.seen[0], 1), at(r.seen[1], 1), at(r.seen[2], -1), at(r.seen[3], -1)
}

func (r *Reference) level(look, noise picture) level {
	l := level{side: look.side}
	x0, y0, x1, y1 := r.seenAt(look.side)
	var cell [cells * cells][]pixel
	for j := 1; j < l.side-1; j++ {
		for i := 1; i < l.side-1; i++ {
			p := pixel{x: 2*(float64(i)+0.5)/float64(l.side) - 1, y: 2*(float64(j)+0.5)/float64(l.side) - 1}
			// The pixels beside it, of which slope and detail are, must be seen as well.
			const beside = 3
			margin := 2 * beside / float64(l.side)
			if p.x-margin < x0 || p.x+margin > x1 || p.y-margin < y0 || p.y+margin > y1 {
				continue
			}
			at, perUnit, step := 3*(j*l.side+i), float64(l.side)/4, 3*l.side
			steepest := 0.0
			for c := range 3 {
				k := at + c
				p.look[c] = float64(look.pix[k])
				dx, dy := float64(look.pix[k+3]-look.pix[k-3]), float64(look.pix[k+step]-look.pix[k-step])
				p.slope[c] = [2]float64{perUnit * dx, perUnit * dy}
				steepest = max(steepest, math.Hypot(dx, dy)/2)
			}
			p.weight = 1 / math.Hypot(max(float64(noise.pix[at]), minNoise), interpolation*steepest)
			if steepest*p.weight > texture && p.information() > 0 { // not NaN either
				k := j*cells/l.side*cells + i*cells/l.side
				cell[k] = append(cell[k], p)
			}
		}
	}
	for _, all := range cell {
		slices.SortStableFunc(all, func(a, b pixel) int {
			return cmp.Compare(b.information(), a.information())
		})
		l.pixels = append(l.pixels, all[:min(len(all), perCell)]...)
	}
	return l
}

// sample is the value of a channel between pixels, at a place that is seen.
func (p *picture) sample(x, y float64) (v [3]float64) {
	x, y = (x+1)*float64(p.side)/2-0.5, (y+1)*float64(p.side)/2-0.5
	i, j := min(max(int(x), 0), p.side-2), min(max(int(y), 0), p.side-2)
	u, w := float32(x-float64(i)), float32(y-float64(j))
	at := 3 * (j*p.side + i)
	top, below := p.pix[at:at+6], p.pix[at+3*p.side:at+3*p.side+6]
	for c := range v {
		above := top[c] + u*(top[c+3]-top[c])
		v[c] = float64(above + w*(below[c]+u*(below[c+3]-below[c])-above))
	}
	return v
}

// left is what a change leaves of an image's detail at the pixels of a level, by their
// noise; NaN where that is not seen or may be clipped.
func (r *Reference) left(l *level, p *picture, c *Change, into [][3]float64) {
	x0, y0, x1, y1 := r.seenAt(l.side)
	h := c.matrix()
	for k := range l.pixels {
		at := &l.pixels[k]
		x, y := project(&h, at.x, at.y)
		if x < x0 || x > x1 || y < y0 || y > y1 {
			into[k] = [3]float64{math.NaN(), math.NaN(), math.NaN()}
			continue
		}
		for ch, v := range p.sample(x, y) {
			into[k][ch] = (v - c.contrast[ch]*at.look[ch]) * at.weight
		}
	}
}

// misfit is Cauchy's loss of what is left, a value; what is not seen does not count.
func misfit(left [][3]float64) float64 {
	sum, n := 0.0, 1e-9
	for k := range left {
		for _, v := range left[k] {
			if v == v {
				sum, n = sum+math.Log1p(v*v/(cauchy*cauchy)), n+1
			}
		}
	}
	return sum / n
}

// deviation is the standard deviation of what is left, whatever some of it shows; at least that of
// noise.
func deviation(left [][3]float64) float64 {
	var all []float64
	for k := range left {
		for _, v := range left[k] {
			if v == v {
				all = append(all, math.Abs(v))
			}
		}
	}
	if len(all) == 0 {
		return 1
	}
	const normal = 1.4826 // by the median of absolute values
	return max(1, normal*median.Upper(all))
}

// fit improves a change at one level by Gauss-Newton steps, of which the first movements are free,
// and returns how far off the image still is. Where none is, contrasts alone are found.
func (r *Reference) fit(l *level, p *picture, c *Change, free int) float64 {
	left := make([][3]float64, len(l.pixels))
	c.contrast = [3]float64{1, 1, 1}
	for range steps {
		r.left(l, p, c, left)
		normal, along := normalEquations(l, c.contrast, left, cauchy*deviation(left))
		// What is expected, before anything is seen.
		prior := func(i int, off, expected float64) {
			normal.SetSym(i, i, normal.At(i, i)+1/(expected*expected))
			along.SetVec(i, along.AtVec(i)-off/(expected*expected))
		}
		normal.ScaleSym(1.0/alike, normal)
		along.ScaleVec(1.0/alike, along)
		for k, e := range expected {
			if k >= free {
				e = fixed
			}
			prior(k, c.by[k], e)
		}
		for ch := range 3 {
			prior(movements+ch, c.contrast[ch]-1, expectedGain)
		}
		var chol mat.Cholesky
		var step mat.VecDense
		if !chol.Factorize(normal) || chol.SolveVecTo(&step, along) != nil {
			break // not reached: what is expected makes it regular
		}
		largest := 0.0
		for k := range parameters {
			d := step.AtVec(k)
			if k < movements {
				c.by[k] += d
				largest = max(largest, math.Abs(d)*float64(l.side)/2)
			} else {
				c.contrast[k-movements] += d
				largest = max(largest, math.Abs(d))
			}
		}
		if largest < lastStep {
			break
		}
	}
	r.left(l, p, c, left)
	return misfit(left)
}

// normalEquations are those of all parameters, with Cauchy's weights.
func normalEquations(l *level, contrast [3]float64, left [][3]float64, limit float64) (
	*mat.SymDense, *mat.VecDense,
) {
	const n = movements + 1 // of a channel
	var normal [3][n][n]float64
	var along [3][n]float64
	for k := range l.pixels {
		at := &l.pixels[k]
		x, y := at.x, at.y
		for ch := range 3 {
			v := left[k][ch]
			if v != v {
				continue
			}
			gx, gy := contrast[ch]*at.slope[ch][0], contrast[ch]*at.slope[ch][1]
			// How the movements change the value.
			g := x*gx + y*gy
			row := [n]float64{gx, gy, g, x*gy - y*gx, x*gx - y*gy, y*gx + x*gy, x * g, y * g,
				-at.look[ch]}
			w := at.weight / (1 + v*v/(limit*limit))
			r := v * w
			w *= at.weight
			m, a := &normal[ch], &along[ch]
			for i := range n {
				wi := w * row[i]
				a[i] -= r * row[i]
				for j := i; j < n; j++ {
					m[i][j] += wi * row[j]
				}
			}
		}
	}
	all, vec := mat.NewSymDense(parameters, nil), mat.NewVecDense(parameters, nil)
	for ch := range 3 {
		to := func(i int) int {
			if i < movements {
				return i
			}
			return i + ch
		}
		for i := range n {
			vec.SetVec(to(i), vec.AtVec(to(i))+along[ch][i])
			for j := i; j < n; j++ {
				all.SetSym(to(i), to(j), all.At(to(i), to(j))+normal[ch][i][j])
			}
		}
	}
	return all, vec
}

var unchanged = Change{Gain: [3]float64{1, 1, 1}}

// compare calls for values of the reference and of an image that has moved as the change says,
// every few pixels in both directions from the first, where both are seen and none may be clipped.
func (r *Reference) compare(p picture, c *Change, first, step int,
	f func(pixel, ch int, look, seen float64),
) {
	x0, y0, x1, y1 := r.seenAt(r.Side)
	h := c.matrix()
	for j := first; j < r.Side; j += step {
		for i := first; i < r.Side; i += step {
			pixel := j*r.Side + i
			x, y := r.place(pixel)
			u, v := project(&h, x, y)
			if min(x, u) < x0 || max(x, u) > x1 || min(y, v) < y0 || max(y, v) > y1 {
				continue
			}
			for ch, seen := range p.sample(u, v) {
				look := float64(r.look[3*pixel+ch])
				if min(look, seen) >= darkest && max(look, seen) <= brightest {
					f(pixel, ch, look, seen)
				}
			}
		}
	}
}

// light finds gain and bias of each channel, of an image that has moved as the change says, by
// regression with Cauchy's weights.
func (r *Reference) light(p picture, c *Change) {
	type value struct{ look, seen, weight float64 }
	var values [3][]value
	r.compare(p, c, lightStep/2, lightStep, func(pixel, ch int, look, seen float64) {
		values[ch] = append(values[ch], value{look, seen, 1 / max(r.noise[pixel], minNoise)})
	})
	for ch, all := range values {
		gain, bias := 1.0, 0.0
		off := make([]float64, len(all))
		for range steps {
			for k, v := range all {
				off[k] = math.Abs(v.seen-gain*v.look-bias) * v.weight
			}
			if len(off) == 0 {
				break
			}
			const normal = 1.4826
			limit := cauchy * max(1, normal*median.Upper(slices.Clone(off)))
			// Normal equations of gain and bias, and what is expected of them.
			n00, n01, n11 := 1/(expectedGain*expectedGain), 0.0, 1.0/(expectedBias*expectedBias)
			a0, a1 := n00, 0.0
			for k, v := range all {
				w := v.weight * v.weight / alike / (1 + off[k]*off[k]/(limit*limit))
				n00, n01, n11 = n00+w*v.look*v.look, n01+w*v.look, n11+w
				a0, a1 = a0+w*v.look*v.seen, a1+w*v.seen
			}
			det := n00*n11 - n01*n01
			before := gain
			gain, bias = (a0*n11-a1*n01)/det, (a1*n00-a0*n01)/det
			if math.Abs(gain-before) < 1e-3 {
				break
			}
		}
		c.Gain[ch], c.Bias[ch] = gain, bias
	}
}

// Estimate tells how an image of Side x Side pixels differs from the reference.
func (r *Reference) Estimate(pix []uint8) Change { return r.estimate(r.picture(pix)) }

func (r *Reference) estimate(raw picture) Change {
	fine := raw.detail()
	// An image that has hardly moved is found from where it should be, without the smaller levels.
	// That a camera turned to a side or down explains most: a pattern that is finer than pixels, which
	// looks otherwise after it moved, would be taken for zoom and tilt.
	c := unchanged
	off := r.fit(&r.levels[0], &fine, &c, shifts)
	if r.more(off, r.fits) {
		full := c
		if less := r.fit(&r.levels[0], &fine, &full, movements); r.explains(off, less) {
			c, off = full, less
		}
	}
	if r.moves(c) && r.more(off, r.fits) || off > amiss*r.fits {
		if farther, misfit := r.search(raw, fine); misfit < off {
			c, off = farther, misfit
		}
		if off > lost*r.fits {
			c, off = unchanged, math.Inf(1)
		}
	}
	stays := unchanged
	if c.moved = r.more(r.fit(&r.levels[0], &fine, &stays, 0), off); !c.moved {
		c = stays
	}
	c.bumped = c.moved && r.moves(c)
	r.light(raw, &c)
	c.lit = r.lightChange(c) > r.steady
	// Where no channel has its detail, the image shows something else, whatever this is.
	if slices.Max(c.contrast[:]) < leastGain || slices.Min(c.Gain[:]) < leastGain ||
		slices.Max(c.Gain[:]) > mostGain {
		c.moved, c.bumped, c.lit, c.other = false, false, false, true
	}
	c.limit()
	return c
}

// search finds a movement of an image with this detail from the smallest level on, and how far off
// the image then is: first from where it should be, then from all sides.
func (r *Reference) search(raw, fine picture) (best Change, least float64) {
	details, p := []picture{fine}, raw
	for range r.levels[1:] {
		p = p.half()
		details = append(details, p.detail())
	}
	last := len(details) - 1
	down := func(c Change, from int) (Change, float64) {
		misfit := math.Inf(1)
		for k := from; k >= 0; k-- {
			misfit = r.fit(&r.levels[k], &details[k], &c, movements)
		}
		return c, misfit
	}
	best, least = down(unchanged, last)
	if !r.more(least, r.fits) || last == 0 {
		return best, least
	}
	side, nearest := unchanged, math.Inf(1)
	for x := -2.0; x <= 2; x++ {
		for y := -2.0; y <= 2; y++ {
			c := unchanged
			c.by[across], c.by[along] = x*expected[across], y*expected[along]
			if misfit := r.fit(&r.levels[last], &details[last], &c, movements); misfit < nearest {
				side, nearest = c, misfit
			}
		}
	}
	if side, misfit := down(side, last-1); misfit < least {
		return side, misfit
	}
	return best, least
}

// explains says whether more movements take away half of what is off beside recorded images, and
// more than noise lets them.
func (r *Reference) explains(without, with float64) bool {
	return r.more(without, with) && without-with > (without-r.fits)/2
}

// more says whether an image is farther off than another by more than the parameters of a movement
// explain by chance.
func (r *Reference) more(off, than float64) bool {
	values := float64(3*len(r.levels[0].pixels)) / alike
	return cauchy*cauchy/2*(off-than)*values > movements
}

// moves says whether an image has moved more than few recorded images have.
func (r *Reference) moves(c Change) bool {
	for k, by := range c.by {
		if math.Abs(by) > r.still[k] {
			return true
		}
	}
	return false
}

// lightChange is by how many grey levels light changes the values of the reference at most.
func (r *Reference) lightChange(c Change) (most float64) {
	for ch := range 3 {
		for _, value := range []int{r.dark[ch], r.bright[ch]} {
			v := float64(value)
			most = max(most, math.Abs(c.Gain[ch]*v+c.Bias[ch]-v))
		}
	}
	return most
}
