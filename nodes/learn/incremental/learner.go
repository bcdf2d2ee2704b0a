package incremental

import (
	"context"
	"slices"
	"sync"
	"time"

	"stripswm/models/dataset"
	"stripswm/models/identity"
	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/learn"
)

// CodeAttempt is a skill that was tried, with the codes of what the camera saw, as the
// encoder gives them.
type CodeAttempt struct {
	Before  identity.Code
	Action  strips.ActionID
	After   identity.Code
	Refused bool // the skill was not applicable; After is not looked at
	// Follows says that nothing else moved the scene since the attempt before: what
	// was seen after that one and before this one are of one state.
	Follows bool
}

// Options of a Learner.
type Options struct {
	Operators operators.Options // the Budget is Improve's
	// MinSupport is the share of the evidence about nodes and edges that has to be
	// for them; others are classified as misread images (taskgraph.Graph.Prune).
	MinSupport float64
	// Splits are the codes that are known to cover several states (identity.SplitsOf);
	// others are found as the attempts show them.
	Splits identity.Splits
	Trials int // most trials to name; 0 means 5
}

// Learner keeps the attempts so far and what was learned of their task graph.
// It is safe for concurrent use.
type Learner struct {
	options Options

	mu       sync.Mutex // not held while learning
	builder  *taskgraph.Builder
	data     dataset.Dataset // of attempts, without their images
	codes    []identity.Code
	attempts int

	learning sync.Mutex  // held for milliseconds
	known    *hypothesis // nil before the first edge
}

// Update is what was learned.
type Update struct {
	Attempts   int `json:"attempts"`
	States     int `json:"states"`
	Edges      int `json:"edges"`
	Predicates int `json:"m"`
	Xi         int `json:"xi"`
	Eta        int `json:"eta"`
	learn.Repairs
	Improved bool              `json:"improved"` // by Improve: m is the fewest that its budget found
	Untried  []strips.ActionID `json:"untried"`  // actions never seen to succeed
	Trials   []operators.Trial `json:"trials"`   // the next trials to make, the most telling first
	Seconds  float64           `json:"seconds"`
	Model    *strips.Model     `json:"-"`
	Graph    *taskgraph.Graph  `json:"-"` // what the model was learned from
}

// New makes a Learner without attempts. labels[a-1] names action a.
func New(labels []string, o Options) *Learner {
	if o.Trials == 0 {
		o.Trials = 5
	}
	if o.Operators.Trust.Policy == "" { // what was not tried is a trial to make
		o.Operators.Trust.Policy = operators.TrustAll
	}
	return &Learner{options: o, builder: taskgraph.NewBuilder(labels)}
}

// Observe adds an attempt. The error is for actions that have no label.
func (l *Learner) Observe(a CodeAttempt) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := dataset.Transition{Before: len(l.codes), After: len(l.codes), Action: a.Action,
		Follows: a.Follows}
	if a.Refused {
		if err := l.builder.Refuse(string(a.Before), a.Action); err != nil {
			return err
		}
		l.data.Refused, l.codes = append(l.data.Refused, t), append(l.codes, a.Before)
	} else {
		if err := l.builder.Observe(string(a.Before), a.Action, string(a.After)); err != nil {
			return err
		}
		t.After++
		l.data.Transitions, l.codes = append(l.data.Transitions, t), append(l.codes, a.Before, a.After)
	}
	l.attempts++
	return nil
}

// evidence is all attempts so far, and their number. What is added later does not
// change it.
func (l *Learner) evidence() (learn.Evidence, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	d := l.data
	return learn.Evidence{Data: &d, Codes: l.codes, Graph: l.builder.Graph(),
		Splits: l.options.Splits}, l.attempts
}

// Learn brings the model up to all attempts so far: at once if they show nothing
// new, otherwise by operators.Relearn, in milliseconds. Its xi and eta are the
// least; fewer predicates are Improve's business.
func (l *Learner) Learn(ctx context.Context) (Update, error) {
	begin := time.Now()
	l.learning.Lock()
	defer l.learning.Unlock()
	seen, attempts := l.evidence()
	repaired, err := learn.Repair(ctx, seen, l.options.MinSupport)
	if err != nil {
		return Update{}, err
	}
	if g := repaired.Graph; len(g.Edges) == 0 {
		return Update{Attempts: attempts, States: g.NumStates(), Repairs: repaired.Repairs(),
			Untried: untried(g)}, nil
	}
	next, err := l.known.next(ctx, repaired, l.options)
	if err != nil {
		return Update{}, err
	}
	l.known = next
	return next.update(attempts, begin), nil
}

