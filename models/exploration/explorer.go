package exploration

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"stripswm/models/strips"
	"stripswm/models/traces"
)

// Options are what the owner of a robot may set.
type Options struct {
	Seed     uint64            // of the choice among equals
	Excluded []strips.ActionID // actions never to try
}

// Choice is the next attempt.
type Choice struct {
	Action  strips.ActionID
	Applies float64 // probability that it succeeds
	Gain    float64 // expected, in bits
	Steps   int     // until the attempt that it is made for; 0 for that attempt
	Drawn   bool    // by lot
}

// ErrStuck is returned by [Explorer.Next] when every skill was refused in the present state.
var ErrStuck = errors.New("every skill was refused in this state: change the scene by hand")

// Explorer chooses attempts. It is not safe for concurrent use.
type Explorer struct {
	*history
	costs      costs
	regression *regression
	excluded   []bool
	rng        *rand.Rand
	beliefs    *beliefs // nil before facts were learned
	values     values   // in the present state
	state      string   // their key
	plan       []int    // actions that remain of a plan to a test
	schedule
	rate     rate
	expected []expected // in the order of attempts
}

// New returns an explorer of a robot with so many actions.
func New(actions int, o Options) (*Explorer, error) {
	if actions < 1 || actions > traces.MaxActions {
		return nil, fmt.Errorf("exploration: %d actions: a robot has 1 to %d", actions, traces.MaxActions)
	}
	e := &Explorer{history: newHistory(actions), costs: newCosts(actions), regression: newRegression(),
		excluded: make([]bool, actions), rng: rand.New(rand.NewPCG(o.Seed, 0xe871))}
	for _, a := range o.Excluded {
		if a < 1 || int(a) > actions {
			return nil, fmt.Errorf("exploration: excluded action %d is not one of 1 to %d", a, actions)
		}
		e.excluded[a-1] = true
	}
	if !slices.Contains(e.excluded, false) {
		return nil, fmt.Errorf("exploration: all %d actions are excluded: leave some to explore", actions)
	}
	return e, nil
}

func action(a int) strips.ActionID { return strips.ActionID(a + 1) }

// Observe adds an attempt and how long it took. A failed one says nothing: the state after it is
// unknown.
func (e *Explorer) Observe(a strips.ActionID, o traces.Outcome, seconds float64) error {
	if a < 1 || int(a) > e.actions {
		return fmt.Errorf("exploration: action %d is not one of 1 to %d", a, e.actions)
	}
	if o < traces.Succeeded || o > traces.Failed {
		return fmt.Errorf("exploration: outcome %d of action %d is unknown", o, a)
	}
	i := int(a) - 1
	e.costs.observe(i, o, seconds)
	e.rate.spend(seconds)
	if len(e.plan) > 0 && e.plan[0] == i && o == traces.Succeeded {
		e.plan = e.plan[1:]
	} else {
		e.plan = nil
	}
	if o == traces.Failed {
		e.history.observe(i, o)
		return e.learn()
	}
	x, _ := e.inputs(i, e.values, &e.recent, e.state)
	p := e.regression.predict(&x)
	e.regression.observe(&x, o == traces.Succeeded)
	surprise := p < unlikely && o == traces.Succeeded || p > 1-unlikely && o == traces.Refused
	fresh := e.succeeded[i] == 0 && o == traces.Succeeded
	e.history.observe(i, o)
	if e.ready(e.successes, surprise, fresh) {
		return e.learn()
	}
	if e.beliefs != nil {
		e.advance(i, o)
	}
	return nil
}

// Interrupt says that the state changed without an attempt.
func (e *Explorer) Interrupt() error {
	e.interrupt()
	e.plan = nil
	return e.learn()
}

// Retract says that the last attempt failed after all: it is no evidence, and the state is unknown.
func (e *Explorer) Retract() error {
	for _, segment := range slices.Backward(e.segments) {
		if n := len(segment); n > 0 {
			e.history.retract(&segment[n-1])
			break
		}
	}
	return e.Interrupt()
}

// advance follows an attempt with the facts of before.
func (e *Explorer) advance(a int, o traces.Outcome) {
	e.beliefs.note(key{e.state, a}, o)
	if o == traces.Refused {
		return
	}
	op := e.beliefs.skills[a].operator
	if op == nil { // it never succeeded before: what it changes is unknown until facts are learned
		clear(e.values)
	} else {
		e.values = slices.Clone(e.values)
		e.values.apply(op)
	}
	e.state = e.values.key()
}

