package align

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"stripswm/models/bundle"
	"stripswm/models/internal/median"
	"stripswm/models/internal/packed"
)

// Reference is what images of a recording have in common. Its images are squares of Side x Side
// pixels, as a pixels.Frame makes them. It is safe for concurrent use.
type Reference struct {
	Side int
	seen rectangle // what is no bar of a letterbox
	look []uint8   // the median of each value [Side*Side*3]
	peak []uint8   // what one recorded image in ten exceeds [Side*Side*3]
	// noise is the standard deviation of each pixel, grey levels, by what one image in ten exceeds:
	// where something comes and goes it is large.
	noise []float64
	// detail is the same of what is finer than light and shadows are.
	detail []float64
	// still and steady are what few recorded images exceed: by any movement, and by the change of a
	// value by the light, grey levels.
	still  [movements]float64
	steady float64
	// shade is the same of light that differs from place to place.
	shade  float64
	fits   float64 // how far off half of the recorded images are at most
	levels []level // from the finest
	// dark and bright are what few values of a channel are darker and brighter than.
	dark, bright [3]int
	calm         float64 // the noise of what does not change, at most
}

// rectangle is pixels from x0, y0 up to but not x1, y1.
type rectangle [4]int

// file is a Reference as JSON. Noise and detail are packed as float32, little endian.
type file struct {
	Side   int       `json:"side"`
	Seen   rectangle `json:"seen"`
	Look   []byte    `json:"look"`
	Peak   []byte    `json:"peak"`
	Noise  []byte    `json:"noise"`
	Detail []byte    `json:"detail"`
	Still  []float64 `json:"still"`
	Steady float64   `json:"steady"`
	Shade  float64   `json:"shade"`
	Fits   float64   `json:"fits"`
}

// maxFileBytes bounds what Read reads, and maxSide what it allocates.
const (
	maxFileBytes = 64 << 20
	maxSide      = 1 << 10
)

func init() {
	bundle.Understand(bundle.Reference, func(r io.Reader) (map[string]int64, error) {
		_, err := Read(r)
		return nil, err
	})
}

// Learn makes a Reference of recorded images of side x side pixels.
func Learn(images [][]uint8, side int) (*Reference, error) {
	if len(images) == 0 {
		return nil, errors.New("learn a reference: no images")
	}
	for i, img := range images {
		if side < minSide || side > maxSide || len(img) != 3*side*side {
			return nil, fmt.Errorf("learn a reference: image %d has %d bytes, want %dx%d pixels of 3, "+
				"%d to %d a side", i, len(img), side, side, minSide, maxSide)
		}
	}
	r := &Reference{Side: side, seen: withoutBars(images, side)}
	r.combine(images)
	r.setUp()
	// Once more in one light, whose changes would be taken for noise.
	lit := make([][]uint8, len(images))
	for i, img := range images {
		c := unchanged
		r.light(r.picture(img), &c)
		lit[i] = slices.Clone(img)
		for k, v := range lit[i] {
			lit[i][k] = c.relit(v, k%3)
		}
	}
	r.combine(lit)
	r.setUp()
	var moved [movements][]float64
	var lights, shades, misfits []float64
	for _, img := range images {
		c := unchanged
		p := r.picture(img)
		detail := p.detail()
		misfits = append(misfits, r.fit(&r.levels[0], &detail, &c, movements))
		r.light(p, &c)
		for k, by := range c.by {
			moved[k] = append(moved[k], math.Abs(by))
		}
		lights = append(lights, r.lightChange(c))
		shades = append(shades, r.shades(p, &c).most())
	}
	for k, all := range moved {
		r.still[k] = max(most(slices.Clone(all)), 1e-6)
	}
	// Of eight movements one is often beyond what few images have of it.
	farthest := make([]float64, len(images))
	for k, all := range moved {
		for i, by := range all {
			farthest[i] = max(farthest[i], by/r.still[k])
		}
	}
	floats.Scale(most(farthest), r.still[:])
	const spare = 2 // of a fit by light of what is there
	r.steady, r.shade, r.fits = spare*most(lights), spare*most(shades), median.Upper(misfits)
	return r, nil
}

// within is the reference of what is seen in a part of images, if anything is.
func (r *Reference) within(part rectangle) (*Reference, bool) {
	seen := rectangle{max(part[0], r.seen[0]), max(part[1], r.seen[1]), min(part[2], r.seen[2]),
		min(part[3], r.seen[3])}
	if seen == r.seen || seen[0] >= seen[2] || seen[1] >= seen[3] {
		return r, seen == r.seen
	}
	w := *r
	w.seen = seen
	w.setUp()
	return &w, true
}

// most is what few of the values exceed.
func most(values []float64) float64 {
	const few = 0.05
	slices.Sort(values)
	return values[int((1-few)*float64(len(values)-1))]
}

