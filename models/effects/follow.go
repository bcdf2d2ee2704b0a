package effects

import (
	"context"
	"math"
)

// pair is what is known of a skill k and the effect of a skill a.
type pair struct {
	gone sample // changes of k while a's effect was on
	came sample // and while it was off
	like sample // likenesses of these
}

// sample is responses of a's detector to changes of k, and how surely each counts.
type sample struct {
	response []float32
	weight   []float32
	does     float64 // evidence that k always undoes the effect (brings it), against never, in nats
	mixed    float64 // that it does so sometimes, against the better of these
}

// follower follows the effect of each skill through the recording.
type follower struct {
	*detectors
	pairs [][]pair // by skill a and skill k
}

// followRounds is how often effects are followed, each time with what was learned of pairs before.
const followRounds = 3

func follow(ctx context.Context, d *detectors) (*follower, error) {
	f := &follower{detectors: d, pairs: make([][]pair, len(d.skills))}
	for a, detector := range d.skillful {
		if detector == nil {
			continue
		}
		f.pairs[a] = make([]pair, len(d.skills))
		for range followRounds {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			f.walk(a)
			for k := range f.pairs[a] {
				p := &f.pairs[a][k]
				p.gone.weigh(-1, detector)
				p.came.does = p.came.among(detector.own) + p.like.among(detector.alikeness)
			}
		}
	}
	return f, nil
}

// effect says how surely an effect is on and off; what is missing to 1 is unknown.
type effect struct{ on, off float64 }

// walk collects the responses of a's detector to what each skill changes while its effect is on, and
// while it is off.
func (f *follower) walk(a int) {
	for k := range f.pairs[a] {
		p := &f.pairs[a][k]
		for _, s := range []*sample{&p.gone, &p.came, &p.like} {
			s.response, s.weight = s.response[:0], s.weight[:0]
		}
	}
	d, response := f.skillful[a], f.response[a]
	var now effect
	for i, at := range f.attempts {
		if i > 0 && f.attempts[i-1].Segment != at.Segment {
			now = effect{}
		}
		if b := f.between[i]; b >= 0 {
			r := float64(response[b])
			now.step(d.share(r, -1, wrongShare), 0)
		}
		if !at.Succeeded {
			continue
		}
		k, seen := f.skill[i], f.during[i] >= 0
		r := 0.0
		if seen {
			r = float64(response[f.during[i]])
		}
		p := &f.pairs[a][k]
		if seen {
			p.gone.add(r, now.on)
			p.came.add(r, now.off)
			p.like.add(float64(f.likeness[a][f.during[i]]), now.off)
		}
		if k == a {
			now = now.set(d, r, seen)
			continue
		}
		goes := p.gone.share()
		if seen {
			goes = d.share(r, -1, goes)
		}
		now.step(goes, 0)
	}
}

func (s *sample) add(response, weight float64) {
	const least = 0.01 // counts nothing
	if weight > least {
		s.response, s.weight = append(s.response, float32(response)), append(s.weight, float32(weight))
	}
}

// share is how probably the next change is one that undoes (brings) the effect.
func (s *sample) share() float64 {
	return (1-2*wrongShare)/(1+math.Exp(-s.does)) + wrongShare
}

// share is how probably a change with this response is one of mean 1 or -1, and not of mean 0, where
// so many are.
func (d *detector) share(response, mean, before float64) float64 {
	odds := logMix(response-mean, d.own) - logMix(response, d.still) + math.Log(before/(1-before))
	return 1 / (1 + math.Exp(-odds))
}

// step is what becomes of an effect that goes and comes with these probabilities.
func (e *effect) step(goes, comes float64) {
	e.on, e.off = e.on*(1-goes)+e.off*comes, e.off*(1-comes)+e.on*goes
}

// set is the effect after a success of its skill, which the label may be wrong of.
func (e effect) set(d *detector, response float64, seen bool) effect {
	if !seen {
		return effect{on: 1 - wrongShare}
	}
	unknown := 1 - e.on - e.off
	right := (1 - wrongShare) * ((e.on+unknown/2)*math.Exp(logMix(response, d.still)) +
		(e.off+unknown/2)*math.Exp(logMix(response-1, d.own)))
	return effect{on: right / (right + wrongShare/spanned)}
}

// weigh measures the evidence of the sample: that changes are of mean 1 or -1, or of mean 0.
func (s *sample) weigh(mean float64, d *detector) {
	does, never, mixed := make([]float64, len(biases)), make([]float64, len(biases)),
		make([]float64, len(shares))
	for i, r := range s.response {
		w := float64(s.weight[i])
		for b, z := range biases {
			does[b] += w * logMix(float64(r)-mean-bias*z, d.own)
			never[b] += w * logMix(float64(r)-bias*z, d.still)
		}
		one, zero := math.Exp(logMix(float64(r)-mean, d.own)), math.Exp(logMix(float64(r), d.still))
		for p, share := range shares {
			mixed[p] += w * math.Log(share*one+(1-share)*zero)
		}
	}
	for b, z := range biases {
		does[b] -= z * z / 2
		never[b] -= z * z / 2
	}
	always, no := logSum(does), logSum(never)
	s.does = always - no
	s.mixed = logSum(mixed) - math.Log(float64(len(shares))) - max(always, no) + logSum(biasPrior)
}

// among is the evidence that a sample is of mean 1, against any mean.
func (s *sample) among(deviation float64) float64 {
	const steps = 60
	var one, any []float64
	for m := -1.5; m <= 1.5; m += 3. / steps {
		sum := 0.0
		for i, r := range s.response {
			sum += float64(s.weight[i]) * logMix(float64(r)-m, deviation)
		}
		z := (m - 1) / alike
		one, any = append(one, sum-z*z/2), append(any, sum)
	}
	return logSum(one) - math.Log(alike*math.Sqrt(2*math.Pi)*steps/3) - logSum(any) + math.Log(steps+1)
}

// biases of a pair that are tried, in standard deviations, and shares of a mixture.
var (
	biases    = []float64{-3, -2.5, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3}
	shares    = []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}
	biasPrior = func() (p []float64) {
		for _, z := range biases {
			p = append(p, -z*z/2)
		}
		return p
	}()
)

// logSum is the log of the sum of exponentials.
func logSum(logs []float64) float64 {
	most := math.Inf(-1)
	for _, l := range logs {
		most = max(most, l)
	}
	sum := 0.0
	for _, l := range logs {
		sum += math.Exp(l - most)
	}
	return most + math.Log(sum)
}