// Improve learns the latest model again within the budget, for the fewest
// predicates, effects and preconditions; attempts and Learn go on meanwhile. It
// returns false if nothing came of it: there was nothing to improve, or what has
// been learned meanwhile is as good.
func (l *Learner) Improve(ctx context.Context) (Update, bool, error) {
	begin := time.Now()
	l.learning.Lock()
	begun := l.known
	l.learning.Unlock()
	if begun == nil || begun.improved {
		return Update{}, false, nil
	}
	better, err := begun.improve(ctx, l.options)
	if err != nil {
		return Update{}, false, err
	}
	l.learning.Lock()
	defer l.learning.Unlock()
	if l.known != begun { // carry it over to the evidence that has come
		if better, err = better.next(ctx, l.known.repaired, l.options); err != nil ||
			better.model.Predicates >= l.known.model.Predicates {
			return Update{}, false, err
		}
	}
	l.known = better
	_, attempts := l.evidence()
	return better.update(attempts, begin), true, nil
}

// hypothesis is a model and the task graph that it was learned from. It does not change.
type hypothesis struct {
	repaired *learn.Repaired
	missing  []operators.Missing // trusted missing pairs
	model    *strips.Model
	trials   []operators.Trial
	improved bool // learned within the whole budget
}

// next is the hypothesis of a graph that has changed since h, which may be nil.
func (h *hypothesis) next(ctx context.Context, repaired *learn.Repaired,
	o Options,
) (*hypothesis, error) {
	g := repaired.Graph
	missing, err := o.Operators.Trust.Missing(g)
	if err != nil {
		return nil, err
	}
	old, was := &strips.Model{}, make([]strips.StateID, len(g.Nodes))
	if h != nil {
		if h.explains(g, missing) {
			return h, nil
		}
		old = h.model
		known := h.repaired.Graph.Codes()
		for i, n := range g.Nodes {
			was[i] = -1
			if id, ok := known[n.Code]; ok {
				was[i] = id
			}
		}
	}
	r, err := operators.Relearn(ctx, g, o.Operators, old, was)
	if err != nil {
		return nil, err
	}
	return newHypothesis(ctx, repaired, r, o)
}

// explains says whether a graph holds nothing but more of the same.
func (h *hypothesis) explains(g *taskgraph.Graph, missing []operators.Missing) bool {
	return learn.SameShape(h.repaired.Graph, g) &&
		slices.EqualFunc(h.missing, missing, func(a, b operators.Missing) bool {
			return a.State == b.State && a.Action == b.Action && (a.Refused > 0) == (b.Refused > 0)
		})
}

// improve learns the hypothesis's graph from the beginning.
func (h *hypothesis) improve(ctx context.Context, o Options) (*hypothesis, error) {
	r, err := operators.Learn(ctx, h.repaired.Graph, o.Operators)
	if err != nil {
		return nil, err
	}
	better, err := newHypothesis(ctx, h.repaired, r, o)
	if err == nil {
		better.improved = true
	}
	return better, err
}

func newHypothesis(ctx context.Context, repaired *learn.Repaired, r *operators.Result,
	o Options,
) (*hypothesis, error) {
	trials, err := operators.Frontier(ctx, repaired.Graph, o.Operators.Trust, r.Model)
	if err == nil {
		err = ctx.Err() // what was cut short is no hypothesis
	}
	if err != nil {
		return nil, err
	}
	return &hypothesis{repaired: repaired, missing: r.Missing, model: r.Model,
		trials: trials[:min(len(trials), o.Trials)]}, nil
}

func (h *hypothesis) update(attempts int, begin time.Time) Update {
	return Update{
		Attempts: attempts, States: h.repaired.Graph.NumStates(), Edges: len(h.repaired.Graph.Edges),
		Predicates: h.model.Predicates, Xi: len(h.model.Slack), Eta: len(h.model.Exceptions),
		Improved: h.improved, Repairs: h.repaired.Repairs(),
		Untried: untried(h.repaired.Graph), Trials: h.trials, Seconds: time.Since(begin).Seconds(),
		Model: h.model, Graph: h.repaired.Graph,
	}
}

func untried(g *taskgraph.Graph) []strips.ActionID {
	seen := make([]bool, g.NumActions()+1)
	for _, e := range g.Edges {
		seen[e.Action] = true
	}
	list := []strips.ActionID{}
	for a := 1; a < len(seen); a++ {
		if !seen[a] {
			list = append(list, strips.ActionID(a))
		}
	}
	return list
}