// inputs are what is known of an action in a state, and the share of the outcome's information that
// facts can use. All of it is for a skill without facts. The rest is of values that are unknown in
// this state, or of what the regression knows and the facts do not.
func (e *Explorer) inputs(a int, v values, r *recent, state string) (x vector, tells float64) {
	x[bias], tells = 1, 1
	s, f := float64(e.succeeded[a]), float64(e.refused[a])
	rate := (s + 0.5) / (s + f + 4)
	if s > 0 {
		x[ownRate], x[refusals] = logit(rate), math.Log1p(float64(e.streak[a]))
	} else {
		x[neverSucceeded], x[neverRate] = 1, logit(rate)
		if e.beliefs != nil && e.beliefs.tried[key{state, a}] == 0 {
			x[neverRate] = logit(0.5 / float64(e.beliefs.refusedIn[a]+4))
			return x, tells
		}
		x[leastTried] = math.Log1p(float64(e.least(a, r)))
	}
	if r.latest >= 0 {
		n := e.after[r.latest*e.actions+a]
		x[afterLatest] = logit((n[1]+rate)/(n[0]+n[1]+1)) - logit(rate)
	}
	yes, no := e.undone(a, r)
	x[undoneBy], x[notUndone] = math.Log1p(float64(yes)), math.Log1p(float64(no))
	if e.beliefs == nil {
		return x, tells
	}
	if skill := &e.beliefs.skills[a]; skill.operator != nil {
		var p float64
		var unknown int
		p, tells, unknown = skill.applies(v)
		x[hasFacts], x[unknownFacts] = 1, math.Log1p(float64(unknown))
		x[fromFacts] = odds(p)
	}
	x[triedHere] = float64(e.beliefs.tried[key{state, a}])
	return x, tells
}

// schedule says when facts are learned again.
type schedule struct {
	from      int // successes that facts were learned from
	next      int // successes to learn at
	surprises int // since facts were learned
}

const (
	unlikely     = 0.05 // an outcome that was less likely is a surprise
	maxSurprises = 6
	minSuccesses = 10 // between two
	growth       = 20 // learn again after a twentieth more successes: the whole cost stays bounded
)

// ready says whether facts have to be learned now. What was learned before does not know what a
// skill changes that succeeded for the first time.
func (s *schedule) ready(successes int, surprise, fresh bool) bool {
	if surprise {
		s.surprises++
	}
	return successes >= s.next || s.surprises >= maxSurprises || fresh && successes > minSuccesses
}

// Learned is the number of successes that facts were last learned from.
func (e *Explorer) Learned() int { return e.schedule.from }

// learn learns facts from all attempts.
func (e *Explorer) learn() error {
	e.schedule = schedule{from: e.successes, next: e.successes + max(minSuccesses, e.successes/growth)}
	r, err := traces.Learn(e.actions, e.segments, traces.Options{})
	if err != nil {
		return fmt.Errorf("exploration: learn from %d successes: %w", e.successes, err)
	}
	e.beliefs = believe(e.actions, e.segments, r, e.rng)
	now := r.Report.Intervals - 1
	if len(e.segments[len(e.segments)-1]) == 0 { // the state is none that was recorded
		now = r.Report.Intervals
	}
	e.values = e.beliefs.in(now)
	e.state = e.values.key()
	e.plan = nil
	return nil
}

// Usual seconds of an attempt, before any was measured.
const (
	SuccessSeconds = 20
	RefusalSeconds = 2
)

// costs are measured seconds. An action that was not measured takes as long as the others do.
type costs struct {
	all     [2]mean   // refused, succeeded
	actions [][2]mean // by action
}

type mean struct{ sum, n float64 }

func (m *mean) add(x float64) { m.sum, m.n = m.sum+x, m.n+1 }

func (m mean) value() float64 { return m.sum / m.n }

func newCosts(actions int) costs {
	return costs{[2]mean{{RefusalSeconds, 1}, {SuccessSeconds, 1}}, make([][2]mean, actions)}
}

func (c *costs) observe(a int, o traces.Outcome, seconds float64) {
	if o != traces.Failed {
		c.all[o2i(o)].add(seconds)
		c.actions[a][o2i(o)].add(seconds)
	}
}

// of is the expected time of a refusal or success: the action's own mean, with that of all as one
// measurement more.
func (c *costs) of(a, outcome int) float64 {
	own, all := c.actions[a][outcome], c.all[outcome]
	return (own.sum + all.value()) / (own.n + 1)
}

// refusal is what a refusal costs of a success.
func (c *costs) refusal() float64 { return c.all[0].value() / c.all[1].value() }

// expected is the expected time of an attempt that applies with the probability p.
func (c *costs) expected(a int, p float64) float64 { return p*c.of(a, 1) + (1-p)*c.of(a, 0) }

// rate is the information gained per second lately.
type rate struct{ gain, seconds float64 }

const remembered = 0.98 // of the rate, each attempt

func (r *rate) expect(gain float64)   { r.gain = r.gain*remembered + gain }
func (r *rate) spend(seconds float64) { r.seconds = r.seconds*remembered + seconds }

func (r *rate) value() float64 {
	if r.seconds == 0 {
		return 0
	}
	return r.gain / r.seconds
}

// odds is the log odds of a probability, at most 6 either way.
func odds(p float64) float64 { return min(max(logit(p), -6), 6) }
