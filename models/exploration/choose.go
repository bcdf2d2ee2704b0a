package exploration

import (
	"math"
	"slices"
)

// Bits that a success is worth beside its information.
const (
	firstSuccess = 4.0 // of a skill that never succeeded
	fewSuccesses = 2.0 // divided by the number of successes of the skill, and one
	newOrder     = 0.2 // of a skill after another one, divided by how often it came after it, and one
)

// untriedOrders is what it is worth, in bits, to attempt a skill after each other skill once. Two
// skills that were executed in one order only may look as if one undid the other, and the facts so
// learned say that the other order is impossible. Per order it is less where there are more skills.
const untriedOrders = 2.0

// test is an attempt with what is expected of it.
type test struct {
	action        int
	applies, gain float64
	seconds       float64
}

// evaluate is the test of an action in a state.
func (e *Explorer) evaluate(a int, v values, r *recent, state string) test {
	x, tells := e.inputs(a, v, r, state)
	p := e.regression.predict(&x)
	if e.beliefs != nil && e.beliefs.tried[key{state, a}] == 0 {
		p = max(p, e.regression.least())
	}
	t := test{action: a, applies: p, seconds: e.costs.expected(a, p)}
	success := fewSuccesses / float64(1+e.succeeded[a])
	if e.succeeded[a] == 0 {
		success += firstSuccess
	}
	if r.latest >= 0 {
		n := e.after[r.latest*e.actions+a]
		success += newOrder / (1 + n[1])
		if n[0]+n[1] == 0 {
			t.gain = untriedOrders / float64(e.actions)
		}
	}
	t.gain += entropy(p)*(1+tells)/2 + p*success
	return t
}

// then is a test after a path.
func (t test) then(next test) test {
	return test{next.action, t.applies * next.applies, t.gain + t.applies*next.gain,
		t.seconds + next.seconds}
}

func (t test) perSecond() float64 { return t.gain / t.seconds }

// best is the test with the largest gain per second in the present state; action -1 for none.
func (e *Explorer) best() (best test) {
	best = test{action: -1, seconds: 1}
	for _, a := range e.order() {
		if e.excluded[a] || e.tried[a] {
			continue
		}
		if t := e.evaluate(a, e.values, &e.recent, e.state); best.action < 0 ||
			t.perSecond() > best.perSecond() {
			best = t
		}
	}
	return best
}

// Powers of the gain per second in whose proportion a test is drawn. Where facts do not explain the
// outcomes, or little is to be gained by them, the gain says less.
const (
	ofCosts = 3
	ofFacts = 0.5
)

// In a state of the same facts an action always applies or never, unless the facts do not tell the
// states of the world apart.
const (
	explained     = 10  // successes for each action, from which facts should explain the outcomes
	contradictory = 0.1 // share of contradicted outcomes from which they do not
)

// unexplained is the share of outcomes that facts do not explain, 0 where they may do so yet.
func (e *Explorer) unexplained() float64 {
	if e.beliefs == nil || e.successes < explained*e.actions {
		return 0
	}
	share := float64(e.beliefs.contradicted) / float64(max(e.beliefs.repeated, 1))
	if share < contradictory {
		return 0
	}
	return share
}

// idle is the gain, in bits during a success, below which attempts are drawn, the more of them the
// smaller it is. An explorer that expects so little goes round among the states of its facts, all
// of which it tried, and a wrong fact may rule out the others.
const idle = 0.4

// draws is the power by which the next test is drawn, 0 for the best one. What is expected of an
// attempt is an estimate, and the largest is often one that is too large, again and again where
// facts that are not facts of the world rule out what applies. Where refusals are cheap the
// explorer tries nearly everything all the same; where they cost as much as successes it would go
// on with the skills that it knows best. So the share of draws is what a refusal costs of a
// success, beside that of the outcomes which facts do not explain, or of what the gain lacks.
func (e *Explorer) draws() float64 {
	lacks := 1 - e.rate.value()*e.costs.all[1].value()/idle
	if e.rng.Float64() < max(lacks, e.unexplained()) {
		return ofFacts
	}
	if e.rng.Float64() < e.costs.refusal() {
		return ofCosts
	}
	return 0
}

// draw is a random test in the present state.
func (e *Explorer) draw(power float64) (drawn test) {
	sum := 0.0
	for a := range e.actions {
		if e.excluded[a] || e.tried[a] {
			continue
		}
		t := e.evaluate(a, e.values, &e.recent, e.state)
		weight := math.Pow(t.perSecond(), power)
		if sum += weight; e.rng.Float64()*sum <= weight {
			drawn = t
		}
	}
	return drawn
}

// order is a random order of the actions, since the first of equals is chosen.
func (e *Explorer) order() []int { return e.rng.Perm(e.actions) }

// Next chooses the next attempt; the error is [ErrStuck] or nil.
func (e *Explorer) Next() (Choice, error) {
	if len(e.plan) > 1 {
		a := e.plan[0]
		t := e.evaluate(a, e.values, &e.recent, e.state)
		return e.choose(t, len(e.plan)-1), nil
	}
	here := e.best()
	if here.action < 0 && !e.again {
		e.again = true
		for _, a := range e.skipped {
			e.tried[a] = false
		}
		here = e.best()
	}
	if here.action < 0 {
		return Choice{}, ErrStuck
	}
	e.plan = nil
	if power := e.draws(); power > 0 {
		c := e.choose(e.draw(power), 0)
		c.Drawn = true
		return c, nil
	}
	if e.beliefs != nil && here.perSecond() < e.rate.value() {
		if plan := e.search(here.perSecond()); plan != nil {
			e.plan = plan
			return e.choose(e.evaluate(plan[0], e.values, &e.recent, e.state), len(plan)-1), nil
		}
	}
	return e.choose(here, 0), nil
}

func (e *Explorer) choose(t test, steps int) Choice {
	e.rate.expect(t.gain)
	return Choice{Action: action(t.action), Applies: t.applies, Gain: t.gain, Steps: steps}
}

const (
	searched = 200  // states: a larger world has more tests near by, not farther away
	safe     = 0.85 // probability that a step of a plan applies
)

// node is a state that a plan leads to.
type node struct {
	values values
	recent recent
	before int // node
	by     int // action
	path   test
}

// search is a breadth-first search for a state with a test of a larger gain per second than here,
// the way there included. It returns the actions, the test last; nil where there is none.
func (e *Explorer) search(here float64) []int {
	nodes := []node{{values: e.values, recent: e.recent, before: -1, path: test{applies: 1}}}
	seen := map[string]bool{e.state: true}
	best, from, last := here, -1, -1
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		state := n.values.key()
		for _, a := range e.order() {
			if e.excluded[a] || i == 0 && e.tried[a] {
				continue
			}
			t := e.evaluate(a, n.values, &n.recent, state)
			if per := n.path.then(t).perSecond(); i > 0 && per > best {
				best, from, last = per, i, a
			}
			op := e.beliefs.skills[a].operator
			if op == nil || t.applies < safe || len(nodes) >= searched {
				continue
			}
			next := node{values: slices.Clone(n.values), before: i, by: a, path: n.path.then(t)}
			next.values.apply(op)
			if k := next.values.key(); !seen[k] {
				seen[k] = true
				next.recent = n.recent.clone()
				e.succeed(a, &next.recent)
				nodes = append(nodes, next)
			}
		}
	}
	if from < 0 {
		return nil
	}
	plan := []int{last}
	for i := from; i > 0; i = nodes[i].before {
		plan = append(plan, nodes[i].by)
	}
	slices.Reverse(plan)
	return plan
}
