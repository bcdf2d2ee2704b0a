package policy

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// CodeAttempt is a skill that was tried, with codes of what was seen.
type CodeAttempt struct {
	At      string // before
	Action  strips.ActionID
	Refused bool
	To      string // after; where it was refused, not looked at
}

// Options of a Chooser.
type Options struct {
	Excluded []strips.ActionID // never to be tried
	// Within is how many nodes the region has that is explored, the first that were seen:
	// from others only a way back is looked for. 0 is for all.
	Within int
	// Static intervals says that codes are names of static intervals: a state has as many as it was
	// come to.
	Intervals bool
	Seed      uint64 // of choices between pairs that are worth the same
}

// Kind says what an attempt is made for.
type Kind string

const (
	Trial Kind = "trial" // to see what comes of a pair that was never tried
	Move  Kind = "move"  // on the way to such a pair
	// of a pair that was tried, since there is none left that was not: two states may look alike
	Check Kind = "check"
)

// Choice is what to try next.
type Choice struct {
	Action strips.ActionID `json:"action"`
	Kind   Kind            `json:"kind"`
	At     string          `json:"at"`    // node of the trial
	Trial  strips.ActionID `json:"trial"` // its action
	Steps  int             `json:"steps"` // before the trial
	Odds   float64         `json:"odds"`  // that it applies
}

// ErrStuck is returned where everything that is allowed was tried and nothing leads on, or all was
// refused since the scene last changed: somebody has to put it into another state.
var ErrStuck = errors.New(
	"explore: everything was tried here, and nothing leads on: reset the scene")

// Chooser chooses what to try next, by what was tried so far. It is not safe for concurrent use.
type Chooser struct {
	options     Options
	memory      *memory
	survivals   survivals
	calibration calibration
	rng         *rand.Rand
	here        map[strips.ActionID]bool // refused since the scene last changed

	news  int // attempts that showed something
	known int // of them, when the operators were learned
	bits  float64
	graph *taskgraph.Graph
	model *strips.Model
	nodes map[strips.State][]strips.StateID // of the model
}

// streamChoice is the stream of random numbers of a Chooser. Another one gives other choices.
const streamChoice uint64 = 0xe8910

// New makes a Chooser of skills that nothing is known of. labels[a-1] names action a.
func New(labels []string, o Options) (*Chooser, error) {
	for _, a := range o.Excluded {
		if a < 1 || int(a) > len(labels) {
			return nil, fmt.Errorf("explore: excluded action %d is outside 1..%d", a, len(labels))
		}
	}
	return &Chooser{options: o, memory: newMemory(labels), survivals: survivals{
		of: map[[2]strips.ActionID]*survival{}},
		calibration: newCalibration(), rng: rand.New(rand.NewPCG(o.Seed, streamChoice)),
		here: map[strips.ActionID]bool{}}, nil
}

// Observe adds an attempt. The error is for actions that there are not.
func (c *Chooser) Observe(ctx context.Context, a CodeAttempt) error {
	if a.Action < 1 || int(a.Action) > c.memory.actions() {
		return fmt.Errorf("explore: action %d is outside 1..%d", a.Action, c.memory.actions())
	}
	p := pair{c.memory.node(a.At), a.Action}
	first := c.memory.verdicts[p] == untried
	var x features
	if first {
		if c.stale() {
			if err := c.relearn(ctx); err != nil {
				return err
			}
		}
		x = c.features(p)
	}
	c.bits += c.cost(p, a, x)
	fresh, err := c.memory.observe(p, a)
	if err != nil {
		return err
	}
	if a.Refused {
		c.here[a.Action] = true
	} else {
		c.Changed()
	}
	if !fresh {
		return nil
	}
	c.news++
	if first {
		c.calibration.learn(x, !a.Refused)
		c.survivals.learn(c.memory, p)
	}
	return nil
}

// Changed says that the scene may be another than the last attempt left.
func (c *Chooser) Changed() { clear(c.here) }

