package identity

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"stripswm/models/dataset"
	"stripswm/models/pixels"
)

// Split splits codes that cover aliased states where the images show several states, and returns
// the code of each image. The parts are numbered as by Refine.
//
// Stage 1 may give two states one code without a conflict: no action leads from both to different
// states, so that all predictions of the code are right. But the two states look different, and
// different actions follow. So Split divides the visits to each code in two by their thumbnails,
// starting with the visits that have one transition in or out in common. It keeps the division if
//
//   - the two images of a static interval are on one side, also in visits that the discriminant was
//     not computed from (agreement);
//   - the transition out depends on the side (dependence).
//
// Light that changes slowly, or an arm that rests in view, meets the first condition but not the
// second; a robot that follows a script meets the second but not the first. Where the images are
// too similar for that, the transitions in and out divide the visits, if the images agree
// (byTransitions).
//
// After a split its neighbours are tried again.
func Split(d *dataset.Dataset, codes []Code) []Code {
	if d.Images() == 0 {
		return codes
	}
	codes = slices.Clone(codes)
	byCode := visitsOf(d, codes)
	for open := slices.Sorted(maps.Keys(byCode)); len(open) > 0; {
		beside, touches := map[Code]bool{}, touching(d, codes)
		for _, code := range open {
			v := newVisits(d, code, byCode[code])
			side := v.split()
			if side == nil {
				side = v.byTransitions(d, codes, touches)
			}
			if side == nil {
				continue
			}
			one, other := numbers(codes, code)
			at := func(onOther bool) Code {
				if onOther {
					return other
				}
				return one
			}
			for _, t := range d.Refused {
				if codes[t.Before] == code {
					both := sumsOf([]pixels.Thumbnail{thumbnailOf(d, t.Before),
						thumbnailOf(d, t.After)})
					codes[t.Before] = at(side.of(both) > 0)
					codes[t.After] = codes[t.Before]
				}
			}
			for i, p := range v.list { // last: visits may share images with refused attempts
				for _, image := range p.images {
					codes[image] = at(side.other[i])
				}
				beside[p.in.other], beside[p.out.other] = true, true
			}
			beside[one], beside[other] = true, true
		}
		byCode, open = visitsOf(d, codes), nil
		for code := range beside {
			if byCode[code] != nil {
				open = append(open, code)
			}
		}
		slices.Sort(open)
	}
	return codes
}

// numbers are the codes of the two sides of a code that is split.
func numbers(codes []Code, code Code) (one, other Code) {
	shown, k := code.shown()
	if k < 0 {
		return shown.numbered(0), shown.numbered(1)
	}
	most := 0
	for _, c := range codes {
		if s, k := c.shown(); s == shown {
			most = max(most, k)
		}
	}
	return code, shown.numbered(most + 1)
}

// partition is a discriminant of the visits to a code, and the side of each visit.
type partition struct {
	*discriminant
	other []bool
}

// visits are the visits to one code, with the thumbnails of their images.
type visits struct {
	code       Code
	list       []visit
	thumbnails [][]pixels.Thumbnail // by visit and image
	sums       []*sums              // by visit
}

func newVisits(d *dataset.Dataset, code Code, list []visit) *visits {
	v := &visits{code: code, list: list}
	for _, p := range list {
		var thumbnails []pixels.Thumbnail
		for i, image := range p.images {
			if i == 0 || image != p.images[i-1] {
				thumbnails = append(thumbnails, thumbnailOf(d, image))
			}
		}
		v.thumbnails, v.sums = append(v.thumbnails, thumbnails), append(v.sums, sumsOf(thumbnails))
	}
	return v
}

// split divides the visits by their thumbnails, the greater part on the first side. It is nil if
// nothing shows that the visits are to several states.
func (v *visits) split() *partition {
	var best *discriminant
	most := 0.0
	for _, w := range v.transitions() {
		if v.agreement(w) < minAgreement {
			continue
		}
		side := v.fit(w, func(int) bool { return true })
		if side == nil {
			continue
		}
		outs := [2]map[transition]int{{}, {}}
		other := 0
		for i, p := range v.list {
			k := 0
			if side.of(v.sums[i]) > 0 {
				k = 1
				other++
			}
			if p.out != (transition{}) {
				outs[k][p.out]++
			}
		}
		if 2*other > len(v.list) {
			side = side.negated()
		}
		if gain := dependence(outs[0], outs[1]); gain > max(minEvidence, most) {
			best, most = side, gain
		}
	}
	if best == nil {
		return nil
	}
	other := make([]bool, len(v.sums))
	for i, s := range v.sums {
		other[i] = best.of(s) > 0
	}
	return &partition{best, other}
}

