package facts

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"stripswm/internal/spread"
	"stripswm/models/internal/median"
	"stripswm/models/pixels"
)

// Appearance models what the image of a predicate vector looks like, also of one that was never
// recorded: a small image is a sum of parts, one for each predicate that is true, and one for each
// pair of facts that look otherwise together, as an object does on another one. What is left has a
// variance, a sum of parts as well. Before it is measured, light, shake and modes are taken away:
// the directions in which images vary, and those in which they vary where a predicate is true,
// since an object does not always stand in exactly the same way. Facts that never met may look
// as any pair does.
//
// What is left then is measured in windows, and by each part as a filter: an object that is
// missing, or one too many, looks like a part. A distance of 1 is what few images exceed.
type Appearance struct {
	side   int
	parts  *mat.Dense // [predicates + pairs + 1, values], the last always there
	pairs  []pair
	met    []byte     // how often facts met [facts * facts]; none of old bundles
	noise  *mat.Dense // variance by pixel [predicates + 2]: of true ones, always, and the least
	common []mode
	modes  [][]mode    // of each predicate
	joint  []mode      // parts of pairs
	moves  [][]int     // facts that decide where each fact is seen, such as where its place is
	edges  [][]float64 // energy of each part by pixel, 0 where it is noise
	around [][]int     // pixels of each part, and those beside them
	limits measures
}

// pair is two facts.
type pair struct{ P, Q int }

// other is the other fact of a pair; -1 where the pair is of two others.
func (k pair) other(p int) int {
	switch p {
	case k.P:
		return k.Q
	case k.Q:
		return k.P
	}
	return -1
}

// How often facts met: the first is true in no image with the second, in few, in enough to know
// what it looks like, or in no other than a few without.
const (
	never byte = iota
	seldom
	often
	always
)

// mode is a direction in which images vary.
type mode struct {
	at     []int // values that it is in; nil: all
	row    []float64
	shrink float64 // variance of a value by that of the mode
}

const (
	lookSide = 64  // pixels a side at most: objects of a few pixels are seen
	ridge    = 1.0 // observations of nothing, beside those of a part
	// minVariance of a value that is left: four grey levels of a mean of 128.
	minVariance = (4.0 / 128) * (4.0 / 128)
	// unmet is the shrinkage of what facts that never met may add: as much as pairs that did.
	unmet = minVariance
	// shake is that of a camera that moves by half a pixel.
	shake = 4 * minVariance
)

// windows are the sides of the squares that are measured, pixels: the size of an edge, of a small
// object, and of a large one.
var windows = [...]int{2, 4, 8}

// measures of an image.
type measures struct {
	windows [len(windows)]float64 // the greatest root of the mean square in one of each size
	at      [len(windows)][2]int  // the upper left corner of that one
	shares  [shares][]float64     // by predicate
}

// Shares of a part: how much of it is there though the predicate is false, is missing or too much
// where it is true, and has moved there.
const (
	added = iota
	missing
	shifted
	shares
)

// shifts is how far a part moves, by the side of the image: half of a small object.
const shifts = 16

func (a *Appearance) predicates() int { return len(a.modes) }

func (a *Appearance) facts() int { return int(math.Sqrt(float64(len(a.met)))) }

// setUp sets what follows from parts.
func (a *Appearance) setUp() {
	n, _ := a.parts.Dims()
	a.edges, a.around = make([][]float64, n-1), make([][]int, n-1)
	for p := range a.around {
		a.edges[p] = edges(a.parts.RawRowView(p))
		a.around[p] = a.beside(a.edges[p])
	}
	a.joint, a.moves = nil, make([][]int, a.facts())
	for k := range a.pairs {
		a.joint = append(a.joint, a.local(a.predicates()+k, unmet))
	}
	for p := range a.moves {
		moves := false
		for k, both := range a.pairs {
			if other := both.other(p); other >= 0 {
				a.moves[p] = append(a.moves[p], other)
				moves = moves || a.energy(a.predicates()+k) >= a.energy(p)
			}
		}
		for q := range a.moves {
			if p != q && a.met[p*len(a.moves)+q] == always {
				a.moves[p] = append(a.moves[p], q)
			}
		}
		if !moves && len(a.moves[p]) != 1 {
			a.moves[p] = nil
		}
	}
}