// stale says that the operators are of a tenth less than was observed: so old they may be to
// calibrate by, where many attempts are told at once.
func (c *Chooser) stale() bool { return 10*c.news > 11*c.known }

// relearn brings the operators up to what was observed, if that has changed. Only what was tried
// speaks against a pair.
func (c *Chooser) relearn(ctx context.Context) error {
	if c.known == c.news {
		return nil
	}
	g := c.memory.builder.Graph()
	if len(g.Edges) == 0 {
		return nil
	}
	old, was := &strips.Model{}, make([]strips.StateID, len(g.Nodes))
	if c.model != nil {
		old = c.model
		for i := range was {
			if was[i] = strips.StateID(i); i >= len(c.graph.Nodes) {
				was[i] = -1
			}
		}
	}
	r, err := operators.Relearn(ctx, g, operators.Options{
		Trust: operators.Trust{Policy: operators.TrustAttempts}}, old, was)
	if err != nil {
		return fmt.Errorf("explore: %w", err)
	}
	c.graph, c.model, c.known = g, r.Model, c.news
	_, c.nodes = c.model.Nodes()
	return nil
}

func (c *Chooser) features(p pair) features {
	x := features{1, c.survivals.logOdds(c.memory, p)}
	if c.model == nil || c.memory.ok[p.action-1] == 0 {
		return x
	}
	if code, known := c.model.Code(p.state); known {
		if _, allowed := c.model.Predict(code, p.action); allowed {
			x[2] = 1
		} else {
			x[3] = 1
		}
	}
	return x
}

// predicted is the node that the operators say a pair leads to, if it applies, where they say so;
// outside says that this is none of the region's, which has no room for more.
func (c *Chooser) predicted(p pair) (target strips.StateID, outside, told bool) {
	if c.model == nil {
		return 0, false, false
	}
	code, known := c.model.Code(p.state)
	if !known {
		return 0, false, false
	}
	next, allowed := c.model.Predict(code, p.action)
	if !allowed {
		return 0, false, false
	}
	nodes := c.nodes[next]
	if len(nodes) != 1 {
		return 0, true, !c.room()
	}
	return nodes[0], !c.inside(nodes[0]), true
}

// region is how many nodes it has.
func (c *Chooser) region() int {
	if n := len(c.memory.codes); c.options.Within == 0 || n < c.options.Within {
		return n
	}
	return c.options.Within
}

func (c *Chooser) inside(s strips.StateID) bool {
	return c.options.Within == 0 || int(s) < c.options.Within
}

func (c *Chooser) ever(p pair) bool { return c.allowed(p.action) }

func (c *Chooser) allowed(a strips.ActionID) bool { return !slices.Contains(c.options.Excluded, a) }

// actions are those that are allowed.
func (c *Chooser) actions() iter.Seq[strips.ActionID] {
	return func(yield func(strips.ActionID) bool) {
		for a := strips.ActionID(1); int(a) <= c.memory.actions(); a++ {
			if c.allowed(a) && !yield(a) {
				return
			}
		}
	}
}

// applies says which actions may be taken on the way from a node: at the node itself, none that was
// refused since the scene last changed, whatever was seen before.
func (c *Chooser) applies(from strips.StateID) func(pair) bool {
	return func(p pair) bool { return c.allowed(p.action) && (p.state != from || !c.here[p.action]) }
}

func (c *Chooser) untried(s strips.StateID, offer func(pair)) {
	for a := range c.actions() {
		if p := (pair{s, a}); c.memory.verdicts[p] == untried {
			offer(p)
		}
	}
}

// surprise is the probability that a pair that was tried comes out otherwise, after the rule of
// succession: it has not so far.
func (c *Chooser) surprise(p pair, odds float64) float64 {
	switch c.memory.verdicts[p] {
	case applied:
		return (1 - odds) / float64(1+c.memory.times[p])
	case refused:
		return odds / float64(1+c.memory.times[p])
	}
	return 0
}
