package identity

import (
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

const (
	minVisits    = 4    // with the transition that a division starts with, and without
	minAgreement = 0.75 // share of static intervals (agreement)
	minEvidence  = 4.6  // log Bayes factor (dependence): a factor of 100
	fitRounds    = 8    // of expectation maximisation
	parts        = 4    // of cross-validation
)

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
