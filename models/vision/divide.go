package vision

import (
	"maps"
	"math"
	"slices"
)

// Divide splits codes that cover several states where images tell these apart, and
// returns a code for each image again. Those of a split are numbered as by Refine.
//
// Stage 1 may give two states one code without any conflict, if no action leads from
// both to different states: what such a code predicts is right. But the two look
// different, and are left in different ways. So the visits to each code are divided in
// two by what their images look like, beginning with those of one way in or out. Two
// things have to hold: the two images of a static interval, taken with a camera's nuisance of
// their own, are on one side, also of visits that the division was not made on; and
// how a visit ends depends on its side. The first alone is true of light
// that changes slowly, and of what an arm leaves in view; the second alone of robots
// that follow a script. What is too much alike for that is divided by the ways in and out,
// if the images agree (byWays).
//
// One split makes others visible, so codes beside a split are tried again.
func Divide(d *Dataset, codes []Code) []Code {
	if len(d.pixels) == 0 {
		return codes
	}
	codes = slices.Clone(codes)
	byCode := passagesOf(d, codes)
	for open := slices.Sorted(maps.Keys(byCode)); len(open) > 0; {
		beside, touches := map[Code]bool{}, touching(d, codes)
		for _, code := range open {
			v := newStays(d, code, byCode[code])
			side := v.divide()
			if side == nil {
				side = v.byWays(d, codes, touches)
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
					codes[t.Before] = at(side.of(pileOf([]look{lookOf(d, t.Before), lookOf(d, t.After)})) > 0)
					codes[t.After] = codes[t.Before]
				}
			}
			for i, p := range v.list { // last: they may share images with refused attempts
				for _, image := range p.images {
					codes[image] = at(side.other[i])
				}
				beside[p.in.other], beside[p.out.other] = true, true
			}
			beside[one], beside[other] = true, true
		}
		byCode, open = passagesOf(d, codes), nil
		for code := range beside {
			if byCode[code] != nil {
				open = append(open, code)
			}
		}
		slices.Sort(open)
	}
	return codes
}

// numbers are the codes of the two sides of a code that is divided.
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

// division is what tells two sides of a code apart, and the side of each visit.
type division struct {
	*divider
	other []bool
}

// stays are the visits to one code, with what their images look like.
type stays struct {
	code  Code
	list  []passage
	looks [][]look // by visit and image
	piles []*pile  // by visit
}

func newStays(d *Dataset, code Code, list []passage) *stays {
	v := &stays{code: code, list: list}
	for _, p := range list {
		var looks []look
		for i, image := range p.images {
			if i == 0 || image != p.images[i-1] {
				looks = append(looks, lookOf(d, image))
			}
		}
		v.looks, v.piles = append(v.looks, looks), append(v.piles, pileOf(looks))
	}
	return v
}

const (
	leastVisits = 4    // of a way to begin with
	agreeing    = 0.75 // of the static intervals of the lesser side, both images there; one more counts as not
	dependent   = 4.6  // log Bayes factor, 100, of the ways out
)

// divide divides the visits by what they look like, more of them on the one side, or
// returns nil if they are to one state for all that is known.
func (v *stays) divide() *division {
	var best *divider
	most := 0.0
	for _, w := range v.ways() {
		if v.agreement(w) < agreeing {
			continue
		}
		side := v.fit(w, func(int) bool { return true })
		if side == nil {
			continue
		}
		outs := [2]map[way]int{{}, {}}
		other := 0
		for i, p := range v.list {
			k := 0
			if side.of(v.piles[i]) > 0 {
				k = 1
				other++
			}
			if p.out != (way{}) {
				outs[k][p.out]++
			}
		}
		if 2*other > len(v.list) {
			side = side.turned()
		}
		if gain := dependence(outs[0], outs[1]); gain > max(dependent, most) {
			best, most = side, gain
		}
	}
	if best == nil {
		return nil
	}
	other := make([]bool, len(v.piles))
	for i, looks := range v.piles {
		other[i] = best.of(looks) > 0
	}
	return &division{best, other}
}

// ways are those that some visits have and others have not.
func (v *stays) ways() []way {
	seen := map[way]int{}
	for _, p := range v.list {
		seen[p.in]++
		seen[p.out]++
	}
	delete(seen, way{})
	maps.DeleteFunc(seen, func(_ way, n int) bool { return n < leastVisits || len(v.list)-n < leastVisits })
	return slices.SortedFunc(maps.Keys(seen), compareWays)
}

// fit divides the visits that count by their images, beginning with those by a way and
// the others, until each is where it looks like (expectation maximisation with hard
// decisions). It is nil if one side is left empty.
func (v *stays) fit(w way, counts func(visit int) bool) *divider {
	other := make([]bool, len(v.list))
	for i, p := range v.list {
		other[i] = p.in != w && p.out != w
	}
	const rounds = 8
	var d *divider
	for range rounds {
		if d = v.dividerOf(counts, other); d == nil {
			return nil
		}
		changed := false
		for i, looks := range v.piles {
			if now := d.of(looks) > 0; now != other[i] {
				other[i], changed = now, true
			}
		}
		if !changed {
			break
		}
	}
	return d
}

// agreement returns, of the static intervals with an image on the lesser side, the share with
// both there, each by a division made without a quarter of the visits, of which it is one.
func (v *stays) agreement(w way) float64 {
	const parts = 4
	var both [2]int
	mixed := 1
	for part := range parts {
		d := v.fit(w, func(i int) bool { return i%parts != part })
		if d == nil {
			return 0
		}
		for i := part; i < len(v.looks); i += parts {
			if len(v.looks[i]) < 2 {
				continue
			}
			switch one, other := d.score(v.looks[i][0]) > 0, d.score(v.looks[i][1]) > 0; {
			case one != other:
				mixed++
			case one:
				both[1]++
			default:
				both[0]++
			}
		}
	}
	lesser := float64(min(both[0], both[1]))
	return lesser / (lesser + float64(mixed))
}

// dependence is the log Bayes factor for two tallies being of different distributions,
// all of which are equally likely beforehand, against one.
func dependence(a, b map[way]int) float64 {
	both := maps.Clone(a)
	for w, n := range b {
		both[w] += n
	}
	likelihood := func(counts map[way]int) float64 {
		sum, _ := math.Lgamma(float64(len(both)))
		total := 0
		for _, w := range slices.SortedFunc(maps.Keys(counts), compareWays) {
			l, _ := math.Lgamma(float64(counts[w]) + 1)
			sum += l
			total += counts[w]
		}
		all, _ := math.Lgamma(float64(len(both) + total))
		return sum - all
	}
	return likelihood(a) + likelihood(b) - likelihood(both)
}
