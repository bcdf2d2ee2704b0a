package exploration

import (
	"math"
	"math/rand/v2"

	"stripswm/models/strips"
	"stripswm/models/traces"
)

// beliefs is what was learned from the attempts so far: a version space for each skill.
type beliefs struct {
	result *traces.Result
	skills []skill // by action
	// tried is what became of an action in a state of the same facts: 1 succeeded, -1 refused.
	tried map[key]int8
	// refusedIn is the number of states of different facts in which an action was refused, by action.
	refusedIn []int
	// repeated counts the attempts of an action that was attempted in a state of the same facts, and
	// contradicted those whose outcome was another one than before.
	repeated, contradicted int
}

type key struct {
	state  string
	action int
}

// skill is the version space of an action: the literals that it may need, which were true at all
// its successes, each with the probability that it needs it.
type skill struct {
	operator  *strips.Operator // nil where it never succeeded
	successes int
	literals  []needed
	worlds    [believed]strips.Operator // what it needs together, drawn from the version space
}

// believed is the number of worlds that are drawn from the version spaces. More of them were worse:
// what is possible in one of them only is then too improbable to be tried.
const believed = 8

// needed is a literal with the probability that the skill needs it.
type needed struct {
	traces.Literal
	probability float64
}

// values are those of the predicates in a state: 1 true, -1 false, 0 unknown.
type values []int8

func (v values) of(l traces.Literal) int8 {
	if l.Negated {
		return -v[l.Predicate]
	}
	return v[l.Predicate]
}

func (v values) key() string {
	b := make([]byte, len(v))
	for i, x := range v {
		b[i] = byte(x + 1)
	}
	return string(b)
}

// apply sets what the operator changes.
func (v values) apply(o *strips.Operator) {
	for _, p := range o.Add {
		v[p] = 1
	}
	for _, p := range o.Del {
		v[p] = -1
	}
}

// believe reads a result. The probability of a literal follows from its evidence and from the
// number of literals that it is one of.
func believe(actions int, segments [][]traces.Attempt, r *traces.Result, rng *rand.Rand,
) *beliefs {
	b := &beliefs{result: r, skills: make([]skill, actions), tried: map[key]int8{},
		refusedIn: make([]int, actions)}
	for i := range r.Model.Operators {
		o := &r.Model.Operators[i]
		b.skills[o.Action-1].operator = o
	}
	bar := math.Log(float64(2*len(r.Model.Predicates) + 1))
	for a := range b.skills {
		report, s := &r.Report.Actions[a], &b.skills[a]
		if s.operator == nil {
			continue
		}
		s.successes = report.Successes
		for _, p := range report.Preconditions {
			nats := p.Nats - bar
			if p.Changes {
				nats = max(nats, r.Report.Predicates[p.Predicate].Nats)
			}
			s.literals = append(s.literals, needed{p.Literal, sigmoid(nats)})
		}
		for _, u := range report.Undecided {
			s.literals = append(s.literals, needed{u.Literal, sigmoid(u.Nats - bar)})
		}
		for _, l := range report.Unseen {
			s.literals = append(s.literals, needed{l, sigmoid(-bar)})
		}
	}
	for i := range believed {
		for _, o := range r.Sample(rng) {
			b.skills[o.Action-1].worlds[i] = o
		}
	}
	names := make([]string, r.Report.Intervals)
	for i := range names {
		names[i] = b.in(i).key()
	}
	for s, segment := range segments {
		for i, t := range segment {
			if k := (key{names[r.Before[s][i]], int(t.Action) - 1}); t.With == 0 {
				b.note(k, t.Outcome)
			}
		}
	}
	return b
}

// note remembers an outcome.
func (b *beliefs) note(k key, o traces.Outcome) {
	if was := b.tried[k]; was != 0 && o != traces.Failed {
		b.repeated++
		if (was > 0) != (o == traces.Succeeded) {
			b.contradicted++
		}
	}
	switch {
	case o == traces.Succeeded:
		b.tried[k] = 1
	case o == traces.Refused && b.tried[k] == 0:
		b.refusedIn[k.action]++
		fallthrough
	case o == traces.Refused:
		b.tried[k] = -1
	}
}

// in is the values in a static interval.
func (b *beliefs) in(interval int) values {
	v := make(values, len(b.result.Model.Predicates))
	for p := range v {
		switch b.result.Value(strips.Predicate(p), interval) {
		case traces.True:
			v[p] = 1
		case traces.False:
			v[p] = -1
		}
	}
	return v
}

// allow is the probability that the operator applies, where an unknown value is true in half of the
// cases.
func (v values) allow(o *strips.Operator) float64 {
	p := 1.0
	for _, q := range o.PrePos {
		p *= float64(1+v[q]) / 2
	}
	for _, q := range o.PreNeg {
		p *= float64(1-v[q]) / 2
	}
	return p
}

// applies is the probability that the action applies, by its version space, and how many literals
// that it may need have unknown values. It is the mean over the worlds, but for a guess, which the
// explorer must be able to find wrong: one half. The guess is the share of what is thought of a
// skill that falls with the square of its successes.
//
// What the outcome tells is the share of its information that is of the worlds: the mutual
// information of the outcome and the world (Houlsby and others, Bayesian active learning, 2011),
// divided by the entropy of the outcome. The guess counts, too, since all worlds may be wrong.
func (s *skill) applies(v values) (p, tells float64, unknown int) {
	within := 0.0
	for i := range s.worlds {
		q := v.allow(&s.worlds[i])
		p += q / believed
		within += entropy(q) / believed
	}
	for _, l := range s.literals {
		if v.of(l.Literal) == 0 {
			unknown++
		}
	}
	if h := entropy(p); h > 0 {
		tells = 1 - within/h
	}
	guess := 1 / float64((1+s.successes)*(1+s.successes))
	return (1-guess)*p + guess/2, tells + guess*(1-tells), unknown
}