// transitions are those that some visits have and others do not have.
func (v *visits) transitions() []transition {
	seen := map[transition]int{}
	for _, p := range v.list {
		seen[p.in]++
		seen[p.out]++
	}
	delete(seen, transition{})
	maps.DeleteFunc(seen, func(_ transition, n int) bool {
		return n < minVisits || len(v.list)-n < minVisits
	})
	return slices.SortedFunc(maps.Keys(seen), compareTransitions)
}

// fit computes a discriminant of the visits that count. It starts with the visits that have a
// transition against the others, and moves each visit to its side until none changes (expectation
// maximisation with hard decisions). It is nil if a side is empty.
func (v *visits) fit(w transition, counts func(visit int) bool) *discriminant {
	other := make([]bool, len(v.list))
	for i, p := range v.list {
		other[i] = p.in != w && p.out != w
	}
	var d *discriminant
	for range fitRounds {
		if d = v.discriminantOf(counts, other); d == nil {
			return nil
		}
		changed := false
		for i, s := range v.sums {
			if now := d.of(s) > 0; now != other[i] {
				other[i], changed = now, true
			}
		}
		if !changed {
			break
		}
	}
	return d
}

// agreement is, of the static intervals with an image on the smaller side, the share with both
// images there. Each interval is classified by a discriminant of the other three quarters of the
// visits. One interval more counts as mixed.
func (v *visits) agreement(w transition) float64 {
	var both [2]int
	mixed := 1
	for part := range parts {
		d := v.fit(w, func(i int) bool { return i%parts != part })
		if d == nil {
			return 0
		}
		for i := part; i < len(v.thumbnails); i += parts {
			if len(v.thumbnails[i]) < 2 {
				continue
			}
			switch one, other := d.score(v.thumbnails[i][0]) > 0, d.score(v.thumbnails[i][1]) > 0; {
			case one != other:
				mixed++
			case one:
				both[1]++
			default:
				both[0]++
			}
		}
	}
	smaller := float64(min(both[0], both[1]))
	return smaller / (smaller + float64(mixed))
}

// dependence is the log Bayes factor of two tallies: they have different distributions, against the
// same one. All distributions are equally likely beforehand.
func dependence(a, b map[transition]int) float64 {
	both := maps.Clone(a)
	for w, n := range b {
		both[w] += n
	}
	likelihood := func(counts map[transition]int) float64 {
		sum, _ := math.Lgamma(float64(len(both)))
		total := 0
		for _, w := range slices.SortedFunc(maps.Keys(counts), compareTransitions) {
			l, _ := math.Lgamma(float64(counts[w]) + 1)
			sum += l
			total += counts[w]
		}
		all, _ := math.Lgamma(float64(len(both) + total))
		return sum - all
	}
	return likelihood(a) + likelihood(b) - likelihood(both)
}

// byTransitions divides the visits by how they start and end, where their images are too similar to
// start from: after one transition in, some transitions out follow, after another one others, as in
// Refine. Neighbours may cover several states, too, and lead from each of these to one state of
// this code. So the visits are also tried with up to two neighbours merged into them (runsThrough),
// or without the transitions from and to these.
//
// A habit of the robot could look the same. So the images have to confirm the division: they have
// to tell the side of visits that the discriminant was not computed from, far better than by
// coincidence (evidence). If an action leads to both sides of a neighbour that is split already,
// that is no habit.
func (v *visits) byTransitions(d *dataset.Dataset, codes []Code,
	touching map[Code][]int) *partition {
	left := map[transition]int{}
	for _, p := range v.list {
		left[p.out]++
	}
	conflict := inConflict(left)
	for _, some := range v.neighbours() {
		merged := runsThrough(d, codes, append(some, v.code), touching)
		for _, runs := range [][]visit{merged, v.without(some)} {
			if side := v.byRuns(runs, conflict); side != nil {
				return side
			}
		}
	}
	return nil
}

// byRuns divides the visits by the states that the transitions of runs belong to.
func (v *visits) byRuns(runs []visit, sure bool) *partition {
	number := statesOf(runs)
	states := 0
	for _, k := range number {
		states = max(states, k+1)
	}
	for k := 1; k < states; k++ {
		known, other := v.sides(runs, number, k)
		by := v.discriminantOf(func(i int) bool { return known[i] }, other)
		if by == nil || !sure && v.evidence(known, other) <= minEvidence {
			continue
		}
		for i, s := range v.sums {
			if !known[i] {
				other[i] = by.of(s) > 0
			}
		}
		return &partition{by, other}
	}
	return nil
}

