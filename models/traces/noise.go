package traces

import (
	"math"
	"slices"
)

// rounds bounds how often attempts are read with a model and a model is learned from that.
const rounds = 12

// perRound is the part of the steps of a stage that each round may take: one in so many.
const perRound = 10

// learner learns a model from attempts, some of which are not what they were recorded as.
type learner struct {
	actions  int
	segments [][]Attempt
	support  int
	steps    int
}

// learn takes the attempts as they were recorded, and as a model says that they more likely were,
// in turn, until nothing changes. It returns the result that explains most, less what it takes to
// say what was recorded wrongly. Preconditions of the first model may be coincidences, and attempts
// are read without them.
func (l *learner) learn(recorded [][]reading) *Result {
	best := l.from(recorded, 0)
	best.readings = recorded
	l.steps /= perRound
	if !best.suspicious(l.segments) {
		return best
	}
	readings := withoutFailures(recorded)
	odds := odds{label: -math.Log(0.03), change: -math.Log(0.03), refusal: -math.Log(errorShare)}
	r := l.from(readings, errorShare)
	for round := range rounds {
		was := readings
		readings, _ = l.read(r.theory(l.actions, round > 0), &odds)
		if same(readings, was) {
			break
		}
		r = l.from(readings, errorShare)
	}
	readings, cost := l.read(r.theory(l.actions, true), &odds)
	if r = l.from(readings, 0); r.evidence()-cost <= best.evidence() {
		return best
	}
	r.suspects(l.segments, readings)
	return r
}

// withoutFailures are the attempts without those that failed.
func withoutFailures(segments [][]reading) [][]reading {
	all := make([][]reading, len(segments))
	for s, segment := range segments {
		all[s] = slices.Clone(segment)
		for i := range segment {
			if segment[i].Outcome == Failed {
				all[s][i].Outcome = 0
			}
		}
	}
	return all
}

func same(x, y [][]reading) bool {
	return slices.EqualFunc(x, y, func(a, b []reading) bool { return slices.Equal(a, b) })
}

// read returns the most likely readings of all attempts, and what they cost, and sets the odds to
// what was found.
func (l *learner) read(y *theory, o *odds) ([][]reading, float64) {
	d := newDecoder(y, *o)
	all := make([][]reading, len(l.segments))
	n, labels, changes, cost := 0, 0, 0, 0.0
	for s, segment := range l.segments {
		n += len(segment)
		all[s] = d.read(segment)
		for i, is := range all[s] {
			if is.wrong(segment[i]) {
				labels++
				cost += o.label + math.Log(float64(l.actions))
			}
			if is.cut {
				changes++
				cost += o.change
			}
		}
	}
	o.label = -math.Log(float64(labels+1) / float64(n+2))
	o.change = -math.Log(float64(changes+1) / float64(n+2))
	return all, cost
}

// wrong says whether the attempt was recorded as something else.
func (is reading) wrong(as Attempt) bool { return is.Attempt != as && as.Outcome != Failed }

// evidence is what the predicates explain, in nats.
func (r *Result) evidence() float64 {
	sum := 0.0
	for _, q := range r.regions {
		sum += q.nats
	}
	return sum
}

// from learns a model from readings, a share of which may be wrong.
func (l *learner) from(readings [][]reading, errors float64) *Result {
	t := readTrace(l.actions, readings)
	t.errors = errors
	res := &Result{Before: t.before, After: t.after}
	work := steps{l.steps}
	regions := res.candidates(t, l.support, work)
	chosen, whole := choose(t, regions, work)
	res.cut(whole, Choice)
	res.regions = chosen
	res.Model = &Model{Predicates: predicates(t, res.regions)}
	res.operators(t, work)
	return res
}