// energy is the squared length of a part.
func (a *Appearance) energy(p int) float64 {
	row := a.parts.RawRowView(p)
	return floats.Dot(row, row)
}

// local is a part as a mode.
func (a *Appearance) local(p int, shrink float64) mode {
	m := mode{shrink: shrink}
	row := a.parts.RawRowView(p)
	for _, i := range a.around[p] {
		m.at = append(m.at, 3*i, 3*i+1, 3*i+2)
		m.row = append(m.row, row[3*i:3*i+3]...)
	}
	return m
}

// features are those of a target: what of each part is there.
func features(target []float32, pairs []pair) []float64 {
	row := make([]float64, 0, len(target)+len(pairs)+1)
	for _, v := range target {
		row = append(row, float64(v))
	}
	for _, k := range pairs {
		row = append(row, float64(target[k.P]*target[k.Q]))
	}
	return append(row, 1)
}

// weighted adds rows by their weights.
func weighted(rows *mat.Dense, weights []float64) []float64 {
	_, columns := rows.Dims()
	to := make([]float64, columns)
	for k, w := range weights {
		if w != 0 {
			for i, v := range rows.RawRowView(k) {
				to[i] += w * v
			}
		}
	}
	return to
}

// valuesTarget is a target of which all is known.
func valuesTarget(values []bool) []float32 {
	target := make([]float32, len(values))
	for p, v := range values {
		if v {
			target[p] = 1
		}
	}
	return target
}

// left is what parts leave of an image in the light of the parts, inside or everywhere, and what
// they look like.
func (a *Appearance) left(image []uint8, size int, target []float32, deviation []float64,
	inside []bool,
) (left, looks []float64) {
	looks = weighted(a.parts, features(target, a.pairs))
	left = make([]float64, len(looks))
	for i, v := range pixels.Shrink(image, size, a.side) {
		left[i] = float64(v)
	}
	for c := range 3 {
		g := gain(left, looks, deviation, inside, c)
		for i := c; i < len(left); i += 3 {
			left[i] = g*left[i] - looks[i]
		}
	}
	return within(left, inside), looks
}