// combine takes median and noise of each pixel.
func (r *Reference) combine(images [][]uint8) {
	const exceed, normal = 0.1, 1.645 // standard deviations that one of ten exceeds
	n := r.Side * r.Side
	r.look, r.peak = make([]uint8, 3*n), make([]uint8, 3*n)
	r.noise, r.detail = make([]float64, n), make([]float64, n)
	for i := range r.look {
		var count, off [256]int
		for _, img := range images {
			count[img[i]]++
		}
		r.look[i] = uint8(quantile(count, len(images), 0.5))
		r.peak[i] = uint8(quantile(count, len(images), 1-exceed))
		for v, n := range count {
			off[max(v-int(r.look[i]), int(r.look[i])-v)] += n
		}
		r.noise[i/3] = max(r.noise[i/3], float64(quantile(off, len(images), 1-exceed))/normal)
	}
	off := make([][256]int, 3*n)
	const finer = 4 // of a grey level
	look := r.picture(r.look).detail()
	for _, img := range images {
		for i, v := range r.picture(img).detail().pix {
			if d := math.Abs(float64(v - look.pix[i])); d == d {
				off[i][min(int(finer*d), 255)]++
			}
		}
	}
	for i := range off {
		r.detail[i/3] = max(r.detail[i/3],
			float64(quantile(off[i], len(images), 1-exceed))/finer/normal)
	}
}

// quantile is the least value that so many of n values, by how often each occurs, do not exceed.
func quantile(count [256]int, n int, share float64) (v int) {
	for left := int(math.Ceil(share * float64(n))); v < 255; v++ {
		if left -= count[v]; left <= 0 {
			break
		}
	}
	return v
}

// withoutBars is where some image has rows, or columns, of more than one colour, or differs from
// the bar beside it.
func withoutBars(images [][]uint8, side int) rectangle {
	bar := func(at func(k int) int) bool { // of one line of pixels
		for _, img := range images {
			for k := range side {
				if i := 3 * at(k); [3]uint8(img[i:i+3]) != [3]uint8(img[:3]) {
					return false
				}
			}
		}
		return true
	}
	row := func(y int) bool { return bar(func(k int) int { return y*side + k }) }
	column := func(x int) bool { return bar(func(k int) int { return k*side + x }) }
	r := rectangle{0, 0, side, side}
	for r[1] < r[3]-1 && row(r[1]) {
		r[1]++
	}
	for r[3]-1 > r[1] && row(r[3]-1) {
		r[3]--
	}
	for r[0] < r[2]-1 && column(r[0]) {
		r[0]++
	}
	for r[2]-1 > r[0] && column(r[2]-1) {
		r[2]--
	}
	return r
}

// Write writes what Read reads.
func (r *Reference) Write(w io.Writer) error {
	f := file{Side: r.Side, Seen: r.seen, Look: r.look, Peak: r.peak, Noise: packed.Floats(r.noise),
		Detail: packed.Floats(r.detail), Still: r.still[:], Steady: r.steady, Shade: r.shade,
		Fits: r.fits}
	return json.NewEncoder(w).Encode(f)
}

// Read reads what Write wrote. The error says what does not fit.
func Read(from io.Reader) (*Reference, error) {
	var f file
	if err := json.NewDecoder(io.LimitReader(from, maxFileBytes)).Decode(&f); err != nil {
		return nil, fmt.Errorf("read reference: %w", err)
	}
	if err := f.validate(); err != nil {
		return nil, fmt.Errorf("read reference: %w; learn it again", err)
	}
	r := &Reference{Side: f.Side, seen: f.Seen, look: f.Look, peak: f.Peak, steady: f.Steady,
		shade: f.Shade, fits: f.Fits}
	copy(r.still[:], f.Still)
	r.noise, r.detail = packed.Values(f.Noise), packed.Values(f.Detail)
	for _, v := range slices.Concat(r.noise, r.detail) {
		if !(v >= 0 && v <= 255) {
			return nil, fmt.Errorf("read reference: noise of %g, want 0 to 255; learn it again", v)
		}
	}
	r.setUp()
	return r, nil
}

func (f *file) validate() error {
	n := f.Side * f.Side
	s := f.Seen
	switch {
	case f.Side < minSide || f.Side > maxSide:
		return fmt.Errorf("side %d, want %d to %d", f.Side, minSide, maxSide)
	case len(f.Look) != 3*n || len(f.Peak) != 3*n || len(f.Noise) != 4*n || len(f.Detail) != 4*n:
		return fmt.Errorf("%d bytes of look, %d of peak, %d of noise and %d of detail, want %d, %d, %d "+
			"and %d", len(f.Look), len(f.Peak), len(f.Noise), len(f.Detail), 3*n, 3*n, 4*n, 4*n)
	case s[0] < 0 || s[1] < 0 || s[0] >= s[2] || s[1] >= s[3] || max(s[2], s[3]) > f.Side:
		return fmt.Errorf("seen %v, of %d pixels a side", s, f.Side)
	case len(f.Still) != movements || min(slices.Min(f.Still), f.Steady, f.Shade, f.Fits) < 0:
		return fmt.Errorf("still %g, steady %g, shade %g and fits %g, want %d numbers and one each, at "+
			"least 0", f.Still, f.Steady, f.Shade, f.Fits, movements)
	}
	return nil
}