// neighbours lists sets of neighbouring codes: of none, one, and two.
func (v *visits) neighbours() [][]Code {
	seen := map[Code]bool{}
	for _, p := range v.list {
		seen[p.in.other], seen[p.out.other] = true, true
	}
	delete(seen, "")
	delete(seen, v.code)
	neighbours := slices.Sorted(maps.Keys(seen))
	sets := [][]Code{nil}
	for i, a := range neighbours {
		sets = append(sets, []Code{a})
		for _, b := range neighbours[:i] {
			sets = append(sets, []Code{a, b})
		}
	}
	slices.SortStableFunc(sets, func(a, b []Code) int { return cmp.Compare(len(a), len(b)) })
	return sets
}

// without is the visits without the transitions from and to some codes.
func (v *visits) without(some []Code) []visit {
	list := slices.Clone(v.list)
	for i := range list {
		if slices.Contains(some, list[i].in.other) {
			list[i].in = transition{}
		}
		if slices.Contains(some, list[i].out.other) {
			list[i].out = transition{}
		}
	}
	return list
}

// touching lists the transitions from and to each code.
func touching(d *dataset.Dataset, codes []Code) map[Code][]int {
	list := map[Code][]int{}
	for i, t := range d.Transitions {
		from, to := codes[t.Before], codes[t.After]
		list[from] = append(list[from], i)
		if to != from {
			list[to] = append(list[to], i)
		}
	}
	return list
}

// runsThrough lists the visits to several codes that are taken as one.
func runsThrough(d *dataset.Dataset, codes, through []Code,
	touching map[Code][]int) (runs []visit) {
	var beside []int // transitions
	for _, c := range through {
		beside = append(beside, touching[c]...)
	}
	slices.Sort(beside)
	beside = slices.Compact(beside)
	var open visit
	var at Code // that the open run is at; none is open where it is empty
	end := func() {
		if at != "" {
			runs = append(runs, open)
		}
		open, at = visit{}, ""
	}
	for k, i := range beside {
		t := d.Transitions[i]
		from, to := codes[t.Before], codes[t.After]
		if !(t.Follows && from == at && k > 0 && beside[k-1] == i-1) {
			end()
		}
		if slices.Contains(through, from) {
			open.images, at = append(open.images, t.Before), from
		}
		within := slices.Contains(through, to)
		switch {
		case at != "" && !within:
			open.out = transition{1, t.Action, to, from}
			end()
		case at == "" && within:
			open.in = transition{0, t.Action, from, to}
		}
		if within {
			open.images, at = append(open.images, t.After), to
		}
	}
	end()
	return runs
}

// sides says which visits belong to runs of state k by their transitions, and of which visits that
// is known.
func (v *visits) sides(runs []visit, number map[transition]int, k int) (known, other []bool) {
	of := map[int]visit{} // by image
	for _, r := range runs {
		for _, image := range r.images {
			of[image] = r
		}
	}
	known, other = make([]bool, len(v.list)), make([]bool, len(v.list))
	for i, p := range v.list {
		in, came := number[of[p.images[0]].in]
		out, left := number[of[p.images[0]].out]
		known[i] = came && left && (in == k) == (out == k) || came != left
		other[i] = came && in == k || !came && left && out == k
	}
	return known, other
}

// evidence is the log Bayes factor that the images depend on the side. Each visit is classified by
// a discriminant of the other three quarters of the visits.
func (v *visits) evidence(known, other []bool) float64 {
	sides := [2]map[transition]int{{}, {}} // by the side that the images show, as a transition
	for part := range parts {
		by := v.discriminantOf(func(i int) bool { return known[i] && i%parts != part }, other)
		if by == nil {
			return 0
		}
		for i := part; i < len(v.sums); i += parts {
			if !known[i] {
				continue
			}
			side, says := 0, 0
			if other[i] {
				side = 1
			}
			if by.of(v.sums[i]) > 0 {
				says = 1
			}
			sides[side][transition{out: says}]++
		}
	}
	first, second := transition{out: 0}, transition{out: 1}
	if sides[0][first]*sides[1][second] <= sides[0][second]*sides[1][first] {
		return 0
	}
	return dependence(sides[0], sides[1])
}

// discriminantOf separates the sides of the visits that count; nil if a side is too small.
func (v *visits) discriminantOf(counts func(visit int) bool, other []bool) *discriminant {
	sides := [2]*sums{newSums(len(v.sums[0].sum)), newSums(len(v.sums[0].sum))}
	for i, s := range v.sums {
		if counts(i) && other[i] {
			sides[1].add(s)
		} else if counts(i) {
			sides[0].add(s)
		}
	}
	if min(sides[0].n, sides[1].n) < 2 {
		return nil
	}
	return newDiscriminant(sides[0], sides[1])
}

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