// gain is how many times as bright a channel of an image is to be to look as it should, whatever
// some of it shows: a median first, then regression with little weight where it is far off.
func gain(image, looks, deviation []float64, inside []bool, channel int) float64 {
	const rounds, some = 3, 1000 // medians are of so many pixels
	var at []int
	for i := channel; i < len(image); i += 3 {
		if inside == nil || inside[i/3] {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return 1
	}
	few := spread.Evenly(at, some)
	all := make([]float64, len(few))
	middle := func(of func(i int) float64) float64 {
		for k, i := range few {
			all[k] = of(i)
		}
		return median.Upper(all)
	}
	const dark = 0.01 // of the mean: what is as dark says little
	g := middle(func(i int) float64 { return (looks[i] + dark) / (image[i] + dark) })
	for range rounds {
		off := func(i int) float64 { return math.Abs(g*image[i]-looks[i]) / deviation[i/3] }
		far, up, down := 3*middle(off)+1e-9, 0.0, 1e-9
		for _, i := range at {
			v := off(i) / far
			w := 1 / (1 + v*v) / deviation[i/3]
			up += w * w * image[i] * looks[i]
			down += w * w * image[i] * image[i]
		}
		g = up / down
	}
	return g
}

// deviation is the standard deviation of what is left of a target, by pixel.
func (a *Appearance) deviation(target []float32) []float64 {
	m := len(target)
	all := weighted(a.noise.Slice(0, m+1, 0, a.side*a.side).(*mat.Dense), features(target, nil))
	for i, least := range a.noise.RawRowView(m + 1) {
		all[i] = math.Sqrt(max(all[i], least) + minVariance)
	}
	return all
}

// active are the modes of an image of a target.
func (a *Appearance) active(target []float32, looks []float64) []mode {
	all := slices.Clone(a.common)
	for axis := range 2 {
		step := 3
		if axis == 1 {
			step *= a.side
		}
		m := mode{row: make([]float64, len(looks)), shrink: shake}
		for i := step; i+step < len(looks); i++ {
			if x := i / 3 % a.side; axis == 1 || x > 0 && x+1 < a.side {
				m.row[i] = (looks[i+step] - looks[i-step]) / 2
			}
		}
		all = append(all, m)
	}
	for p, v := range target {
		if v == 1 {
			all = append(all, a.modes[p]...)
		}
	}
	if strange := a.strange(target); len(strange) > 0 {
		all = append(append(all, a.joint...), a.unmet(strange)...)
	}
	return all
}

// strange are pairs of facts of a target that seldom met, the first of which looks otherwise with
// facts that are never true with the second: it stands where nobody saw it.
func (a *Appearance) strange(target []float32) (all []pair) {
	n := a.facts()
	for p, moves := range a.moves {
		if target[p] != 1 || len(moves) == 0 {
			continue
		}
		for q := range n {
			if p != q && target[q] == 1 && a.met[p*n+q] <= seldom && slices.ContainsFunc(moves,
				func(r int) bool { return a.met[q*n+r] == never }) {
				all = append(all, pair{p, q})
			}
		}
	}
	return all
}

// unmet are modes of what facts add that never met: less than their parts, and what they add with
// another fact, moved as far as that one's part is from where the other one's is.
func (a *Appearance) unmet(strange []pair) (all []mode) {
	n := a.facts()
	for i, s := range strange {
		if i == 0 || s.P != strange[i-1].P {
			all = append(all, a.local(s.P, unmet))
		}
		to := a.middle(s.Q)
		for _, other := range a.moves[s.P] {
			if a.met[s.Q*n+other] != never {
				continue
			}
			from := a.middle(other)
			dx, dy := to[0]-from[0], to[1]-from[1]
			all = append(all, a.moved(s.P, dx, dy))
			for k, both := range a.pairs {
				if both.other(s.P) == other {
					all = append(all, a.moved(a.predicates()+k, dx, dy))
				}
			}
		}
	}
	return all
}

// middle is where most of a part is, pixels.
func (a *Appearance) middle(p int) (at [2]int) {
	x, y, all := 0.0, 0.0, math.SmallestNonzeroFloat64
	for i, e := range a.edges[p] {
		x, y, all = x+e*float64(i%a.side), y+e*float64(i/a.side), all+e
	}
	return [2]int{int(math.Round(x / all)), int(math.Round(y / all))}
}

// moved is a part as a mode, moved.
func (a *Appearance) moved(p, dx, dy int) mode {
	m := mode{at: []int{}, shrink: unmet}
	row := a.parts.RawRowView(p)
	for _, i := range a.around[p] {
		x, y := i%a.side+dx, i/a.side+dy
		if min(x, y) < 0 || max(x, y) >= a.side {
			continue
		}
		for c := range 3 {
			m.at, m.row = append(m.at, 3*(y*a.side+x)+c), append(m.row, row[3*i+c])
		}
	}
	return m
}

// measure measures what is left of an image that shows a target, in view. Of predicates that are
// not known none counts.
func (a *Appearance) measure(image []uint8, size int, target []float32, seen view) (m measures) {
	deviation := a.deviation(target)
	left, looks := a.left(image, size, target, deviation, seen.inside)
	clean(left, a.active(target, looks), seen.inside)
	for i := range left {
		left[i] /= deviation[i/3]
	}
	for k, side := range windows {
		m.windows[k], m.at[k] = a.greatest(left, side)
	}
	for k := range m.shares {
		m.shares[k] = make([]float64, len(target))
	}
	share := func(x mode) (along, norm float64) {
		norm = ridge
		for k, i := range x.at {
			if seen.inside == nil || seen.inside[i/3] {
				part := x.row[k] / deviation[i/3]
				along, norm = along+part*left[i], norm+part*part
			}
		}
		return along, norm
	}
	by := a.side / shifts
	for p, v := range target {
		if !seen.counts(p) || v != 0 && v != 1 {
			continue
		}
		along, norm := share(a.local(p, 0))
		m.shares[int(v)][p] = math.Abs(along) / norm
		if v == 0 {
			continue
		}
		for _, to := range [][2]int{{by, 0}, {-by, 0}, {0, by}, {0, -by}} {
			there, more := share(a.moved(p, to[0], to[1]))
			m.shares[shifted][p] = max(m.shares[shifted][p], (there-along)/(norm+more))
		}
	}
	return m
}

// view is the part of an image that counts: all of it, of the zero view.
type view struct {
	inside     []bool // of the small image's pixels
	predicates []bool // of which the image says something
}

func (v view) counts(predicate int) bool { return v.predicates == nil || v.predicates[predicate] }

// distance is how far an image of size x size pixels is from what a vector looks like: the greatest
// measure by its limit. It also returns where that is, as a region of the image.
func (a *Appearance) distance(image []uint8, size int, values []bool, seen view) (far float64,
	where pixels.Region,
) {
	m := a.measure(image, size, valuesTarget(values), seen)
	for k, v := range m.windows {
		if v /= a.limits.windows[k]; v > far {
			far, where = v, a.region(m.at[k][0], m.at[k][1], windows[k], windows[k])
		}
	}
	for k, all := range m.shares {
		for p, v := range all {
			if v /= a.limits.shares[k][p]; v > far {
				far, where = v, a.part(p)
			}
		}
	}
	return far, where
}

// region is one of the image.
func (a *Appearance) region(x, y, width, height int) pixels.Region {
	side := float64(a.side)
	return pixels.Region{X: float64(x) / side, Y: float64(y) / side, Width: float64(width) / side,
		Height: float64(height) / side}
}

// part is where a part is seen.
func (a *Appearance) part(p int) pixels.Region {
	x0, y0, x1, y1 := a.side, a.side, 0, 0
	for _, i := range a.around[p] {
		x, y := i%a.side, i/a.side
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x+1), max(y1, y+1)
	}
	return a.region(x0, y0, max(x1-x0, 0), max(y1-y0, 0))
}

// by are the greatest measures of windows and of shares, by their limits.
func (m measures) by(limits measures) (windows, shares float64) {
	for k, v := range m.windows {
		windows = max(windows, v/limits.windows[k])
	}
	for k, all := range m.shares {
		for p, v := range all {
			shares = max(shares, v/limits.shares[k][p])
		}
	}
	return windows, shares
}

// within are the values inside, 0 elsewhere; all of them where inside is nil.
func within(values []float64, inside []bool) []float64 {
	if inside == nil {
		return values
	}
	some := make([]float64, len(values))
	for i, v := range values {
		if inside[i/3] {
			some[i] = v
		}
	}
	return some
}

// greatest is the greatest root of the mean square in a square window, and where that is; windows
// overlap by half.
func (a *Appearance) greatest(left []float64, side int) (most float64, at [2]int) {
	n := a.side + 1
	sums := make([]float64, n*n) // of all pixels above and to the left
	for y := range a.side {
		for x := range a.side {
			at := 3 * (y*a.side + x)
			sums[(y+1)*n+x+1] = floats.Dot(left[at:at+3], left[at:at+3]) + sums[y*n+x+1] + sums[(y+1)*n+x] -
				sums[y*n+x]
		}
	}
	for y := 0; y+side <= a.side; y += side / 2 {
		for x := 0; x+side <= a.side; x += side / 2 {
			v := sums[(y+side)*n+x+side] - sums[y*n+x+side] - sums[(y+side)*n+x] + sums[y*n+x]
			if v > most {
				most, at = v, [2]int{x, y}
			}
		}
	}
	return math.Sqrt(most / float64(3*side*side)), at
}

// clean takes away what modes explain inside, or everywhere, by ridge regression.
func clean(left []float64, active []mode, inside []bool) {
	n := len(active)
	if n == 0 {
		return
	}
	gram, along := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	dense := make([]float64, len(left))
	for i, x := range active {
		clear(dense)
		x.add(dense, 1)
		dense := within(dense, inside)
		along.SetVec(i, x.dot(left))
		for j := i; j < n; j++ {
			gram.SetSym(i, j, active[j].dot(dense))
		}
		gram.SetSym(i, i, gram.At(i, i)+x.shrink)
	}
	var c mat.Cholesky
	var weights mat.VecDense
	if !c.Factorize(gram) || c.SolveVecTo(&weights, along) != nil {
		return // not reached: the ridge makes the matrix regular
	}
	clear(dense)
	for i, x := range active {
		x.add(dense, -weights.AtVec(i))
	}
	for i, v := range within(dense, inside) {
		left[i] += v
	}
}

func (m mode) add(to []float64, weight float64) {
	if m.at == nil {
		for i, v := range m.row {
			to[i] += weight * v
		}
	}
	for k, i := range m.at {
		to[i] += weight * m.row[k]
	}
}

func (m mode) dot(values []float64) (sum float64) {
	if m.at == nil {
		return floats.Dot(m.row, values)
	}
	for k, i := range m.at {
		sum += m.row[k] * values[i]
	}
	return sum
}
